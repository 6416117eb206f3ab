"""Tables of products: what is read of them, and what is refused."""

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


def test_amounts_are_read_in_the_forms_of_several_countries() -> None:
    texts = {
        "12": "12.00",
        "4,5": "4.50",
        "1,234.50": "1234.50",
        "1.234,50 €": "1234.50",
        "$ 9.99": "9.99",
        "1.234": "1234.00",
        "": None,
        "abc": None,
        "-3": None,
        "1.2.3": None,
        "3,,5": None,
    }

    assert dict(zip(texts, in_page(*(("amountOf", text) for text in texts)), strict=True)) == texts
