"""Imported tables of products: which data is read from them, and which tables are refused."""

import base64
from typing import Any

import pytest

from bundlesvc.shop_file.plain import read_content
from tests.studio.page import in_page

pytestmark = pytest.mark.process

TABLE = """\ufeffTitle;Price;Size;Stock;Weight (g);SKU;Image
New Tea;4,50;S;3;50;T-1;https://shop.example/tea.png
New Tea;"8,90";L;;;;
New Tea;9;L;;;;
;3;;;;;
Cup;abc;;;;;
Bowl;2.50;;many;;;
Plate;1.234,50 €;;;heavy;;

"The ""big""
jug";12;;7;;;
"""


def test_table_is_read_as_spreadsheets_write_it() -> None:
    (table,) = in_page(("readCsv", TABLE))

    assert table["header"]["cells"][:2] == ["Title", "Price"]
    assert [row["line"] for row in table["rows"]] == [2, 3, 4, 5, 6, 7, 8, 10]
    assert table["rows"][-1]["cells"][0] == 'The "big"\njug'


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        pytest.param("a\tb\n1\t2", ["1", "2"], id="tabs"),
        pytest.param('a,b\r\n"1,5",2\r\n', ["1,5", "2"], id="commas"),
        pytest.param("a|b\n1,5|2", ["1,5", "2"], id="bars"),
        pytest.param("sep=;\na,x,y;b\n1,5;2", ["1,5", "2"], id="Excel's own first line"),
        pytest.param('\ufeff"sep=\t"\r\na;x;y\tb\r\n1;5\t2', ["1;5", "2"], id="the same with a tab"),
        pytest.param('a,b\n1, "2,5"', ["1", "2,5"], id="blank before a quotation mark"),
    ],
)
def test_separator_is_found(text: str, cells: list[str]) -> None:
    (table,) = in_page(("readCsv", text))
    assert [row["cells"] for row in table["rows"]] == [cells]


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    (table,) = in_page(("readCsv", 'sep=;\n\nTitle;Price\n"two\nlines";1\nTea;2\n'))
    assert [row["line"] for row in table["rows"]] == [4, 6]


def test_rows_become_products_and_every_other_row_is_reported() -> None:
    (made,) = in_page(("imported", TABLE))

    assert [product["title"] for product in made["products"]] == ["New Tea", 'The "big" jug']
    tea, jug = made["products"]
    assert tea["options"] == [{"name": "Variant", "values": ["S", "L"]}]
    assert [variant["price"] for variant in tea["variants"]] == ["4.50", "8.90"]
    assert tea["variants"][0]["inventoryQuantity"] == 3
    assert tea["imageUrl"] == "https://shop.example/tea.png"
    assert "options" not in jug
    assert made["faults"] == [
        {"line": 4, "code": "twice", "cell": "L"},
        {"line": 5, "code": "no-title", "cell": ""},
        {"line": 6, "code": "no-price", "cell": "abc"},
        {"line": 7, "code": "no-quantity", "cell": "many"},
        {"line": 8, "code": "no-grams", "cell": "heavy"},
    ]
    ids = [product["id"] for product in made["products"]]
    assert len(set(ids)) == len(ids)


EXPORT = """\
Handle,Title,Body (HTML),Vendor,Status,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Price,\
Variant Compare At Price,Image Src
mug,Mug,<p>Blue &amp; round</p>,Kiln,active,Size,Small,M-1,300,12.00,15.00,https://shop.example/mug-1.png
mug,,,,,,Large,M-2,450,15.00,,https://shop.example/mug-2.png
mug,,,,,,,,,,,https://shop.example/mug-3.png
tea,Tea,,Leaf,active,Title,Default Title,T-1,100,4.50,,
,,,,,,Green,T-2,100,5.00,,
bowl,,,,,,Blue,B-1,100,5.00,,
"""


