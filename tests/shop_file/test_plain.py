"""A shop as plain data: equal shops yield equal data, and reading the data back gives the same shop."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.loading import parse_shop_file, read_shop_file
from bundlesvc.shop_file.plain import plain_content, plain_item, read_content
from tests.process.shop import SHOP
from tests.shop_file.shop_files import FULL, SHOP_YAML

ROOT = Path(__file__).parents[2]
FILES = (SHOP, ROOT / "config/demo-shop.yaml", ROOT / "tests/shop_file/full.yaml", ROOT / "tests/api/shop.yaml")


def full() -> ShopFile:
    return parse_shop_file(FULL.encode(), SHOP_YAML)


def by_name(items: Any) -> Any:
    return sorted(items, key=lambda item: getattr(item, "id", None) or item.country_code)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_content_reads_back_as_the_shop(path: Path) -> None:
    shop_file = read_shop_file(path)
    content = plain_content(shop_file)
    found, faults = read_content(content)
    assert faults == ()
    assert found is not None
    assert found.shop == shop_file.shop
    for kind in ("markets", "products", "bundles", "experiments"):
        assert by_name(getattr(found, kind)) == by_name(getattr(shop_file, kind))
    assert plain_content(found) == content


def test_order_and_further_zeros_have_no_meaning() -> None:
    shop_file = full()
    first, *others = shop_file.products
    longer = tuple(replace(variant, price=variant.price.quantize(Decimal("0.0000"))) for variant in first.variants)
    backwards = replace(shop_file, products=(*others, replace(first, variants=longer)), bundles=shop_file.bundles[::-1])
    assert plain_content(backwards) == plain_content(shop_file)


@pytest.mark.parametrize(
    ("number", "text"),
    [("19.9", "19.90"), ("0", "0.00"), ("1E+3", "1000.00"), ("1.1000", "1.10"), ("0.9234", "0.9234"), ("-5", "-5.00")],
)
def test_numbers_have_two_decimals_or_more(number: str, text: str) -> None:
    market = replace(full().markets[0], exchange_rate=Decimal(number))
    assert plain_item("markets", market)["exchangeRate"] == text


@pytest.mark.parametrize(("order", "written"), [((0, 1), [None, None]), ((0, 5), [0, 5]), ((3, 4), [3, 4])])
def test_sections_numbered_by_their_place_have_no_order(order: tuple[int, int], written: list[int | None]) -> None:
    bundle = next(bundle for bundle in full().bundles if len(bundle.sections) > 1)
    sections = [replace(section, order=place) for section, place in zip(bundle.sections, order, strict=False)]
    plain = plain_item("bundles", replace(bundle, sections=tuple(sections)))
    assert [section.get("order") for section in plain["sections"]] == written


def test_every_fault_of_a_content_is_reported_with_its_path() -> None:
    content = plain_content(full())
    content["bundles"][0] |= {"type": "other", "nmae": "Box", "published": 1}
    content["shop"]["currency"] = None
    found, faults = read_content(content)
    assert found is None
    paths = {fault.path for fault in faults}
    assert {("bundles", 0, "type"), ("bundles", 0, "nmae"), ("bundles", 0, "published")} <= paths
    assert ("shop", "currency") in paths
