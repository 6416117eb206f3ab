"""A shop with a bundle of two hundred products."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.process.serving import selection
from tests.standin.data.generated import VARIANT_IDS_FROM, product, products
from tests.standin.data.shop import Market, Shop

HANDLE = "large"
COUNT, VARIANTS = 200, 3
CRATE, PAIR = 42, 43
CRATE_PRODUCT, PAIR_PRODUCT = 900, 901
COUNTRY = "JP"
MARKETS = (
    Market(101, "Japan", (COUNTRY,), "JPY", rate=Decimal(160), adjustment=Decimal(-10)),
    Market(102, "United States", ("US",), "USD", rate=Decimal("1.10"), adjustment=Decimal(5)),
    Market(103, "Switzerland", ("CH",), "CHF", rate=Decimal("0.93"), adjustment=Decimal("3.5")),
)

_FILE = """
shop: {{handle: large, name: Large, domain: large.example, headlessEnabled: true, platform: {{kind: embedded}}}}
bundles:
  - {{id: 42, name: Crate, type: native, layout: single-page, platformProductId: "900", parentVariantId: "9000001",
     discount: {{type: percentage, value: "10.00", flatOrTiered: flat}},
     sections: [{{id: 1, name: All, order: 0, products: [{all}]}}]}}
  - {{id: 43, name: Pair, type: multiple-products, layout: single-page, platformProductId: "901",
     discount: {{type: percentage, value: "7.00", flatOrTiered: flat}},
     sections: [{{id: 1, name: All, order: 0, products: [{all}]}}]}}
"""


def write_shop_file(folder: Path) -> Path:
    """Write a shop file with the shop and its bundles. The products are only on the platform."""
    listed = (f'{{bundleItemId: {number}, platformProductId: "{number}"}}' for number in range(1, COUNT + 1))
    path = folder / "large-source.yaml"
    path.write_text(_FILE.format(all=", ".join(listed)))
    return path


def platform_shop() -> Shop:
    shop = Shop()
    shop.add(*products(COUNT, VARIANTS), product(CRATE_PRODUCT), product(PAIR_PRODUCT))
    shop.markets += MARKETS
    return shop


def variant_of(product_id: int, place: int = 1) -> int:
    return product_id * VARIANT_IDS_FROM + place


def all_selected(bundle_type: str = "native") -> dict[str, Any]:
    """Build a selection of one unit of every product, for buyers in `COUNTRY`."""
    units = [(variant_of(number), number, 1) for number in range(1, COUNT + 1)]
    return selection(bundle_type, *units, countryCode=COUNTRY)


def paired(*numbers: int, country: str | None = None) -> dict[str, Any]:
    """Build a selection of one unit of each of these products, in the bundle that needs a ghost variant."""
    others = {} if country is None else {"countryCode": country}
    return selection("multiple-products", *((variant_of(each), each, 1) for each in numbers), **others)
