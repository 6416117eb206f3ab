"""The JSON documents of a shop file are read back as they were written."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Market, Shop
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.database.documents import from_document, to_document
from tests.process.shop import SHOP

EVERYTHING = Path(__file__).parents[1] / "shop_file" / "full.yaml"
FILES = (SHOP, EVERYTHING)


def _aggregates() -> Iterator[Any]:
    for path in FILES:
        shop_file = read_shop_file(path)
        name = path.stem
        yield pytest.param(shop_file.shop, id=f"{name}: shop")
        for market in shop_file.markets:
            yield pytest.param(market, id=f"{name}: market {market.country_code}")
        for product in shop_file.products:
            yield pytest.param(product, id=f"{name}: product {product.id}")
        for bundle in shop_file.bundles:
            yield pytest.param(bundle, id=f"{name}: bundle {bundle.id}")
        for experiment in shop_file.experiments:
            yield pytest.param(experiment, id=f"{name}: experiment {experiment.id}")


@pytest.mark.parametrize("aggregate", list(_aggregates()))
def test_documents_read_back_equal(aggregate: object) -> None:
    document = to_document(aggregate)
    found = from_document(document, type(aggregate))
    assert found == aggregate
    assert to_document(found) == document


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_documents_read_back_with_the_same_types(path: Path) -> None:
    """Documents are read back with the same types. The test compares representations, because a comparison with `==` would accept
    1 for True."""
    for aggregate in (*read_shop_file(path).products, *read_shop_file(path).bundles):
        found = from_document(to_document(aggregate), type(aggregate))
        assert repr(found) == repr(aggregate)


def test_amounts_keep_every_digit() -> None:
    market = Market("US", "USD", Decimal("1.100000000000000000000001"), Decimal("5.00"), {1: Decimal("0.10")})
    found = from_document(to_document(market), Market)
    assert [str(found.exchange_rate), str(found.price_adjustment), str(found.prices[1])] == [
        "1.100000000000000000000001",
        "5.00",
        "0.10",
    ]


def test_a_shop_without_settings_of_its_own_reads_back_equal() -> None:
    shop = read_shop_file(SHOP).shop
    bare = Shop(shop.handle, shop.name, shop.domain, shop.locale, False, (), shop.platform, (), settings=None)
    assert from_document(to_document(bare), Shop) == bare


def test_unknown_fields_of_a_document_are_ignored(tmp_path: Path) -> None:
    """Unknown fields of a document are ignored, because a newer version of the service may have written them, and the document
    must be readable after a rollback."""
    bundle = read_shop_file(SHOP).bundles[0]
    document = to_document(bundle)
    assert from_document(f'{{"later": 1, {document[1:]}', Bundle) == bundle
    product = read_shop_file(SHOP).products[0]
    without = to_document(product).replace('"translations"', '"unknown"')
    assert from_document(without, Product).translations == {}
