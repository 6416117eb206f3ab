"""Ghost variants are marked once when their bundle goes on or off sale, on SQLite and PostgreSQL."""

from dataclasses import replace

import pytest

from bundlesvc.domain.live_platform.platform_change import BUNDLE, Change
from bundlesvc.domain.publication import Phase
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.catalogue.bundle_times import SqlBundleTimes
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.administration import SqlGhostAdmin
from tests.process.shop import BOX, PAIR
from tests.storage.ghosts.test_upkeep import use
from tests.storage.prepared import the_shop

BEGINS, ENDS = 1_800_000_000, 1_800_003_600
BOX_GHOST, PAIR_GHOST = 5, 6


@pytest.fixture
async def timed(database: Database, tenant: Tenant, configured_store: SqlConfiguredStore) -> Tenant:
    """A shop in which the bundle Pair is published and unpublished at set times. Each bundle has a ghost variant."""
    shop_file = the_shop()
    bundles = [
        replace(bundle, published_from="2027-01-15T08:00", published_until="2027-01-15T09:00")
        if bundle.id == PAIR
        else bundle
        for bundle in shop_file.bundles
    ]
    await SqlShopFileStore(database).replace(replace(shop_file, bundles=tuple(bundles)))
    await use(configured_store, tenant, BOX_GHOST, (Change(BUNDLE, BOX),))
    await use(configured_store, tenant, PAIR_GHOST, (Change(BUNDLE, PAIR),))
    (found,) = await SqlShopStore(database, RevisionCache()).tenants([tenant.id])
    return found


async def states(database: Database) -> dict[int, str]:
    return {ghost.variant_id: ghost.state for ghost in await SqlGhostAdmin(database).all()}


async def test_shop_has_the_times_of_its_bundles(timed: Tenant) -> None:
    assert timed.times == (BEGINS, ENDS)
    assert timed.phase == Phase(0, BEGINS - 360)


async def test_unpublished_bundle_has_no_times(database: Database, timed: Tenant) -> None:
    shop_file = await SqlShopFileStore(database).stored("demo")
    assert shop_file is not None
    bundles = tuple(replace(bundle, published=False) for bundle in shop_file.bundles)
    await SqlShopFileStore(database).replace(replace(shop_file, bundles=bundles))
    (found,) = await SqlShopStore(database, RevisionCache()).tenants([timed.id])
    assert found.times == ()


@pytest.mark.parametrize(
    ("now", "pair"),
    [(BEGINS - 1, "live"), (BEGINS, "marked"), (ENDS - 1, "marked"), (ENDS, "marked"), (ENDS + 99_999, "marked")],
)
async def test_ghost_variants_of_this_bundle_are_marked(now: int, pair: str, database: Database, timed: Tenant) -> None:
    await SqlBundleTimes(database).pass_times(timed.at(now))
    assert await states(database) == {BOX_GHOST: "live", PAIR_GHOST: pair}


async def test_what_another_process_has_marked_is_not_marked_again(
    database: Database, timed: Tenant, configured_store: SqlConfiguredStore
) -> None:
    """A ghost variant that another process has marked is not marked again, even after a configure call has renewed its
    promise."""
    times = SqlBundleTimes(database)
    await times.pass_times(timed.at(BEGINS))
    later = 7
    await use(configured_store, timed, later, (Change(BUNDLE, PAIR),))
    await times.pass_times(timed.at(BEGINS + 10))
    assert (await states(database))[later] == "live"
    await times.pass_times(timed.at(ENDS))
    assert (await states(database))[later] == "marked"
