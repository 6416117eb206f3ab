"""Loading a shop file: nothing is written when nothing changed (docs/contract.md#shop-files)."""

from dataclasses import replace

from bundlesvc.services.loading import load
from bundlesvc.shop_file.loading import read_shop_file
from tests.process.shop import SHOP
from tests.services.fakes import FakeShopFiles


async def test_a_file_is_written_once() -> None:
    store, shop_file = FakeShopFiles(), read_shop_file(SHOP)
    assert await load(store, shop_file)
    assert not await load(store, read_shop_file(SHOP))
    assert store.writes == 1


async def test_any_change_is_written() -> None:
    store, shop_file = FakeShopFiles(), read_shop_file(SHOP)
    await load(store, shop_file)
    changes = [
        replace(shop_file, shop=replace(shop_file.shop, headless_enabled=False)),
        replace(shop_file, markets=shop_file.markets[1:]),
        replace(shop_file, products=(*shop_file.products[:1], replace(shop_file.products[1], title="Other"))),
        replace(shop_file, bundles=shop_file.bundles[1:]),
        replace(shop_file, experiments=()),
    ]
    for change in changes:
        assert await load(store, change)
        assert store.files["demo"] == change


async def test_shops_are_distinguished_by_handle() -> None:
    store, shop_file = FakeShopFiles(), read_shop_file(SHOP)
    other = replace(shop_file, shop=replace(shop_file.shop, handle="other"))
    assert await load(store, shop_file)
    assert await load(store, other)
    assert store.files == {"demo": shop_file, "other": other}
