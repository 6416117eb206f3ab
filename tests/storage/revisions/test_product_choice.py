"""Products to choose for a bundle, on the embedded platform and on a live one."""

from dataclasses import replace

from bundlesvc.domain.shop import SHOPIFY, PlatformLink, Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE
from bundlesvc.services.revisions.products import ProductChoice
from bundlesvc.shop_file.contents import describe
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database import Database
from bundlesvc.storage.revisions.products import SqlProductSearch
from bundlesvc.storage.revisions.store import SqlRevisionStore
from tests.storage.prepared import the_shop


async def found(
    database: Database, platform: EmbeddedPlatform, tenant: Tenant, text: str, limit: int = 10
) -> list[int]:
    choice = ProductChoice(SqlRevisionStore(database, describe), SqlProductSearch(database), platform)
    return [product.id for product in (await choice.find(tenant, text, limit, NO_DEADLINE)).products]


async def test_every_word_counts(database: Database, platform: EmbeddedPlatform, tenant: Tenant) -> None:
    assert await found(database, platform, tenant, "") == [111, 222, 900, 901]
    assert await found(database, platform, tenant, "", 2) == [111, 222]
    assert await found(database, platform, tenant, "box gift") == [900]
    assert await found(database, platform, tenant, "sh-m") == [111]


async def test_more_products_than_are_read_at_once(
    database: Database, platform: EmbeddedPlatform, tenant: Tenant
) -> None:
    shirt = the_shop().products[0]
    more = tuple(
        replace(shirt, id=10_000 + number, handle=f"shirt-{number}", title=f"Shirt {number}", variants=())
        for number in range(1_200)
    )
    await SqlShopFileStore(database).replace(replace(the_shop(), products=(*the_shop().products, *more)))
    assert await found(database, platform, tenant, "shirt 1199") == [11_199]
    assert len(await found(database, platform, tenant, "shirt", 1_000)) == 1_000


async def test_of_a_live_platform_those_that_a_bundle_names(
    database: Database, platform: EmbeddedPlatform, tenant: Tenant
) -> None:
    """The catalogue stands for the platform."""
    live = replace(tenant, shop=replace(tenant.shop, platform=PlatformLink(SHOPIFY, "demo.example")))
    box, *_ = the_shop().bundles
    await SqlShopFileStore(database).replace(replace(the_shop(), bundles=(box,), experiments=()))
    assert await found(database, platform, live, "") == [111, 222, 900]
    assert await found(database, platform, live, "mug") == [222]