def test_export_of_a_platform_has_titles_in_first_rows_only() -> None:
    (made,) = in_page(("imported", EXPORT))

    mug, tea = made["products"]
    assert (mug["title"], mug["handle"], mug["descriptionHtml"]) == ("Mug", "mug", "<p>Blue &amp; round</p>")
    assert mug["imageUrl"] == "https://shop.example/mug-1.png"
    assert mug["options"] == [{"name": "Variant", "values": ["Small", "Large"]}]
    assert [(each["sku"], each["price"], each["grams"]) for each in mug["variants"]] == [
        ("M-1", "12.00", 300),
        ("M-2", "15.00", 450),
    ]
    assert ("options" in tea, tea["variants"][0]["price"]) == (False, "4.50")
    assert made["faults"] == [{"line": line, "code": "no-title", "cell": ""} for line in (6, 7)]


def test_amount_is_read_in_the_forms_of_several_countries() -> None:
    amounts = {
        ("12", "EUR"): "12.00",
        ("4,5", "EUR"): "4.50",
        ("1,234.50", "EUR"): "1234.50",
        ("1.234,50 €", "EUR"): "1234.50",
        ("$ 9.99", "USD"): "9.99",
        ("EUR 12", "EUR"): "12.00",
        ("12 kr.", "SEK"): "12.00",
        ("CHF 1'234.50", "CHF"): "1234.50",
        ("1 234,50", "EUR"): "1234.50",
        ("1\u00a0234,50\u00a0€", "EUR"): "1234.50",
        ("1.234.567", "EUR"): "1234567.00",
    }
    readings = in_page(*(("readAmount", *each) for each in amounts))
    assert dict(zip(amounts, readings, strict=True)) == {each: {"amount": amount} for each, amount in amounts.items()}


def test_what_is_no_amount_is_no_price() -> None:
    texts = ["", "abc", "-3", "1.2.3", "3,,5", "1e5", "NaN", "12 pieces", "from 12", "=A1*2", "1.234.50", "12.34.567"]
    texts += ["12 PCS", "12 kg", "K 12", "12 %", "12 €/kg", f"1{' ' * 100_000}x"]
    readings = in_page(*(("readAmount", text, "EUR") for text in texts))
    assert dict(zip(texts, readings, strict=True)) == {text: {"fault": "no-price"} for text in texts}


def test_amount_is_exact_up_to_what_the_service_accepts() -> None:
    amounts = {
        "999999999999.99": "999999999999.99",
        "999 999 999 999,99": "999999999999.99",
        "00000000000000000012": "12.00",
        "1000000000000": None,
        "9007199254740993": None,
        "1234567890123456789012345": None,
        "9" * 50: None,
    }
    for (text, amount), reading in zip(
        amounts.items(), in_page(*(("readAmount", text, "EUR") for text in amounts)), strict=True
    ):
        assert reading == ({"amount": amount} if amount else {"fault": "large-price"})
        product = {"id": 1, "title": "Tea", "variants": [{"id": 2, "price": amount or text}]}
        assert (read_content(content_with(product))[0] is None) == (amount is None)


def test_amount_of_another_currency_is_a_fault() -> None:
    own = [("$1", "USD"), ("$1", "CAD"), ("1 $", "MXN"), ("US$1", "USD"), ("CA$1", "CAD"), ("NT$ 1", "TWD")]
    own += [("S$1", "SGD"), ("¥1", "JPY"), ("\uffe51", "JPY"), ("¥1", "CNY"), ("1 kr", "SEK"), ("1 kr", "NOK")]
    own += [("Kr. 1", "DKK"), ("1 kr", "ISK"), ("Fr. 1", "CHF"), ("1 zł", "PLN"), ("1 Kč", "CZK"), ("1 Ft", "HUF")]
    own += [("1 Euro", "EUR"), ("eur 1", "EUR"), ("€1 EUR", "EUR")]
    foreign = [("$1", "EUR", "$"), ("€2", "USD", "€"), ("CA$1", "USD", "CA$"), ("$1 CAD", "USD", "CAD")]
    foreign += [("£1", "EUR", "£"), ("¥1", "USD", "¥"), ("1 kr", "EUR", "kr"), ("1 CHF", "EUR", "CHF"), ("$1", "", "$")]

    readings = in_page(*(("readAmount", *each[:2]) for each in (*own, *foreign)))

    expected = [{"amount": "1.00"} for _ in own] + [{"fault": "foreign-price", "sign": sign} for *_, sign in foreign]
    assert list(zip([*own, *foreign], readings, strict=True)) == list(zip([*own, *foreign], expected, strict=True))


