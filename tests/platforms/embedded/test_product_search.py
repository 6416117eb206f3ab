"""Text search for products of the embedded platform."""

from dataclasses import replace

import pytest

from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.product_search import EmbeddedProductSearch
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from tests.storage.prepared import the_shop


@pytest.fixture
def search(database: Database) -> EmbeddedProductSearch:
    return EmbeddedProductSearch(database)


@pytest.mark.parametrize(
    ("text", "limit", "ids", "after"),
    [
        ("", 4, [111, 222, 900, 901], None),
        ("", 2, [111, 222], "222"),
        ("box gift", 10, [900], None),
        ("sh-m", 10, [111], None),
    ],
)
async def test_every_word_counts(
    search: EmbeddedProductSearch, tenant: Tenant, text: str, limit: int, ids: list[int], after: str | None
) -> None:
    assert await search.find(tenant, text, limit, None) == (tuple(ids), after)


async def test_result_comes_in_parts(search: EmbeddedProductSearch, tenant: Tenant) -> None:
    assert await search.find(tenant, "", 2, "222") == ((900, 901), None)


async def test_part_cannot_begin_at_a_word(search: EmbeddedProductSearch, tenant: Tenant) -> None:
    with pytest.raises(CursorUnknown):
        await search.find(tenant, "", 2, "shirt")


async def test_more_products_than_are_read_at_once(
    search: EmbeddedProductSearch, database: Database, tenant: Tenant
) -> None:
    shirt = the_shop().products[0]
    more = tuple(
        replace(shirt, id=10_000 + number, handle=f"shirt-{number}", title=f"Shirt {number}", variants=())
        for number in range(1_200)
    )
    await SqlShopFileStore(database).replace(replace(the_shop(), products=(*the_shop().products, *more)))
    assert (await search.find(tenant, "shirt 1199", 10, None)).ids == (11_199,)
    assert len((await search.find(tenant, "shirt", 1_000, None)).ids) == 1_000
