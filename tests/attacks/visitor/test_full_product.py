"""An attacker with a public key creates the 2,048 variants that a product may have, so that nobody else can buy the bundle.

The service therefore makes room in a full product. Otherwise, it would stay full for 30 days after the last use of its ghost
variants."""

from decimal import Decimal

import pytest
from sqlalchemy import insert, select, update

from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.services.ghosts.variants import GHOST_REST, GHOSTS_PER_PRODUCT, VARIANTS_PER_PRODUCT
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import catalogue_ghosts, ghost_variants
from tests.api.conftest import Api, MakeApi, Response
from tests.api.selection import configure_body
from tests.fakes import FakeClock

SEVERAL, SET = 30, 910
FIRST = 8_200_000_000_000_000
FULL = VARIANTS_PER_PRODUCT - 1
"""The number of ghost variants on a full product, which also has one variant of its own."""


class FullPlatform(EmbeddedPlatform):
    """The embedded platform with the variant limit of a live platform."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, RevisionCache())
        self._count = database

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        query = select(catalogue_ghosts.c.variant_id).where(~catalogue_ghosts.c.retired)
        there = await self._count.read(lambda connection: connection.execute(query).all())
        if len(there) >= FULL:
            raise PlatformFailed
        return await super().create_ghost_variant(tenant, product_id, option_value, price)


@pytest.fixture
async def api(make_api: MakeApi, database: Database, clock: FakeClock) -> Api:
    """The service, with a product that is full of ghost variants."""
    api = await make_api(platform=FullPlatform(database))
    await fill(database, int(clock.now()))
    return api


async def fill(database: Database, now: int) -> None:
    """Fill the product with ghost variants, as if by many configure calls, one second apart."""
    ids = [FIRST + number for number in range(FULL)]
    shared = [{"shop_id": 1, "product_id": SET, "variant_id": variant} for variant in ids]
    ours = [
        {"identity": f"{row['variant_id']}", "last_used_at": now - age, "confirmed_at": now, "check_at": now + 86400}
        for age, row in enumerate(shared)
    ]
    theirs = [{"option_value": one["identity"], "price": "1.00", "retired": False} for one in ours]
    await database.write(
        lambda connection: [
            connection.execute(insert(ghost_variants), [one | two for one, two in zip(shared, ours, strict=True)]),
            connection.execute(insert(catalogue_ghosts), [one | two for one, two in zip(shared, theirs, strict=True)]),
        ]
    )


async def configure(api: Api) -> Response:
    """Configure a selection that was not configured before."""
    return await api.post(f"/bundles/{SEVERAL}/configure", configure_body("1001@1", "1002@1", type="multiple-products"))


async def still_for_sale(database: Database) -> set[int]:
    query = select(catalogue_ghosts.c.variant_id).where(~catalogue_ghosts.c.retired)
    return await database.read(lambda connection: set(connection.execute(query).scalars()))


async def test_the_next_shopper_gets_a_ghost_variant(api: Api, database: Database, clock: FakeClock) -> None:
    clock.move(GHOST_REST)
    made = int((await configure(api)).held().json["variant_id"])
    left = await still_for_sale(database)
    assert made in left
    oldest = {FIRST + FULL - 1 - number for number in range(GHOSTS_PER_PRODUCT // 10)}
    assert not oldest & left
    assert len(left) == GHOSTS_PER_PRODUCT * 9 // 10 + 1


async def test_bought_ghost_variants_are_retired_last(api: Api, database: Database, clock: FakeClock) -> None:
    oldest = FIRST + FULL - 1
    bought = update(ghost_variants).where(ghost_variants.c.variant_id == oldest).values(bought_at=int(clock.now()))
    await database.write(lambda connection: connection.execute(bought))
    clock.move(GHOST_REST)
    (await configure(api)).held()
    assert oldest in await still_for_sale(database)


async def test_retry_after_is_sent_while_all_ghosts_may_be_in_carts(
    api: Api, database: Database, clock: FakeClock
) -> None:
    clock.move(GHOST_REST - FULL)
    response = (await configure(api)).held(503)
    assert response.code == "ghost_variants_full"
    assert response.headers["Retry-After"] == "1"
    assert len(await still_for_sale(database)) == FULL

    clock.move(1)
    (await configure(api)).held()
    assert len(await still_for_sale(database)) == FULL, "only one was old enough"