def test_row_with_a_foreign_sign_names_it() -> None:
    (made,) = in_page(("imported", "Title,Price\nTea,$1\nCup,€2\nBowl,3\n", {"currency": "USD"}))
    assert titles(made) == ["Tea", "Bowl"]
    assert made["faults"] == [{"line": 3, "code": "foreign-price", "cell": "€2", "sign": "€"}]


@pytest.mark.parametrize(
    ("prices", "read", "code"),
    [
        pytest.param(["4,50", "1.234"], ["4.50", "1234.00"], None, id="another row has decimals after a comma"),
        pytest.param(["4.50", "1,234"], ["4.50", "1234.00"], None, id="another row has decimals after a point"),
        pytest.param(["4.50", "1.234"], ["4.50"], "which-price", id="three decimals"),
        pytest.param(["4", "1.234"], ["4.00"], "which-price", id="nothing says what the point is"),
        pytest.param(["4,50", "4.50", "1.234"], ["4.50", "4.50"], "which-price", id="rows of two countries"),
    ],
)
def test_price_that_may_be_two_amounts_is_never_guessed(prices: list[str], read: list[str], code: str | None) -> None:
    rows = "".join(f"Tea {index};{price}\n" for index, price in enumerate(prices))
    (made,) = in_page(("imported", f"Title;Price\n{rows}"))
    assert [product["variants"][0]["price"] for product in made["products"]] == read
    assert [fault["code"] for fault in made["faults"]] == ([code] if code else [])


@pytest.mark.parametrize("mark", [b"", b"\xfe\xff"])
def test_utf_16_is_read_with_and_without_its_mark(mark: bytes) -> None:
    text = "\u0639\u0646\u0648\tPrice\n一千Ā一\t4,50\n"
    assert decoded(mark + text.encode("utf-16-be")) == {"text": text}
    assert decoded(mark[::-1] + text.encode("utf-16-le")) == {"text": text}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252"])
def test_files_of_every_spreadsheet_are_read(encoding: str) -> None:
    data = "Titel;Preis\nGrüner Tee;4,50\n".encode(encoding)
    (made,) = in_page(("imported", decoded(data)["text"]))
    assert [(product["title"], product["handle"]) for product in made["products"]] == [("Grüner Tee", "gruner-tee")]


