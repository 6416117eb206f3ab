"""ConfigureBundle with the real store and the embedded platform, including failures of either one during a call."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

import pytest
from sqlalchemy import Table, func, select, update

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import SCOPES, ApiKey
from bundlesvc.domain.errors import (
    GhostVariantsFull,
    IdempotencyKeyReused,
    PlatformUnavailable,
    RateLimited,
    RulesNotMet,
    StorageUnavailable,
)
from bundlesvc.domain.ghosts.variant import Ghost
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.selection import SelectedItem, SelectionRequest, units_of
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.services.access.rate_limits import CostlyResults
from bundlesvc.services.configure_bundle import ConfigureBundle, ConfigureResult
from bundlesvc.services.ghosts import variants as ghost_variants_module
from bundlesvc.services.ghosts.promises import MarketPromises
from bundlesvc.services.ghosts.variants import (
    GHOST_REST,
    GHOST_TRUST,
    GHOSTS_PER_PRODUCT,
    VARIANTS_PER_PRODUCT,
    GhostVariants,
)
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.services.record_bundle import RecordBundle
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import catalogue_ghosts, configured_bundles, ghost_variants, idempotency_keys
from bundlesvc.storage.ghosts.market_promises import SqlMarketPromises
from bundlesvc.storage.ghosts.retirement import CLAIM_SECONDS
from bundlesvc.token_cipher import discount_cipher
from tests.conftest import SECRET_KEY, LoadShop
from tests.fakes import START, FakeClock, FakeIds
from tests.process.shop import BOX, BOX_VARIANT, GIFT_BOX, MUG, PAIR, PAIR_PRODUCT, PLAIN_MUG, SHIRT, SHIRT_M, SHOP

DAY = 24 * 60 * 60
LIMIT = 10
"""The limit of ghost variants per product in these tests."""


class WatchedPlatform(EmbeddedPlatform):
    """An embedded platform that records the variants that are created, and fails on request."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, RevisionCache())
        self.made: list[tuple[str, Decimal]] = []
        self.failing: set[str] = set()

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        self._fail_on_demand("create")
        self.made.append((option_value, price))
        return await super().create_ghost_variant(tenant, product_id, option_value, price)

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        self._fail_on_demand("retire")
        await super().retire_ghost_variants(tenant, product_id, variant_ids)

    def _fail_on_demand(self, what: str) -> None:
        if what in self.failing:
            raise PlatformUnavailable


class InterruptedStore(SqlConfiguredStore):
    """The real store with a hook that runs code between the look-up of a ghost variant and its use."""

    after_finding: Callable[[], Awaitable[None]] | None = None

    async def ghost(self, tenant: Tenant, identity: str) -> Ghost | None:
        found = await super().ghost(tenant, identity)
        if found is not None and self.after_finding is not None:
            happens, self.after_finding = self.after_finding, None
            await happens()
        return found


@dataclass
class Workshop:
    """Configures bundles in a database, with methods to inspect the results."""

    caller: Caller
    database: Database
    clock: FakeClock
    platform: WatchedPlatform
    store: InterruptedStore
    configuring: ConfigureBundle
    shops: SqlShopStore
    answers: list[ConfigureResult] = field(default_factory=list)

    async def configure(
        self, bundle_id: int, *items: SelectedItem, country: str | None = None, key: IdempotencyKey | None = None
    ) -> StoredResponse:
        """Configure the given items. The body of the response is the id of the variant to put into the cart."""
        bundle = await self.shops.bundle(self.caller.tenant, bundle_id)
        assert bundle is not None

        def render(answer: ConfigureResult) -> bytes:
            self.answers.append(answer)
            return str(answer.variant_id).encode()

        request = SelectionRequest(units_of(items), bundle.type, country)
        return await self.configuring.configure(self.caller, bundle, request, key, render, NO_DEADLINE)

    async def pair(self, mugs: int, country: str | None = None, key: IdempotencyKey | None = None) -> int:
        """Configure a pair with this number of mugs, and return the id of its ghost variant. Each number of mugs has its own
        ghost variant."""
        answer = await self.configure(PAIR, *[MUG_ITEM] * mugs, country=country, key=key)
        return int(answer.body)

    async def stored_response(self, key: IdempotencyKey) -> StoredResponse | None:
        return await self.store.stored_response(self.caller.tenant, key, int(self.clock.now()))

    async def count(self, table: Table) -> int:
        query = select(func.count()).select_from(table)
        return await self.database.read(lambda connection: connection.execute(query).scalar_one())

    async def in_use(self) -> set[int]:
        """Return the ids of the ghost variants that are in use according to the service's own records."""
        query = select(ghost_variants.c.variant_id).where(ghost_variants.c.retired_at.is_(None))
        return await self.database.read(lambda connection: set(connection.execute(query).scalars()))

    async def on_the_platform(self) -> set[int]:
        """Return the ids of the ghost variants that the platform sells."""
        query = select(catalogue_ghosts.c.variant_id).where(~catalogue_ghosts.c.retired)
        return await self.database.read(lambda connection: set(connection.execute(query).scalars()))


