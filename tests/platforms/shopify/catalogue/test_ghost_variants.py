"""Ghost variants are created and deleted on the stand-in platform (docs/contract.md#ghost-variants)."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PlatformFailed, PlatformTimeout, PlatformUnavailable, StorageUnavailable
from bundlesvc.domain.live_platform.platform_change import ProductUpdate
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.shopify.client.replies import DAILY_LIMIT_SECONDS
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.platforms.shopify.client.transport import HttpTransport
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.fakes import FakeClock
from tests.platforms.shopify.box import BOX, PRICE, box, standin_shop
from tests.platforms.shopify.fakes import TENANT, FakeConnections, FakeSleep, codes
from tests.standin.data import generated
from tests.standin.data.shop import Option, OptionValue, Product, Variant
from tests.standin.faults import Answered, CutAfter, CutBefore, HalfBody, daily_limit_reached, server_error
from tests.standin.server import Standin

IDENTITY, ANOTHER = "ab" * 32, "cd" * 32
__all__ = ["box", "standin_shop"]


async def create(platform: ShopifyPlatform, identity: str = IDENTITY, price: Decimal = PRICE) -> int:
    return await platform.create_ghost_variant(TENANT, BOX, identity, price)


async def test_ghost_has_its_price_and_is_never_out_of_stock(platform: ShopifyPlatform, box: Product) -> None:
    number = await create(platform)
    ghost = box.variant(number)
    assert ghost is not None
    assert (ghost.price, ghost.compare_at_price) == (PRICE, None)
    assert (ghost.tracked, ghost.policy, ghost.published) == (False, "CONTINUE", True)
    assert ghost.option_values == [IDENTITY]
    assert ghost.sku == f"bundlesvc:{IDENTITY}"


async def test_own_variant_of_the_product_stays(platform: ShopifyPlatform, box: Product) -> None:
    await create(platform)
    assert [variant.title for variant in box.variants] == ["Default Title", IDENTITY]


@pytest.mark.parametrize(("taxable", "shipped"), [(True, True), (False, False)])
async def test_ghost_is_taxed_and_shipped_like_the_own_variant(
    platform: ShopifyPlatform, box: Product, taxable: bool, shipped: bool
) -> None:
    box.variants[0].taxable, box.variants[0].requires_shipping = taxable, shipped
    ghost = box.variant(await create(platform))
    assert ghost is not None
    assert (ghost.taxable, ghost.requires_shipping) == (taxable, shipped)


async def test_equal_selections_share_a_ghost(platform: ShopifyPlatform, standin: Standin, box: Product) -> None:
    first = await create(platform)
    assert await create(platform) == first
    assert await create(platform, ANOTHER) != first
    assert len(box.variants) == 3
    assert standin.calls["CreateVariants"] == 2


async def test_ghost_is_found_among_many_variants(platform: ShopifyPlatform, standin: Standin, box: Product) -> None:
    first = await create(platform)
    box.variants += generated.product(BOX, 600).variants[1:]
    assert await create(platform) == first
    assert standin.calls["NewestVariants"] == 3


async def test_ghost_has_a_value_of_every_option(platform: ShopifyPlatform, box: Product) -> None:
    names = {"Wrapping": ["Paper", "Cloth"], "Card": ["None", "Birthday"]}
    box.options = [
        Option(number, name, [OptionValue(number * 10 + index, value) for index, value in enumerate(values)])
        for number, (name, values) in enumerate(names.items(), 1)
    ]
    box.variants = [Variant(9001, ["Cloth", "Birthday"], PRICE)]
    ghost = box.variant(await create(platform))
    assert ghost is not None
    assert ghost.option_values == [IDENTITY, "None"]
    shown = (await platform.products(TENANT, [BOX])).value[BOX]
    assert [(option.name, option.values) for option in shown.options] == [
        ("Wrapping", ("Cloth",)),
        ("Card", ("Birthday",)),
    ]


async def test_unused_option_value_is_used_again(platform: ShopifyPlatform, box: Product) -> None:
    first = await create(platform)
    await platform.retire_ghost_variants(TENANT, BOX, [first])
    assert box.options[0].value(IDENTITY) is not None
    assert await create(platform) != first


async def test_ghost_created_by_another_process_meanwhile_is_used(
    platform: ShopifyPlatform, standin: Standin, box: Product
) -> None:
    first = await create(platform)
    unknowing = {"options": [{"name": "Title", "optionValues": []}], "variants": {"nodes": []}}
    standin.fail_next(Answered(200, {"data": {"product": unknowing}}), "GhostProduct")
    assert await create(platform) == first
    assert len(box.variants) == 2


@pytest.mark.parametrize("fault", [CutBefore(), CutAfter(), HalfBody(), server_error(502)])
async def test_ghost_is_created_once_when_the_first_call_is_in_doubt(
    platform: ShopifyPlatform, standin: Standin, box: Product, fault: object
) -> None:
    standin.fail_next(fault, "CreateVariants")  # type: ignore[arg-type]
    number = await create(platform)
    assert [variant.id for variant in box.variants[1:]] == [number]


async def test_change_that_stays_in_doubt_fails_and_a_retry_succeeds(
    platform: ShopifyPlatform, standin: Standin, box: Product
) -> None:
    standin.fail_next(server_error(500), "CreateVariants", times=2)
    with pytest.raises(PlatformFailed):
        await create(platform)
    number = await create(platform)
    assert [variant.id for variant in box.variants[1:]] == [number]


@pytest.mark.parametrize("code", ["SUBSCRIPTION_VIOLATION", None, "VARIANT_ALREADY_EXISTS"])
async def test_refused_change_fails(
    platform: ShopifyPlatform, standin: Standin, caplog: pytest.LogCaptureFixture, code: str | None
) -> None:
    result = {"productVariants": None, "userErrors": codes(code)}
    standin.fail_next(Answered(200, {"data": {"productVariantsBulkCreate": result}}), "CreateVariants")
    with pytest.raises(PlatformFailed):
        await create(platform)
    assert f"the platform refuses ghost variants: {code} (No.)" in caplog.text


async def test_response_without_the_new_variant_fails(platform: ShopifyPlatform, standin: Standin) -> None:
    result = {"product": {"updatedAt": None}, "productVariants": [], "userErrors": []}
    standin.fail_next(Answered(200, {"data": {"productVariantsBulkCreate": result}}), "CreateVariants")
    with pytest.raises(PlatformFailed):
        await create(platform)


async def test_deleted_product_gets_no_ghosts(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.products.clear()
    with pytest.raises(PlatformFailed):
        await create(platform)


async def test_daily_limit_has_a_long_retry_after(
    platform: ShopifyPlatform, standin: Standin, clock: FakeClock
) -> None:
    """After the daily limit is reached, a single call occasionally checks whether it has been lifted. The query-cost points
    remain available for reads."""
    standin.fail_next(daily_limit_reached(), "CreateVariants", times=2)
    for _ in range(2):
        standin.calls.clear()
        for waited, left in ((0, DAILY_LIMIT_SECONDS), (0, DAILY_LIMIT_SECONDS), (DAILY_LIMIT_SECONDS - 1, 1)):
            clock.move(waited)
            with pytest.raises(PlatformUnavailable) as refused:
                await create(platform)
            assert refused.value.retry_after == left
        assert standin.calls["CreateVariants"] == standin.calls["GhostProduct"] == 1
        assert (await platform.products(TENANT, [BOX])).value
        clock.move(1)
    assert await create(platform)
    assert await create(platform, ANOTHER)


async def test_retired_ghosts_are_deleted(platform: ShopifyPlatform, standin: Standin, box: Product) -> None:
    ghosts = [await create(platform, f"{number:064x}") for number in range(3)]
    await platform.retire_ghost_variants(TENANT, BOX, ghosts[:2])
    assert [variant.id for variant in box.variants[1:]] == ghosts[2:]
    assert standin.calls["DeleteVariants"] == 1


async def test_many_ghosts_are_retired_in_batches(platform: ShopifyPlatform, standin: Standin, box: Product) -> None:
    box.variants += generated.product(BOX, 601).variants[1:]
    await platform.retire_ghost_variants(TENANT, BOX, [variant.id for variant in box.variants[1:]])
    assert len(box.variants) == 1
    assert standin.calls["DeleteVariants"] == 3


async def test_missing_ghosts_do_not_prevent_deletion_of_others(
    platform: ShopifyPlatform, standin: Standin, box: Product
) -> None:
    ghosts = [await create(platform, f"{number:064x}") for number in range(3)]
    other = generated.product(7)
    standin.shop.add(other)
    await platform.retire_ghost_variants(TENANT, BOX, [ghosts[0], 77, other.variants[0].id, ghosts[2]])
    assert [variant.id for variant in box.variants[1:]] == [ghosts[1]]
    assert len(other.variants) == 1
    await platform.retire_ghost_variants(TENANT, BOX, [ghosts[0], ghosts[2]])


async def test_retiring_ghosts_of_a_deleted_product_succeeds(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.products.clear()
    await platform.retire_ghost_variants(TENANT, BOX, [1, 2])


async def test_last_variant_of_a_product_stays(platform: ShopifyPlatform, box: Product) -> None:
    with pytest.raises(PlatformFailed):
        await platform.retire_ghost_variants(TENANT, BOX, [variant.id for variant in box.variants])
    assert len(box.variants) == 1


@pytest.mark.parametrize("fault", [CutBefore(), CutAfter(), HalfBody(), server_error(504)])
async def test_retirement_in_doubt_is_retried(
    platform: ShopifyPlatform, standin: Standin, box: Product, fault: object
) -> None:
    """A deletion with an uncertain outcome is retried. Otherwise a ghost that was deleted but reported as not deleted would be
    put into carts again."""
    ghosts = [await create(platform), await create(platform, ANOTHER)]
    standin.fail_next(fault, "DeleteVariants")  # type: ignore[arg-type]
    await platform.retire_ghost_variants(TENANT, BOX, ghosts)
    assert [variant.title for variant in box.variants] == ["Default Title"]


async def test_retirement_that_stays_in_doubt_raises(platform: ShopifyPlatform, standin: Standin) -> None:
    ghost = await create(platform)
    standin.fail_next(server_error(504), "DeleteVariants", times=2)
    with pytest.raises(PlatformTimeout):
        await platform.retire_ghost_variants(TENANT, BOX, [ghost])
    await platform.retire_ghost_variants(TENANT, BOX, [ghost])


@dataclass
class FakeOwnUpdates:
    """A store that remembers the updates recorded in it. While `down` is set, the store is unavailable."""

    down: bool = False
    recorded: list[ProductUpdate] = field(default_factory=list)

    async def add(self, tenant: Tenant, update: ProductUpdate, now: int) -> None:
        if self.down:
            raise StorageUnavailable
        self.recorded.append(update)

    async def includes(self, tenant: Tenant, update: ProductUpdate) -> bool:
        return update in self.recorded


JULY = 1_782_864_000
"""2026-07-01T00:00:00Z, the update time of a new product in the stand-in. Each change to the product advances this time by one
second."""


@pytest.fixture
def own_updates() -> FakeOwnUpdates:
    return FakeOwnUpdates()


@pytest.fixture
async def recording(
    transport: HttpTransport,
    connections: FakeConnections,
    clock: FakeClock,
    sleep: FakeSleep,
    own_updates: FakeOwnUpdates,
) -> AsyncIterator[ShopifyPlatform]:
    platform = ShopifyPlatform(AdminSessions(transport, connections, RetryPolicy(clock, sleep), 10, own_updates), sleep)
    yield platform
    await platform.aclose()


async def test_times_of_our_changes_are_recorded(recording: ShopifyPlatform, own_updates: FakeOwnUpdates) -> None:
    ghost = await create(recording)
    assert own_updates.recorded == [ProductUpdate(BOX, JULY + 1)]
    await create(recording)
    assert len(own_updates.recorded) == 1, "an existing ghost variant is no change"
    await recording.retire_ghost_variants(TENANT, BOX, [ghost])
    assert own_updates.recorded == [ProductUpdate(BOX, JULY + 1), ProductUpdate(BOX, JULY + 2)]


async def test_time_of_a_change_before_ours_is_not_recorded(
    recording: ShopifyPlatform, own_updates: FakeOwnUpdates, box: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of an earlier change is not recorded as the time of our change: a merchant may have changed the product in the
    same second, or the platform may update the time late."""
    monkeypatch.setattr(Product, "touch", lambda _: None)
    ghost = await create(recording)
    await recording.retire_ghost_variants(TENANT, BOX, [ghost])
    assert len(box.variants) == 1
    assert own_updates.recorded == []


async def test_refused_changes_are_not_recorded(recording: ShopifyPlatform, own_updates: FakeOwnUpdates) -> None:
    with pytest.raises(PlatformFailed):
        await create(recording, price=Decimal(-1))
    assert own_updates.recorded == []


async def test_ghost_is_created_when_its_time_cannot_be_recorded(
    recording: ShopifyPlatform, own_updates: FakeOwnUpdates, box: Product
) -> None:
    own_updates.down = True
    assert box.variant(await create(recording)) is not None