@pytest.mark.parametrize(
    ("beginning", "fault"),
    [
        pytest.param(b"PK\x03\x04\x14\x00", "workbook", id="xlsx"),
        pytest.param(b"\xd0\xcf\x11\xe0\xa1\xb1", "workbook", id="xls"),
        pytest.param(b"%PDF-1.7\n1 0 obj\n", "no-text", id="PDF"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "no-text", id="PNG"),
        pytest.param(b"\x1f\x8b\x08\x00" + bytes(range(256)), "no-text", id="gzip"),
        pytest.param(bytes(range(1, 256)) * 9, "no-text", id="bytes without a zero"),
        pytest.param(b"\n<!DOCTYPE html><table><tr><td>Title</td></tr></table>", "no-text", id="HTML"),
        pytest.param(b"\xff\xfe\0\0T\0\0\0", "no-text", id="UTF-32"),
    ],
)
def test_file_that_is_no_table_is_refused(beginning: bytes, fault: str) -> None:
    assert decoded(beginning) == {"fault": fault}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("Title,Price\rTea,4.50\rCup,9\r", ["Tea", "Cup"], id="lines of an old Mac"),
        pytest.param('"Price, net";Title\n4,50;Tea\n', ["Tea"], id="comma in a quoted header"),
        pytest.param("\u200bTitle\u200b,Price,,,\nTea,4.50,,,\n,,,,\n", ["Tea"], id="unseen characters, empty columns"),
        pytest.param("Title,Title,Price\nTea,Other,4.50\n", ["Tea"], id="two columns of one name"),
        pytest.param('Title,Price\n"=HYPERLINK(""http://x"")",4.50\n', ['=HYPERLINK("http://x")'], id="formula"),
    ],
)
def test_odd_tables_are_read(text: str, found: list[str]) -> None:
    (made,) = in_page(("imported", text))
    assert (titles(made), made["faults"]) == (found, [])


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("Compare At Price,Price,Title", {"title": 2, "price": 1}),
        ("Alter Preis,Preis,Titel", {"title": 2, "price": 1}),
        ("Title,Compare At Price,Price / International", {"title": 0, "price": 2}),
        ("Title,UVP-Preis,Verkaufspreis brutto", {"title": 0, "price": 2}),
        ("Bildpreis,Bild,Titel,Preis", {"title": 2, "price": 3, "imageUrl": 1}),
    ],
)
def test_column_with_the_exact_name_is_suggested_first(header: str, columns: dict[str, int]) -> None:
    (found,) = in_page(("suggested", header.split(",")))
    assert {column: index for column, index in found.items() if index != -1} == columns


@pytest.mark.parametrize(
    ("header", "missing"), [("Title,Compare At Price", "price"), ("Title;Cost", "price"), ("Number,Price", "title")]
)
def test_missing_column_is_a_fault_of_the_file(header: str, missing: str) -> None:
    (made,) = in_page(("imported", f"{header}\nTea,4.50\n"))
    assert made == {"missing": missing}


def test_currency_in_the_name_of_a_column_is_found() -> None:
    signs = {
        "Price (CHF)": "CHF",
        "Preis in USD": "USD",
        "Price [$]": "$",
        "Price/£": "£",
        "Price (EUR)": "",
        "Preis €": "",
        "Price": "",
        "Price net": "",
        "Preis (brutto)": "",
    }
    assert in_page(*(("foreignSignIn", name, "EUR") for name in signs)) == list(signs.values())


@pytest.mark.parametrize(
    ("text", "found", "lines"),
    [
        pytest.param("Title,Price\nTea,4,50\nCup,9\n", ["Cup"], [2], id="decimal comma"),
        pytest.param("Title,Price,,\nTea,4,50,\nCup,9,,\n", ["Cup"], [2], id="under columns without a name"),
        pytest.param("Title,Price,Size\nTea,4,50,\nCup,9,S\n", ["Cup"], [2], id="before an empty cell"),
        pytest.param("Title,Price\nTea,4.50,,\n", ["Tea"], [], id="empty cells"),
        pytest.param("Title;Price\nTea;4,50;\n", ["Tea"], [], id="other separator"),
    ],
)
def test_row_with_more_cells_than_columns_is_a_fault(text: str, found: list[str], lines: list[int]) -> None:
    (made,) = in_page(("imported", text))
    assert titles(made) == found
    assert made["faults"] == [{"line": line, "code": "more-cells", "cell": ""} for line in lines]


@pytest.mark.parametrize(
    ("rows", "found", "faults"),
    [
        pytest.param('Tea,4\n"Cup,9\nBowl,5\n', ["Tea"], [(3, "open-quote")], id="never closed"),
        pytest.param('"Cup,9\nBowl,5\n"Tea, green",4\nPot,3\n', [], [(2, "open-quote")], id="opens another cell"),
        pytest.param('"Cup,9\nPipe 5",3\nPot,3\n', ["Pot"], [(2, "open-quote")], id="closed at the end of a cell"),
        pytest.param('Tea,"4\nCup,9"\nPot,3\n', ["Pot"], [(2, "open-quote")], id="in the price"),
        pytest.param('"Tea\ngreen",4,"a\nb\nPot,3,"nice"\n', [], [(3, "open-quote")], id="on the second line of a row"),
        pytest.param('"5" pipe",3\nPot,3\n', ["Pot"], [(2, "stray-quote")], id="not doubled"),
        pytest.param('5" pipe,3\n', ['5" pipe'], [], id="in a cell without quotation marks"),
        pytest.param('"Tea, green\nand loose",4\n', ["Tea, green and loose"], [], id="two lines"),
        pytest.param('"Tea" ,4\n', ["Tea"], [], id="blank after it"),
    ],
)
def test_quotation_mark_that_is_not_closed_is_reported(
    rows: str, found: list[str], faults: list[tuple[int, str]]
) -> None:
    (made,) = in_page(("imported", f"Title,Price,Description\n{rows}"))
    assert titles(made) == found
    assert [(fault["line"], fault["code"]) for fault in made["faults"]] == faults