MUG_ITEM = SelectedItem(PLAIN_MUG, MUG, 1)
SHIRT_ITEM = SelectedItem(SHIRT_M, SHIRT, 1)
BOX_MUG = SelectedItem(PLAIN_MUG, MUG, 2)
SOLD_OUT = SHOP.read_text().replace("grams: 300", "grams: 300, inventoryTracked: true, inventoryQuantity: 0")
"""The shop without mugs in stock."""

LIVE_KEY = ApiKey(1, 1, "", "bnd_live_0000000", "", False, SCOPES, (), 100, active=True, created_at=0)
KEY = IdempotencyKey(False, "POST", "/configure", "order-1", "digest")


@pytest.fixture
async def workshop(
    database: Database, load_shop: LoadShop, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> Workshop:
    monkeypatch.setattr(ghost_variants_module, "GHOSTS_PER_PRODUCT", LIMIT)
    await load_shop(SHOP)
    tenant = await SqlKeyStore(database).tenant("demo")
    assert tenant is not None
    platform, store = WatchedPlatform(database), InterruptedStore(database)
    shops = SqlShopStore(database, RevisionCache())
    cipher = discount_cipher((SECRET_KEY,))
    ghosts = GhostVariants(platform, store, MarketPromises(platform, SqlMarketPromises(database)))
    costly = CostlyResults(MemoryBuckets(clock), Settings().visitor_limits)
    recorder = RecordBundle(store, ghosts, costly)
    configuring = ConfigureBundle(PriceSelection(platform, 300), shops, recorder, cipher, clock, FakeIds())
    caller = Caller(LIVE_KEY, tenant)
    return Workshop(caller, database, clock, platform, store, configuring, shops)


def test_limits_of_ghost_variants() -> None:
    assert GHOST_REST == 60 * 60
    assert GHOSTS_PER_PRODUCT < VARIANTS_PER_PRODUCT == 2048


async def test_a_native_bundle_needs_no_ghost(workshop: Workshop) -> None:
    answer = await workshop.configure(BOX, SHIRT_ITEM, BOX_MUG)
    assert answer == StoredResponse(str(BOX_VARIANT).encode())
    (found,) = workshop.answers
    assert (found.variant_id, found.product_id) == (BOX_VARIANT, GIFT_BOX)
    assert found.cart is not None
    assert workshop.platform.made == []


async def test_response_matches_what_was_stored_and_encrypted(workshop: Workshop) -> None:
    variant = await workshop.pair(2)
    (found,) = workshop.answers
    claims = discount_cipher((SECRET_KEY,)).unseal(found.discount)
    query = select(configured_bundles)
    (row,) = await workshop.database.read(lambda connection: list(connection.execute(query)))
    assert (row.id, row.variant_id, row.product_id) == (found.configured_bundle_id, variant, PAIR_PRODUCT)
    assert (claims["configured"], claims["iat"], claims["unique"]) == (row.id, int(START), row.unique_id)
    assert (claims["original"], claims["discounted"]) == (row.original, row.discounted) == ("16.00", "11.00")
    assert row.configured_at == int(START)
    assert found.cart is None


async def test_equal_selections_share_a_ghost(workshop: Workshop) -> None:
    first = await workshop.configure(PAIR, MUG_ITEM, SHIRT_ITEM)
    second = await workshop.configure(PAIR, SHIRT_ITEM, MUG_ITEM)
    other = await workshop.configure(PAIR, SHIRT_ITEM, MUG_ITEM, MUG_ITEM)
    assert first == second != other
    assert len(workshop.platform.made) == 2
    assert await workshop.count(configured_bundles) == 3


async def test_equal_selections_at_once_share_a_ghost(workshop: Workshop) -> None:
    variants = await asyncio.gather(*(workshop.pair(2) for _ in range(30)))
    assert len(set(variants)) == 1
    assert await workshop.in_use() == await workshop.on_the_platform() == set(variants)
    assert await workshop.count(configured_bundles) == 30


async def test_a_refused_selection_stores_nothing(workshop: Workshop) -> None:
    with pytest.raises(RulesNotMet):
        await workshop.pair(2, "US")
    assert workshop.platform.made == []
    assert await workshop.count(configured_bundles) == 0


async def test_known_selection_is_configured_like_a_new_one(workshop: Workshop) -> None:
    for _ in range(3):
        await workshop.configure(BOX, SHIRT_ITEM, BOX_MUG, BOX_MUG)

    first, _, known = workshop.answers
    assert (known.pricing, known.presentment, known.product_id) == (first.pricing, first.presentment, first.product_id)
    rows = await workshop.database.read(lambda connection: list(connection.execute(select(configured_bundles))))
    assert len({row.id for row in rows}) == len({row.unique_id for row in rows}) == 3
    assert len({(row.items, row.original, row.discounted, row.variant_id) for row in rows}) == 1
    opened = [discount_cipher((SECRET_KEY,)).unseal(each.discount) for each in workshop.answers]
    assert [claims.pop("configured") for claims in opened] == [row.id for row in rows]
    assert [claims.pop("unique") for claims in opened] == [row.unique_id for row in rows]
    assert opened[0] == opened[2]
    for answer, row in zip((first, known), (rows[0], rows[2]), strict=True):
        assert answer.cart is not None
        (entry,) = answer.cart.entry.values()
        assert [(item["variantId"], item["count"]) for item in entry["items"]] == [
            (SHIRT_ITEM.variant_id, 1),
            (BOX_MUG.variant_id, 2),
        ]
        mark = {"_bundle_data": f"{row.id}#{row.variant_id}#{row.unique_id}"}
        assert answer.cart.lines == [
            {"id": SHIRT_ITEM.variant_id, "quantity": 1, "properties": mark},
            {"id": BOX_MUG.variant_id, "quantity": 2, "properties": mark},
        ]


async def test_known_selection_is_refused_when_it_is_sold_out(workshop: Workshop, load_shop: LoadShop) -> None:
    for _ in range(3):
        await workshop.configure(BOX, SHIRT_ITEM, BOX_MUG)
    await load_shop(SOLD_OUT)
    tenant = await SqlKeyStore(workshop.database).tenant("demo")
    assert tenant is not None
    workshop.caller = replace(workshop.caller, tenant=tenant)

    with pytest.raises(RulesNotMet) as refused:
        await workshop.configure(BOX, SHIRT_ITEM, BOX_MUG)

    assert [(fault.path, fault.code) for fault in refused.value.faults] == [("products.1", "sold_out")]


async def test_response_is_stored_for_an_idempotency_key(workshop: Workshop) -> None:
    assert await workshop.stored_response(KEY) is None
    first = await workshop.configure(PAIR, MUG_ITEM, key=KEY)
    assert await workshop.stored_response(KEY) == StoredResponse(first.body, replayed=True)
    assert await workshop.configure(PAIR, MUG_ITEM, key=KEY) == StoredResponse(first.body, replayed=True)
    with pytest.raises(IdempotencyKeyReused):
        await workshop.stored_response(IdempotencyKey(False, "POST", "/configure", "order-1", "other"))
    workshop.clock.move(DAY)
    assert await workshop.stored_response(KEY) is None
    assert await workshop.count(configured_bundles) == 1


async def test_a_retry_creates_no_other_ghost(workshop: Workshop) -> None:
    """A retry creates no other ghost variant, even if the selection has changed since the first request and would need a ghost
    variant of its own."""
    first = await workshop.configure(PAIR, MUG_ITEM, key=KEY)
    again = await workshop.configure(PAIR, MUG_ITEM, MUG_ITEM, key=KEY)
    assert again == StoredResponse(first.body, replayed=True)
    assert len(workshop.platform.made) == 1


async def test_a_failing_platform_stores_nothing_and_a_retry_works(workshop: Workshop) -> None:
    workshop.platform.failing = {"create"}
    with pytest.raises(PlatformUnavailable):
        await workshop.pair(2, key=KEY)
    for table in (configured_bundles, ghost_variants, idempotency_keys):
        assert await workshop.count(table) == 0

    workshop.platform.failing = set()
    variant = await workshop.pair(2, key=KEY)
    assert await workshop.in_use() == await workshop.on_the_platform() == {variant}


async def test_a_ghost_created_for_a_failed_call_is_reused(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> StoredResponse:
        raise StorageUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(workshop.store, "record", fail)
        with pytest.raises(StorageUnavailable):
            await workshop.pair(2)
    (left,) = await workshop.on_the_platform()
    assert await workshop.in_use() == set()
    assert await workshop.pair(2) == left


async def test_ghost_deleted_on_the_platform_is_created_again(workshop: Workshop) -> None:
    first = await workshop.pair(2)
    await workshop.platform.retire_ghost_variants(workshop.caller.tenant, PAIR_PRODUCT, [first])
    workshop.clock.move(GHOST_TRUST - 1)
    assert await workshop.pair(2) == first, "within the hour the platform is not called"
    workshop.clock.move(1)
    second = await workshop.pair(2)
    assert second != first
    assert await workshop.in_use() == await workshop.on_the_platform() == {second}
    assert await workshop.pair(2) == second


async def test_ghost_is_confirmed_once_an_hour(workshop: Workshop) -> None:
    first = await workshop.pair(2)
    for hours in (1, 2):
        workshop.clock.move(GHOST_TRUST)
        assert [await workshop.pair(2) for _ in range(3)] == [first] * 3
        assert len(workshop.platform.made) == 1 + hours


async def test_ghost_is_used_while_the_platform_is_down(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> int:
        raise PlatformUnavailable

    first = await workshop.pair(2)
    workshop.clock.move(GHOST_TRUST)
    with monkeypatch.context() as patch:
        patch.setattr(workshop.platform, "create_ghost_variant", fail)
        assert await workshop.pair(2) == first
        with pytest.raises(PlatformUnavailable):
            await workshop.pair(3)


async def make_ghosts(workshop: Workshop, count: int) -> list[int]:
    """Create ghost variants, each used a day after the previous one."""
    made = []
    for mugs in range(1, count + 1):
        made.append(await workshop.pair(mugs))
        workshop.clock.move(DAY)
    return made


async def test_least_recently_used_ghost_is_retired_at_the_limit(workshop: Workshop) -> None:
    made = await make_ghosts(workshop, LIMIT)
    assert await workshop.pair(1) == made[0]
    workshop.clock.move(GHOST_REST + DAY * LIMIT)

    newest = await workshop.pair(LIMIT + 1)

    assert await workshop.in_use() == await workshop.on_the_platform() == {made[0], *made[2:], newest}


async def test_below_the_limit_none_is_retired(workshop: Workshop) -> None:
    made = await make_ghosts(workshop, LIMIT - 1)
    workshop.clock.move(GHOST_REST * 2)
    newest = await workshop.pair(LIMIT)
    assert await workshop.in_use() == {*made, newest}


async def test_sharing_a_ghost_retires_none(workshop: Workshop) -> None:
    made = await make_ghosts(workshop, LIMIT)
    workshop.clock.move(GHOST_REST * 2)
    assert await workshop.pair(1) == made[0]
    assert await workshop.in_use() == set(made)


async def test_a_full_product_of_ghosts_used_within_the_hour_is_refused(workshop: Workshop) -> None:
    """When no further ghost variant fits into a product, and all its ghost variants were used within the last hour, a new
    selection is refused, because the existing ghost variants may be in carts. The error states when the first of them may be
    removed."""
    made = [await workshop.pair(mugs) for mugs in range(1, LIMIT + 1)]
    workshop.clock.move(GHOST_REST - 1)
    with pytest.raises(GhostVariantsFull) as refused:
        await workshop.pair(LIMIT + 1)
    assert refused.value.retry_after == 1
    assert await workshop.in_use() == await workshop.on_the_platform() == set(made)
    assert await workshop.pair(1) == made[0], "an existing ghost is still shared"

    workshop.clock.move(1)

    newest = await workshop.pair(LIMIT + 1)
    assert await workshop.in_use() == await workshop.on_the_platform() == {made[0], *made[2:], newest}


async def test_bought_ghosts_are_retired_last(workshop: Workshop) -> None:
    made = await make_ghosts(workshop, LIMIT)
    bought = update(ghost_variants).where(ghost_variants.c.variant_id == made[0]).values(bought_at=int(START))
    await workshop.database.write(lambda connection: connection.execute(bought))
    newest = await workshop.pair(LIMIT + 1)
    assert await workshop.in_use() == {made[0], *made[2:], newest}


async def test_ghost_with_a_retired_identity_is_created_again(workshop: Workshop) -> None:
    made = await make_ghosts(workshop, LIMIT)
    workshop.clock.move(GHOST_REST * 2)
    newest = await workshop.pair(LIMIT + 1)
    recreated = await workshop.pair(1)
    assert recreated not in {*made, newest}
    assert recreated in await workshop.in_use()
    assert await workshop.in_use() == await workshop.on_the_platform()


async def test_a_failed_retirement_on_the_platform_is_retried(workshop: Workshop) -> None:
    """If retiring a ghost variant on the platform fails, it is retried. Otherwise, a ghost variant retired only in our records
    would count towards the platform's limit forever."""
    await make_ghosts(workshop, LIMIT)
    workshop.clock.move(GHOST_REST * 2)
    workshop.platform.failing = {"retire"}
    with pytest.raises(PlatformUnavailable):
        await workshop.pair(LIMIT + 1)

    workshop.platform.failing = set()
    await workshop.pair(LIMIT + 1)

    assert await workshop.in_use() == await workshop.on_the_platform()


async def test_interrupted_retirement_does_not_block_configure(workshop: Workshop) -> None:
    """Configure still works if a process has died after recording the retirement of ghost variants but before calling the
    platform."""
    made = await make_ghosts(workshop, LIMIT)
    workshop.clock.move(GHOST_REST * 2)
    now = int(workshop.clock.now())
    room = await workshop.store.make_room(workshop.caller.tenant, PAIR_PRODUCT, LIMIT, now - GHOST_REST, now)
    assert made[0] in [claimed.ghost.variant_id for claimed in room.claim.ghosts]
    with pytest.raises(PlatformUnavailable):  # the platform may be removing this ghost now
        await workshop.pair(1)

    workshop.clock.move(CLAIM_SECONDS)

    assert await workshop.pair(1) == made[0]
    assert made[0] in await workshop.in_use()
    assert await workshop.pair(1) == made[0]


async def test_ghost_retired_during_a_request_is_not_used(workshop: Workshop) -> None:
    """A ghost variant found by one shopper's request is not used if another shopper's new ghost variant causes it to be retired
    before that use is recorded."""
    made = await make_ghosts(workshop, LIMIT)
    workshop.clock.move(GHOST_REST * 2)

    async def another_shopper() -> None:
        await workshop.pair(LIMIT + 1)
        assert made[0] not in await workshop.on_the_platform()

    workshop.store.after_finding = another_shopper
    variant = await workshop.pair(1)

    assert variant in await workshop.on_the_platform()
    assert await workshop.in_use() == await workshop.on_the_platform()


async def test_one_of_two_simultaneous_requests_with_one_key_pays(workshop: Workshop) -> None:
    """When a page repeats its request while the first request is still running, neither request finds a stored response, but only
    one of them is charged tokens."""
    key = ApiKey(1, 1, "", "bnd_live_0000000", "", False, SCOPES, (), 100, True, 0, visitor_limit=100)
    workshop.caller = Caller(key, workshop.caller.tenant, "203.0.113.7")
    limits = {"ghost_variants": 2, "configured_bundles": 2}
    costly = CostlyResults(MemoryBuckets(workshop.clock), limits)
    workshop.configuring._recorder._costly = costly

    answers = await asyncio.gather(*(workshop.configure(PAIR, MUG_ITEM, SHIRT_ITEM, key=KEY) for _ in range(2)))

    assert sorted(answer.replayed for answer in answers) == [False, True]
    await workshop.pair(2)
    with pytest.raises(RateLimited):
        await workshop.pair(3)
