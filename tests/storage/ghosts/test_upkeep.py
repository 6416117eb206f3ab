"""The upkeep of ghost variants in the database: which ghost variants are marked, who claims them, and how a check ends."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select

from bundlesvc.domain.ghosts.variant import LIVE, MARKED, RETIRED, Claim, Ghost, PromiseChecks
from bundlesvc.domain.live_platform.platform_change import (
    BUNDLE,
    INVENTORY_ITEM,
    MARKETS,
    PRODUCT,
    SELLING_PLANS,
    SHOP_SETTINGS,
    Change,
)
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.ports import GhostRetired
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import ghost_variants
from bundlesvc.storage.ghosts.administration import STATE, SqlGhostAdmin
from bundlesvc.storage.ghosts.records import CHECK_AFTER_DOUBT, CHECK_EVERY, GONE_SECONDS
from bundlesvc.storage.ghosts.retirement import CLAIM_SECONDS
from bundlesvc.storage.ghosts.upkeep import RETRY_SECONDS, SqlGhostStore
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from tests.fakes import delivery
from tests.process.shop import BOX, MUG, PAIR, PAIR_PRODUCT, SHIRT
from tests.storage.configured.test_bundles import watch_queries
from tests.storage.configured_bundles import DAY, MONTHLY, NOW, configured, render_response
from tests.storage.prepared import the_shop

SHIRT_GHOST, MUG_GHOST = 5, 6
SHIRT_STOCK = 77


@pytest.fixture
def ghosts(database: Database) -> SqlGhostStore:
    return SqlGhostStore(database)


@pytest.fixture
async def two(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    """Two ghost variants: one of shirts for the bundle Pair, and one of mugs for the bundle Box."""
    shirt = (Change(PRODUCT, SHIRT), Change(INVENTORY_ITEM, SHIRT_STOCK), Change(BUNDLE, PAIR))
    await use(configured_store, tenant, SHIRT_GHOST, shirt)
    await use(configured_store, tenant, MUG_GHOST, (Change(PRODUCT, MUG), Change(BUNDLE, BOX)))


async def use(
    store: SqlConfiguredStore, tenant: Tenant, variant: int, subjects: Sequence[Change] = (), at: int = NOW
) -> None:
    """Record a configured bundle for a ghost variant."""
    made = Ghost(f"{variant}", PAIR_PRODUCT, variant, at, frozenset(subjects))
    bundle = configured(variant * 1_000_000 + at - NOW, configured_at=at, bundle_id=PAIR)
    await store.record(tenant, bundle, made, None, render_response)


async def states(database: Database) -> dict[int, str]:
    query = select(ghost_variants.c.variant_id, STATE.label("state"))
    return await database.read(lambda connection: {row.variant_id: row.state for row in connection.execute(query)})


async def marked(database: Database) -> set[int]:
    return {variant for variant, state in (await states(database)).items() if state == MARKED}


def variants(claim: Claim) -> set[int]:
    return {claimed.ghost.variant_id for claimed in claim.ghosts}


def ids(claim: Claim) -> list[int]:
    return [claimed.id for claimed in claim.ghosts]


CHANGES = [
    (Change(PRODUCT, SHIRT), {SHIRT_GHOST}),
    (Change(PRODUCT, MUG), {MUG_GHOST}),
    (Change(PRODUCT, 12345), set()),
    (Change(INVENTORY_ITEM, SHIRT_STOCK), {SHIRT_GHOST}),
    (Change(INVENTORY_ITEM, SHIRT), set()),
    (Change(SHOP_SETTINGS), {SHIRT_GHOST, MUG_GHOST}),
    (Change(MARKETS), {SHIRT_GHOST, MUG_GHOST}),
    (Change(SELLING_PLANS), set()),
]


@pytest.mark.parametrize(("change", "expected"), CHANGES, ids=lambda value: getattr(value, "kind", None))
async def test_a_webhook_marks_the_affected_ghosts(
    change: Change, expected: set[int], tenant: Tenant, two: None, database: Database
) -> None:
    assert await SqlChangeLog(database).record(tenant, delivery("d-1", [change]), NOW)
    assert await marked(database) == expected


async def test_a_webhook_of_another_shop_marks_none(tenant: Tenant, two: None, database: Database) -> None:
    shop = the_shop()
    await SqlShopFileStore(database).replace(replace(shop, shop=replace(shop.shop, handle="other")))
    other = replace(tenant, id=tenant.id + 1)
    await SqlChangeLog(database).record(other, delivery("d-1", [Change(PRODUCT, SHIRT), Change(MARKETS)]), NOW)
    assert await marked(database) == set()


async def test_an_order_records_the_purchase_of_its_ghosts(tenant: Tenant, two: None, database: Database) -> None:
    order = replace(delivery("d-1", []), bought=frozenset([SHIRT_GHOST, 1234]))
    assert await SqlChangeLog(database).record(tenant, order, NOW)
    found = {ghost.variant_id: ghost.bought_at for ghost in await SqlGhostAdmin(database).all()}
    assert found == {SHIRT_GHOST: NOW, MUG_GHOST: None}
    assert await marked(database) == set()


def changed(what: str) -> ShopFile:
    """Return the test shop with one change."""
    shop = the_shop()
    if what == "price":
        shirt, *others = shop.products
        variant = replace(shirt.variants[0], price=Decimal(1))
        return replace(shop, products=(replace(shirt, variants=(variant, *shirt.variants[1:])), *others))
    if what == "product removed":
        return replace(shop, products=tuple(product for product in shop.products if product.id != MUG))
    if what == "bundle unpublished":
        return replace(shop, bundles=tuple(replace(one, published=one.id != PAIR) for one in shop.bundles))
    if what == "bundle removed":
        return replace(shop, bundles=tuple(one for one in shop.bundles if one.id != BOX), experiments=())
    if what == "market":
        return replace(shop, markets=shop.markets[:1])
    return shop


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("nothing", set()),
        ("price", {SHIRT_GHOST}),
        ("product removed", {MUG_GHOST}),
        ("bundle unpublished", {SHIRT_GHOST}),
        ("bundle removed", {MUG_GHOST}),
        ("market", {SHIRT_GHOST, MUG_GHOST}),
    ],
)
async def test_loading_a_file_marks_the_affected_ghosts(
    what: str, expected: set[int], tenant: Tenant, two: None, database: Database
) -> None:
    await SqlShopFileStore(database).replace(changed(what))
    assert await marked(database) == expected


async def test_marked_ghosts_are_due_at_once_and_the_others_after_a_day(
    tenant: Tenant, two: None, ghosts: SqlGhostStore, database: Database
) -> None:
    assert variants(await ghosts.claim_due(NOW + CHECK_EVERY - 1, 10)) == set()
    await SqlChangeLog(database).record(tenant, delivery("d-1", [Change(PRODUCT, SHIRT)]), NOW)
    assert variants(await ghosts.claim_due(NOW, 10)) == {SHIRT_GHOST}
    assert variants(await ghosts.claim_due(NOW + CLAIM_SECONDS - 1, 10)) == set(), "another process has claimed it"
    assert variants(await ghosts.claim_due(NOW + CLAIM_SECONDS, 10)) == {SHIRT_GHOST}, "the claim has expired"
    assert variants(await ghosts.claim_due(NOW + CHECK_EVERY, 10)) == {SHIRT_GHOST, MUG_GHOST}


async def test_two_processes_claim_different_ghosts(
    tenant: Tenant, configured_store: SqlConfiguredStore, settings: Settings, database: Database
) -> None:
    for variant in range(1, 41):
        await use(configured_store, tenant, variant)
    async with open_database(settings.database) as other:
        stores = [SqlGhostStore(database), SqlGhostStore(other)] * 4
        claims = await asyncio.gather(*(store.claim_due(NOW + CHECK_EVERY, 5) for store in stores))
    claimed = [variant for claim in claims for variant in variants(claim)]
    assert len(claimed) == len(set(claimed))
    rest = await SqlGhostStore(database).claim_due(NOW + CHECK_EVERY, 40)
    assert variants(rest) | set(claimed) == set(range(1, 41))


async def test_a_claim_contains_the_newest_selection(
    tenant: Tenant, configured_store: SqlConfiguredStore, ghosts: SqlGhostStore
) -> None:
    await use(configured_store, tenant, SHIRT_GHOST)
    newest = configured(9, country="US", subscription=MONTHLY, bundle_id=PAIR)
    await configured_store.record(tenant, newest, Ghost("5", PAIR_PRODUCT, SHIRT_GHOST, NOW), None, render_response)
    (claimed,) = (await ghosts.claim_due(NOW + CHECK_EVERY, 10)).ghosts
    assert claimed.promise is not None
    assert (claimed.promise.bundle_id, claimed.promise.country) == (PAIR, "US")
    assert claimed.promise.items == newest.items
    choice = claimed.promise.subscription
    assert choice is not None
    assert (choice.group_id, choice.frequency, choice.unit, choice.email) == (7, 1, "month", None)


async def test_promises_of_a_hundred_ghosts_are_read_in_one_query(
    tenant: Tenant,
    configured_store: SqlConfiguredStore,
    ghosts: SqlGhostStore,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variant in range(1, 101):
        await use(configured_store, tenant, variant)
    queries = watch_queries(database, monkeypatch)
    claim = await ghosts.claim_due(NOW + CHECK_EVERY, 100)
    assert len(claim.ghosts) == 100
    assert all(claimed.promise is not None for claimed in claim.ghosts)
    assert len(queries) == 1


async def test_a_valid_promise_makes_a_ghost_live_for_a_day(
    tenant: Tenant, two: None, ghosts: SqlGhostStore, database: Database
) -> None:
    await SqlChangeLog(database).record(tenant, delivery("d-1", [Change(MARKETS)]), NOW)
    claim = await ghosts.claim_due(NOW, 10)
    retired = await ghosts.settle(tenant.id, claim, PromiseChecks(held=ids(claim)), NOW, DAY)
    assert retired.ghosts == ()
    assert await marked(database) == set()
    assert variants(await ghosts.claim_due(NOW + CHECK_EVERY - 1, 10)) == set()
    assert variants(await ghosts.claim_due(NOW + CHECK_EVERY, 10)) == {SHIRT_GHOST, MUG_GHOST}


async def test_a_broken_promise_retires_a_ghost_after_the_grace_period(
    tenant: Tenant, configured_store: SqlConfiguredStore, ghosts: SqlGhostStore, database: Database
) -> None:
    await use(configured_store, tenant, SHIRT_GHOST)
    await SqlChangeLog(database).record(tenant, delivery("d-1", [Change(MARKETS)]), NOW)
    grace = 3 * DAY

    claim = await ghosts.claim_due(NOW, 10)
    assert (await ghosts.settle(tenant.id, claim, PromiseChecks(broken=ids(claim)), NOW, grace)).ghosts == ()
    assert await states(database) == {SHIRT_GHOST: MARKED}
    assert variants(await ghosts.claim_due(NOW + grace - 1, 10)) == set(), "nothing is checked during the grace period"

    claim = await ghosts.claim_due(NOW + grace, 10)
    retired = await ghosts.settle(tenant.id, claim, PromiseChecks(broken=ids(claim)), NOW + grace, grace)
    assert variants(retired) == {SHIRT_GHOST}
    assert await states(database) == {SHIRT_GHOST: RETIRED}
    assert await configured_store.ghost(tenant, "5") is None

    await ghosts.removed(retired, NOW + grace)
    assert variants(await ghosts.claim_due(NOW + 100 * grace, 10)) == set()


async def test_an_interrupted_removal_is_retried(tenant: Tenant, two: None, ghosts: SqlGhostStore) -> None:
    """A removal is retried if the process died after recording the removal and before calling the platform."""
    claim = await ghosts.claim_due(NOW + DAY, 10)
    await ghosts.settle(tenant.id, claim, PromiseChecks(broken=ids(claim)), NOW + DAY, DAY)
    again = await ghosts.claim_due(NOW + DAY + CLAIM_SECONDS, 10)
    assert variants(again) == {SHIRT_GHOST, MUG_GHOST}
    assert all(claimed.retired for claimed in again.ghosts)


async def test_a_check_without_a_result_is_retried(tenant: Tenant, two: None, ghosts: SqlGhostStore) -> None:
    claim = await ghosts.claim_due(NOW + DAY, 10)
    await ghosts.settle(tenant.id, claim, PromiseChecks(unknown=ids(claim)), NOW + DAY, DAY)
    assert variants(await ghosts.claim_due(NOW + DAY + RETRY_SECONDS - 1, 10)) == set()
    assert variants(await ghosts.claim_due(NOW + DAY + RETRY_SECONDS, 10)) == {SHIRT_GHOST, MUG_GHOST}


@pytest.mark.parametrize("verdict", ["held", "broken", "unknown"])
async def test_a_change_during_a_check_is_not_lost(
    verdict: str, tenant: Tenant, two: None, ghosts: SqlGhostStore, database: Database
) -> None:
    """When a product changes while its ghost variant is being checked, the variant stays marked, because the check may have read
    data from before the change."""
    later = NOW + DAY
    claim = await ghosts.claim_due(later, 10)
    await SqlChangeLog(database).record(tenant, delivery("d-1", [Change(PRODUCT, SHIRT)]), later)
    await ghosts.settle(tenant.id, claim, PromiseChecks(**{verdict: ids(claim)}), later, DAY)
    assert (await states(database))[SHIRT_GHOST] == MARKED
    assert SHIRT_GHOST in variants(await ghosts.claim_due(later, 10))


async def test_a_ghost_used_during_a_check_is_not_retired(
    tenant: Tenant, configured_store: SqlConfiguredStore, ghosts: SqlGhostStore, database: Database
) -> None:
    await use(configured_store, tenant, SHIRT_GHOST)
    claim = await ghosts.claim_due(NOW + DAY, 10)
    await use(configured_store, tenant, SHIRT_GHOST, at=NOW + DAY)
    retired = await ghosts.settle(tenant.id, claim, PromiseChecks(broken=ids(claim)), NOW + DAY, DAY)
    assert retired.ghosts == ()
    assert await states(database) == {SHIRT_GHOST: MARKED}


async def test_a_marked_ghost_that_is_promised_again_is_live_and_checked_soon(
    tenant: Tenant, configured_store: SqlConfiguredStore, two: None, ghosts: SqlGhostStore, database: Database
) -> None:
    """A marked ghost variant that is promised again becomes live, but is checked soon, because the configure call may have read a
    price from before the change."""
    await SqlChangeLog(database).record(tenant, delivery("d-1", [Change(PRODUCT, SHIRT)]), NOW)
    await use(configured_store, tenant, SHIRT_GHOST, at=NOW + 1)
    assert (await states(database))[SHIRT_GHOST] == LIVE
    assert variants(await ghosts.claim_due(NOW + CHECK_AFTER_DOUBT, 10)) == set()
    assert variants(await ghosts.claim_due(NOW + 1 + CHECK_AFTER_DOUBT, 10)) == {SHIRT_GHOST}


async def test_a_ghost_that_is_being_removed_is_not_used(
    tenant: Tenant, configured_store: SqlConfiguredStore, ghosts: SqlGhostStore, database: Database
) -> None:
    """A ghost variant that is being removed is not used until the claim on it has expired."""
    await use(configured_store, tenant, SHIRT_GHOST)
    later = NOW + DAY
    claim = await ghosts.claim_due(later, 10)
    retired = await ghosts.settle(tenant.id, claim, PromiseChecks(broken=ids(claim)), later, DAY)
    with pytest.raises(GhostRetired):
        await use(configured_store, tenant, SHIRT_GHOST, at=later + CLAIM_SECONDS - 1)
    await use(configured_store, tenant, SHIRT_GHOST, at=later + CLAIM_SECONDS)
    assert await states(database) == {SHIRT_GHOST: LIVE}

    await ghosts.removed(retired, later + CLAIM_SECONDS)
    assert await states(database) == {SHIRT_GHOST: LIVE}, "a late confirmation changes nothing"


async def test_a_removed_ghost_that_the_platform_still_shows_is_not_used(
    tenant: Tenant, configured_store: SqlConfiguredStore, ghosts: SqlGhostStore
) -> None:
    await use(configured_store, tenant, SHIRT_GHOST)
    later = NOW + DAY
    claim = await ghosts.claim_due(later, 10)
    retired = await ghosts.settle(tenant.id, claim, PromiseChecks(broken=ids(claim)), later, DAY)
    await ghosts.removed(retired, later)
    with pytest.raises(GhostRetired):
        await use(configured_store, tenant, SHIRT_GHOST, at=later + GONE_SECONDS - 1)
    await use(configured_store, tenant, SHIRT_GHOST, at=later + GONE_SECONDS)


async def test_ghosts_are_counted_by_state_and_crowded_product(
    tenant: Tenant, two: None, ghosts: SqlGhostStore, database: Database
) -> None:
    assert (await ghosts.counts(3)).crowded == {}
    await SqlChangeLog(database).record(tenant, delivery("d-1", [Change(PRODUCT, SHIRT)]), NOW)
    found = await ghosts.counts(2)
    assert found.states == {LIVE: 1, MARKED: 1, RETIRED: 0}
    assert found.crowded == {("demo", PAIR_PRODUCT): 2}


async def test_a_promise_broken_in_a_market_retires_a_ghost_in_use_at_home(
    tenant: Tenant, configured_store: SqlConfiguredStore, ghosts: SqlGhostStore, database: Database
) -> None:
    """A promise that is broken in a market retires a ghost variant that is still in use at home. Otherwise anyone could configure
    the ghost variant at home once a day, and buy it abroad at the old price forever."""
    await use(configured_store, tenant, SHIRT_GHOST)
    found = NOW + CHECK_EVERY
    for at in (found, found + DAY):
        await use(configured_store, tenant, SHIRT_GHOST, at=at - 1)
        claim = await ghosts.claim_due(at + CHECK_AFTER_DOUBT, 10)
        verdicts = PromiseChecks(broken_in_a_market=ids(claim))
        retired = await ghosts.settle(tenant.id, claim, verdicts, at, DAY)
        assert len(retired.ghosts) == (at == found + DAY)
    assert await states(database) == {SHIRT_GHOST: RETIRED}