@pytest.mark.parametrize(
    ("text", "found", "lines"),
    [
        pytest.param('Price,Title\n4,"Tea\n5,Cup"\n6,Pot\n', ["Pot"], [2], id="in the last column"),
        pytest.param('Price,Title\n4,"Tea\n5 leaves"\n', ["Tea 5 leaves"], [], id="number in the last column"),
        pytest.param(
            'Title,Price,Description\nTea,4,"Set:\nCup, 5"\n', ["Tea"], [], id="list of prices in a description"
        ),
        pytest.param('Title,Price,Description\nTea,4,"a\nCup,5,b"\nPot,3,\n', ["Pot"], [2], id="row in a description"),
    ],
)
def test_row_that_lies_in_the_last_cell_of_another_is_reported(text: str, found: list[str], lines: list[int]) -> None:
    (made,) = in_page(("imported", text))
    assert titles(made) == found
    assert made["faults"] == [{"line": line, "code": "open-quote", "cell": ""} for line in lines]


def test_quotation_mark_that_is_open_in_the_header_is_a_fault_of_the_file() -> None:
    (table,) = in_page(("readCsv", 'Title,"Price\nTea,4\n'))
    assert (table["header"]["fault"], table["rows"]) == ("open-quote", [])


def test_sku_stands_once() -> None:
    shop = {
        "products": [{"id": 1, "title": "Old", "handle": "old", "variants": [{"id": 2, "price": "1", "sku": "T-1"}]}]
    }
    (made,) = in_page(("imported", "Title,Price,SKU\nTea,1,T-1\nCup,2,C-1\nBowl,3,C-1\nJug,4,\nPot,5,\n", shop))
    assert titles(made) == ["Cup", "Jug", "Pot"]
    assert made["faults"] == [
        {"line": 2, "code": "sku-taken", "cell": "T-1"},
        {"line": 4, "code": "sku-twice", "cell": "C-1", "first": 3},
    ]


@pytest.mark.parametrize(
    ("column", "cell", "code"),
    [
        pytest.param("Title", "x" * 255, None, id="longest title"),
        pytest.param("Title", "🍵" * 255, None, id="longest title of emoji"),
        pytest.param("Title", "x" * 256, "too-long", id="title"),
        pytest.param("Title", "🍵" * 256, "too-long", id="title of emoji"),
        pytest.param("Title", "Tea\u202e", "hidden", id="reversed title"),
        pytest.param("Title", "Tea\x07", "hidden", id="bell in the title"),
        pytest.param("Title", "Green\ttea", None, id="tab in the title"),
        pytest.param("Size", "x" * 256, "too-long", id="variant"),
        pytest.param("SKU", "x" * 256, "too-long", id="SKU"),
        pytest.param("Handle", "x" * 256, "too-long", id="handle"),
        pytest.param("Description", "x" * 99_993, None, id="longest description"),
        pytest.param("Description", "<" * 25_000, "too-long", id="description as HTML"),
        pytest.param("Description", "Leaf\n\tby leaf <b>", None, id="lines of a description"),
        pytest.param("Description", "Leaf\x00", "hidden", id="zero in the description"),
        pytest.param("Image", "https://shop.example/tea.png?v=1", None, id="picture"),
        pytest.param("Image", "/images/tea.png", None, id="picture of the service"),
        pytest.param("Image", "tea.png", "no-image", id="name of a picture"),
        pytest.param("Image", "javascript:alert(1)", "no-image", id="script"),
        pytest.param("Image", "//shop.example/tea.png", "no-image", id="without a scheme"),
        pytest.param("Image", "https://a.example/1.png https://a.example/2.png", "no-image", id="two pictures"),
        pytest.param("Image", "https://shop.example/\x07", "no-image", id="bell in an address"),
        pytest.param("Image", f"/{'x' * 100_000}", "no-image", id="too long an address"),
    ],
)
def test_row_is_imported_if_the_service_accepts_it(column: str, cell: str, code: str | None) -> None:
    header = {"Title": "Tea", "Price": "4.50", column: cell}
    row = ";".join(f'"{text}"' for text in header.values())
    (made,) = in_page(("imported", f"{';'.join(header)}\n{row}\n"))

    assert [fault["code"] for fault in made["faults"]] == ([code] if code else [])
    assert not read_content(content_with(*made["products"]))[1]


