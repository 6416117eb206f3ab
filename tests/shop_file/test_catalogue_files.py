"""Stock and price files are read, and every fault is reported with its line."""

from decimal import Decimal

import pytest

from bundlesvc.domain.shop_files.catalogue_rows import CatalogueRow
from bundlesvc.shop_file.catalogue_files import PRICES, STOCK, read_rows
from bundlesvc.shop_file.loading import ShopFileInvalid


def faults(text: str | bytes, prices: bool = False) -> list[str]:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(ShopFileInvalid) as refused:
        read_rows(data, "rows", PRICES if prices else STOCK)
    return str(refused.value).splitlines()


def test_csv_is_read_by_the_names_of_its_columns() -> None:
    text = "inventoryQuantity, variantId ,inventoryTracked,inventoryPolicy\r\n5,gid://platform/ProductVariant/7,true,\r\n\r\n-3,8,,continue\r\n"
    assert read_rows(text.encode("utf-8-sig"), "rows", STOCK) == [
        CatalogueRow(2, 7, {"inventory_quantity": 5, "inventory_tracked": True}),
        CatalogueRow(4, 8, {"inventory_quantity": -3, "inventory_policy": "continue"}),
    ]


def test_json_lines_are_read() -> None:
    text = (
        '{"variantId": 7, "inventoryQuantity": "5", "inventoryTracked": false}\n\n'
        '{"inventoryQuantity": 6, "variantId": "8", "inventoryPolicy": null}'
    )
    assert read_rows(text.encode(), "rows", STOCK) == [
        CatalogueRow(1, 7, {"inventory_quantity": 5, "inventory_tracked": False}),
        CatalogueRow(3, 8, {"inventory_quantity": 6}),
    ]


def test_prices_are_exact_and_empty_ones_are_removed() -> None:
    text = "variantId,price,compareAtPrice,countryCode\n7,19.90,,\n8,1,2.5,\n9,30,,us\n9,,,DE\n"
    assert read_rows(text.encode(), "rows", PRICES) == [
        CatalogueRow(2, 7, {"price": Decimal("19.90"), "compare_at_price": None}),
        CatalogueRow(3, 8, {"price": Decimal("1.00"), "compare_at_price": Decimal("2.50")}),
        CatalogueRow(4, 9, {"price": Decimal("30.00")}, "US"),
        CatalogueRow(5, 9, {"price": None}, "DE"),
    ]
    assert read_rows(b"variantId,price\n7,0.10\n", "rows", PRICES) == [CatalogueRow(2, 7, {"price": Decimal("0.10")})]


def test_every_fault_has_its_line() -> None:
    assert faults("variantId,inventoryQuantity\nx,1\n7,1.5\n7\n,\n") == [
        "rows:2: variantId: 'x' is not an id such as 1234 or gid://platform/ProductVariant/1234.",
        "rows:3: inventoryQuantity: '1.5' is not a whole number.",
        "rows:4: The number of cells is 1, but there are 2 columns.",
        "rows:5: variantId: This is required.",
        "rows:5: inventoryQuantity: This is required.",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "rows:1: There are no rows. The first line must name the columns: variantId, inventoryQuantity, "),
        ("variantId,inventoryQuantity\n", "rows:1: There are no rows."),
        ("\nvariantId,inventoryQuantity\n1001,5\n", "rows:1: There are no rows. The first line must name"),
        ("variantId\n7\n", "rows:1: The column inventoryQuantity is missing."),
        (
            "variantId,inventoryQuantity,inventoryquantity\n7,1,1\n",
            "rows:1: Unknown column 'inventoryquantity'. Did you mean",
        ),
        ("variantId,variantId,inventoryQuantity\n7,7,1\n", "rows:1: The column variantId is there twice."),
        ('variantId,inventoryQuantity\n7,"1\n', "rows:2: This is not valid CSV: "),
        (b"variantId,inventoryQuantity\n7,\xff\n", "rows:2: The file is not in UTF-8."),
        ('{"variantId": 7,\n', "rows:1: This is not valid JSON. Each line has one object."),
        ('{"variantId": 7, "inventoryQuantity": 1}\n[]\n', "rows:2: This is not an object. Each line has one."),
        ('{"variantId": 7, "inventoryQuantity": [1]}', "rows:1: inventoryQuantity: '[\"1\"]' is not a whole number."),
        ('{"variantId": 7, "quantity": 1, "inventoryQuantity": 1}', "rows:1: Unknown key 'quantity'."),
    ],
)
def test_a_file_that_is_not_understood_is_refused(text: str | bytes, fault: str) -> None:
    (found,) = faults(text)
    assert found.startswith(fault)


def test_a_price_is_required_at_home_and_a_market_has_no_compare_at_price() -> None:
    assert faults("variantId,price,compareAtPrice,countryCode\n7,,,\n8,1,2,US\n9,-1,,ZZZ\n", prices=True) == [
        "rows:2: price: This is required, except with a countryCode, where an empty price removes the fixed price.",
        "rows:3: compareAtPrice: A market has no compare-at prices of its own; leave this empty.",
        "rows:4: price: This cannot be negative.",
        "rows:4: countryCode: 'ZZZ' is not a country code (ISO 3166-1 alpha-2, such as DE).",
    ]
