"""Ghost variants requested at the same moment are created in one call (docs/contract.md#ghost-variants)."""

import asyncio
from collections.abc import Mapping, Sequence
from decimal import Decimal

import pytest

from bundlesvc.domain.errors import GhostVariantsFull, PlatformFailed
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.catalogue.ghost_batches import MAX_BATCH, GhostBatches, Outcome
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.platforms.shopify.box import BOX, PRICE, box, standin_shop
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data.shop import Product
from tests.standin.faults import CutAfter, CutBefore, server_error
from tests.standin.server import Standin

__all__ = ["box", "standin_shop"]


def identities(count: int) -> list[str]:
    return [f"{number:064x}" for number in range(count)]


async def create(
    platform: ShopifyPlatform, values: Sequence[str], prices: Mapping[str, Decimal] = {}
) -> list[int | BaseException]:
    """Create ghost variants concurrently. Returns the id of each variant, or the error raised for it."""
    ghosts = (platform.create_ghost_variant(TENANT, BOX, value, prices.get(value, PRICE)) for value in values)
    return await asyncio.gather(*ghosts, return_exceptions=True)


def made(box: Product) -> dict[str, int]:
    """Return the ids of the product's ghost variants, by option value."""
    return {variant.option_values[0]: variant.id for variant in box.variants[1:]}


async def test_many_ghosts_take_few_calls(platform: ShopifyPlatform, standin: Standin, box: Product) -> None:
    values = identities(3 * MAX_BATCH)
    found = await create(platform, values)
    assert dict(zip(values, found, strict=True)) == made(box)
    assert standin.calls["CreateVariants"] == standin.calls["GhostProduct"] == 3


async def test_each_ghost_has_its_own_price(platform: ShopifyPlatform, box: Product) -> None:
    values = identities(5)
    prices = {value: Decimal(number + 1) for number, value in enumerate(values)}
    await create(platform, values, prices)
    assert {variant.option_values[0]: variant.price for variant in box.variants[1:]} == prices


async def test_ghosts_that_exist_are_found_beside_new_ones(
    platform: ShopifyPlatform, neighbour: ShopifyPlatform, box: Product
) -> None:
    values = identities(6)
    earlier = await create(neighbour, values[:3])
    assert (await create(platform, values))[:3] == earlier
    assert len(made(box)) == 6


async def test_a_ghost_that_is_refused_fails_alone(platform: ShopifyPlatform, standin: Standin, box: Product) -> None:
    values = identities(8)
    found = await create(platform, values, {values[3]: Decimal(-1)})
    assert type(found[3]) is PlatformFailed
    assert [*found[:3], *found[4:]] == [made(box)[value] for value in values if value != values[3]]
    assert standin.calls["CreateVariants"] == 3


async def test_a_product_takes_the_ghosts_that_it_has_room_for(
    platform: ShopifyPlatform, standin: Standin, box: Product
) -> None:
    standin.shop.max_variants = 4
    found = await create(platform, identities(8))
    assert [each for each in found if isinstance(each, int)] == list(made(box).values())
    assert len(made(box)) == 3
    assert {type(each) for each in found} == {int, GhostVariantsFull}


@pytest.mark.parametrize("fault", [CutBefore(), CutAfter()])
async def test_a_batch_in_doubt_makes_no_ghost_twice(
    platform: ShopifyPlatform, standin: Standin, box: Product, fault: CutBefore | CutAfter
) -> None:
    standin.fail_next(fault, "CreateVariants")
    values = identities(5)
    assert await create(platform, values) == [made(box)[value] for value in values]
    assert len(box.variants) == 6


async def test_a_batch_that_fails_can_be_created_later(
    platform: ShopifyPlatform, standin: Standin, box: Product
) -> None:
    standin.fail_next(server_error(500), "CreateVariants", times=2)
    values = identities(5)
    assert {type(each) for each in await create(platform, values)} == {PlatformFailed}
    assert await create(platform, values) == [made(box)[value] for value in values]
    assert len(box.variants) == 6


class Calls:
    """Creates ghost variants as soon as `allowed` is set, and records the batches."""

    def __init__(self) -> None:
        self.batches: list[tuple[int, list[str]]] = []
        self.allowed = asyncio.Event()

    async def create(self, tenant: Tenant, product_id: int, wanted: Mapping[str, Decimal]) -> Mapping[str, Outcome]:
        self.batches.append((product_id, list(wanted)))
        await self.allowed.wait()
        return dict.fromkeys(wanted, product_id)


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_those_who_come_during_a_call_share_the_next(platform: ShopifyPlatform) -> None:
    """Requests that arrive during a call share the next call. Requests for different products do not wait for each other."""
    calls = Calls()
    batches = GhostBatches(calls.create)
    waiting = [asyncio.create_task(batches.ghost(TENANT, 1, "a", PRICE))]
    await settle()
    waiting += [asyncio.create_task(batches.ghost(TENANT, 1, value, PRICE)) for value in "bcb"]
    waiting.append(asyncio.create_task(batches.ghost(TENANT, 2, "d", PRICE)))
    await settle()
    assert calls.batches == [(1, ["a"]), (2, ["d"])]
    calls.allowed.set()
    assert await asyncio.gather(*waiting) == [1, 1, 1, 1, 2]
    assert calls.batches == [(1, ["a"]), (2, ["d"]), (1, ["b", "c"])]


async def test_a_caller_that_leaves_takes_nothing_from_others() -> None:
    calls = Calls()
    batches = GhostBatches(calls.create)
    leaving, staying = (asyncio.create_task(batches.ghost(TENANT, 1, value, PRICE)) for value in "ab")
    await settle()
    leaving.cancel()
    calls.allowed.set()
    assert await staying == 1


async def test_closing_ends_what_waits() -> None:
    calls = Calls()
    batches = GhostBatches(calls.create)
    under_way = asyncio.create_task(batches.ghost(TENANT, 1, "a", PRICE))
    await settle()
    behind = asyncio.create_task(batches.ghost(TENANT, 1, "b", PRICE))
    await settle()
    await batches.aclose()
    for each in (under_way, behind):
        with pytest.raises(asyncio.CancelledError):
            await each