def test_joiners_stay_in_texts_and_other_unseen_characters_do_not() -> None:
    family, persian = "👩\u200d👩\u200d👧", "\u0645\u06cc\u200c\u062e\u0648\u0631\u0645"
    (made,) = in_page(("imported", f"Title,Price,Size\n{family}\u200b,4\u200d,\ufeff{persian}\n\u200c,1,S\n"))
    (product,) = made["products"]
    assert (product["title"], product["options"][0]["values"]) == (family, [persian])
    assert [fault["code"] for fault in made["faults"]] == ["no-title"]


def test_handles_differ() -> None:
    shop = {"products": [{"id": 1, "title": "Tea", "handle": "tea"}, {"id": 2, "title": "Set", "handle": "product-2"}]}
    rows = "Tea,1\nTea!,2\nTea?,3\n\u0686\u0627\u06cc,4\n茶,5\n!,6\n"
    (made,) = in_page(("imported", f"Title,Price\n{rows}", shop))
    handles = [product["handle"] for product in made["products"]]
    assert handles == ["tea-2", "tea-3", "tea-4", "product", "product-3", "product-4"]
    assert not read_content(content_with(*shop["products"], *made["products"]))[1]


def test_handle_that_is_made_longer_is_not_too_long() -> None:
    handle = "🍵" * 255
    (made,) = in_page(("imported", f"Title,Price,Handle\nTea,1,{handle}\nCup,2,{handle}\n"))
    assert [product["handle"] for product in made["products"]] == [handle, f"{'🍵' * 240}-2"]
    assert not read_content(content_with(*made["products"]))[1]


@pytest.mark.parametrize(
    ("row", "products", "faults"),
    [
        pytest.param("Tea {},4.50,S,{}", 50_000, 0, id="products"),
        pytest.param("Tea,4.50,S{},{}", 1, 0, id="variants of one product"),
        pytest.param("Tea {},free,S,{}", 0, 50_000, id="faults"),
        pytest.param("{}茶,4.50,S,{}", 50_000, 0, id="similar handles"),
    ],
)
def test_fifty_thousand_rows_take_seconds(row: str, products: int, faults: int) -> None:
    rows = "\n".join(row.format(number, number % 100) for number in range(50_000))
    (made,) = in_page(("imported", f"Title,Price,Size,Stock\n{rows}"))
    assert (len(made["products"]), len(made["faults"])) == (products, faults)


def titles(made: dict[str, Any]) -> list[str]:
    return [product["title"] for product in made["products"]]


def decoded(data: bytes) -> dict[str, str]:
    """Decode the bytes of an imported file. Returns its text under "text", or a message under "fault" if the file is not a
    table."""
    (file,) = in_page(("decoded", base64.b64encode(data).decode()))
    result: dict[str, str] = file
    return result


def content_with(*products: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a shop that sells these products."""
    return {"shop": {"handle": "shop", "currency": "EUR"}, "products": list(products)}
