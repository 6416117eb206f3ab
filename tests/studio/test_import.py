"""Tables of products: what is read of them, and what is refused."""

import base64

import pytest

from tests.studio.page import in_page

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
    (rows, tabs, commas) = in_page(("readCsv", TABLE), ("readCsv", "a\tb\n1\t2"), ("readCsv", 'a,b\r\n"1,5",2\r\n'))

    assert rows[0]["cells"][:2] == ["Title", "Price"]
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8, 10]
    assert rows[-1]["cells"][0] == 'The "big"\njug'
    assert tabs[1]["cells"] == ["1", "2"]
    assert commas[1]["cells"] == ["1,5", "2"]


def test_rows_become_products_and_every_other_row_is_reported() -> None:
    (made,) = in_page(("imported", TABLE))

    assert [product["title"] for product in made["products"]] == ["New Tea", 'The "big"\njug']
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


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("12", "12.00"),
        ("4,5", "4.50"),
        ("1,234.50", "1234.50"),
        ("1.234,50 €", "1234.50"),
        ("$ 9.99", "9.99"),
        ("EUR 12", "12.00"),
        ("12 kr.", "12.00"),
        ("CHF 1'234.50", "1234.50"),
        ("1 234,50", "1234.50"),
        ("1\u00a0234,50\u00a0€", "1234.50"),
        ("1.234.567", "1234567.00"),
        ("1.234", None),
        ("1,234", None),
        ("", None),
        ("abc", None),
        ("-3", None),
        ("1.2.3", None),
        ("3,,5", None),
        ("1e5", None),
        ("NaN", None),
        ("12 pieces", None),
        ("from 12", None),
        ("=A1*2", None),
        ("1.234.50", None),
        ("12.34.567", None),
    ],
)
def test_amount_is_read_in_the_forms_of_several_countries(text: str, amount: str | None) -> None:
    assert in_page(("amountOf", text)) == [amount]


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
    rows = "".join(f"Tea {place};{price}\n" for place, price in enumerate(prices))
    (made,) = in_page(("imported", f"Title;Price\n{rows}"))
    assert [product["variants"][0]["price"] for product in made["products"]] == read
    assert [fault["code"] for fault in made["faults"]] == ([code] if code else [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "windows-1252"])
def test_files_of_every_spreadsheet_are_read(encoding: str) -> None:
    data = "Titel;Preis\nGrüner Tee;4,50\n".encode(encoding)
    if encoding == "utf-16-be":
        data = b"\xfe\xff" + data
    (text,) = in_page(("decoded", base64.b64encode(data).decode()))
    (made,) = in_page(("imported", text))
    assert [(product["title"], product["handle"]) for product in made["products"]] == [("Grüner Tee", "gruner-tee")]


@pytest.mark.parametrize("beginning", [b"PK\x03\x04\x14\x00", b"\xd0\xcf\x11\xe0\xa1\xb1"])
def test_spreadsheet_that_is_no_text_is_refused(beginning: bytes) -> None:
    assert in_page(("decoded", base64.b64encode(beginning + bytes(100)).decode())) == [None]


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        pytest.param("Title,Price\rTea,4.50\rCup,9\r", ["Tea", "Cup"], id="lines of an old Mac"),
        pytest.param('"Price, net";Title\n4,50;Tea\n', ["Tea"], id="comma in a quoted header"),
        pytest.param("\u200bTitle\u200b,Price,,,\nTea,4.50,,,\n,,,,\n", ["Tea"], id="unseen characters, empty columns"),
        pytest.param("Title,Title,Price\nTea,Other,4.50\n", ["Tea"], id="two columns of one name"),
        pytest.param('Title,Price\n"=HYPERLINK(""http://x"")",4.50\n', ['=HYPERLINK("http://x")'], id="formula"),
    ],
)
def test_odd_tables_are_read(text: str, titles: list[str]) -> None:
    (made,) = in_page(("imported", text))
    assert ([product["title"] for product in made["products"]], made["faults"]) == (titles, [])


def test_quotation_mark_that_is_not_closed_is_reported() -> None:
    (made,) = in_page(("imported", 'Title,Price\nTea,4.50\n"Cup,9\nBowl,5\n'))
    assert [product["title"] for product in made["products"]] == ["Tea"]
    assert made["faults"] == [{"line": 3, "code": "open-quote", "cell": ""}]


def test_handles_differ() -> None:
    (made,) = in_page(("imported", "Title,Price\nTea,1\nTea!,2\nTea?,3\n"))
    assert [product["handle"] for product in made["products"]] == ["tea", "tea-2", "tea-3"]


def test_fifty_thousand_rows_take_seconds() -> None:
    rows = "".join(f"Tea {number},4.50,S,{number % 100}\n" for number in range(50_000))
    (made,) = in_page(("imported", f"Title,Price,Size,Stock\n{rows}"))
    assert (len(made["products"]), made["faults"]) == (50_000, [])
