"""The tokens that a request pays to create a ghost variant, configured bundle, reminder or subscription. The tokens for results
that are known in advance are refunded if the request fails, and all tokens if another request created the results."""

from typing import cast

import pytest

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import EMBED, ApiKey
from bundlesvc.domain.errors import RateLimited, StorageUnavailable
from bundlesvc.domain.rate_limit import CONFIGURED_BUNDLES, GHOST_VARIANTS, REMINDERS, SUBSCRIPTIONS
from bundlesvc.domain.shop import Tenant
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.services.access.rate_limits import CostlyResults, TokenPayment
from tests.fakes import FakeClock

KEY = ApiKey(7, 1, "", "bnd_live_0000000", "", False, (EMBED,), (), 6000, True, 0, visitor_limit=100)
TENANT = cast("Tenant", None)
HERE, ELSEWHERE = Caller(KEY, TENANT, "203.0.113.7"), Caller(KEY, TENANT, "198.51.100.1")
ANYBODY = Caller(KEY, TENANT)


@pytest.fixture
def costly(clock: FakeClock) -> CostlyResults:
    limits = {GHOST_VARIANTS: 3, CONFIGURED_BUNDLES: 2, REMINDERS: 1, SUBSCRIPTIONS: 1}
    return CostlyResults(MemoryBuckets(clock), limits)


async def left(costly: CostlyResults, result: str, caller: Caller = HERE) -> int:
    """Return the number of costly results of the kind `result` that the caller may still create, and use up the tokens for
    them."""
    for number in range(100):
        try:
            async with costly.charge(caller, result) as payment:
                await payment.pay()
        except RateLimited:
            return number
    return 100


async def test_due_results_are_paid_once(costly: CostlyResults) -> None:
    async with costly.charge(HERE, CONFIGURED_BUNDLES, SUBSCRIPTIONS) as payment:
        for _ in range(5):
            await payment.pay()
    assert await left(costly, CONFIGURED_BUNDLES) == 1
    assert await left(costly, SUBSCRIPTIONS) == 0


async def test_every_ghost_variant_costs_a_token(costly: CostlyResults) -> None:
    await pay_for_ghosts(costly, 2)
    assert await left(costly, GHOST_VARIANTS) == 1
    assert await left(costly, CONFIGURED_BUNDLES) == 1


async def pay_for_ghosts(costly: CostlyResults, number: int) -> None:
    async with costly.charge(HERE, CONFIGURED_BUNDLES) as payment:
        for _ in range(number):
            await payment.pay(GHOST_VARIANTS)


async def test_a_charge_without_a_payment_costs_nothing(costly: CostlyResults) -> None:
    async with costly.charge(HERE, CONFIGURED_BUNDLES):
        pass
    assert await left(costly, CONFIGURED_BUNDLES) == 2


async def test_each_visitor_has_its_own_limit(costly: CostlyResults) -> None:
    assert await left(costly, REMINDERS, HERE) == 1
    assert await left(costly, REMINDERS, ELSEWHERE) == 1


async def test_a_caller_without_a_visitor_pays_nothing(costly: CostlyResults) -> None:
    assert await left(costly, REMINDERS, ANYBODY) == 100


async def test_a_result_without_a_limit_costs_nothing(clock: FakeClock) -> None:
    assert await left(CostlyResults(MemoryBuckets(clock), {}), REMINDERS) == 100


async def test_a_refusal_names_the_limit_and_takes_nothing_from_other_limits(costly: CostlyResults) -> None:
    await left(costly, SUBSCRIPTIONS)
    for _ in range(10):
        with pytest.raises(RateLimited) as refused:
            async with costly.charge(HERE, CONFIGURED_BUNDLES, SUBSCRIPTIONS) as payment:
                await payment.pay(GHOST_VARIANTS)
        assert (refused.value.limit, refused.value.retry_after) == (SUBSCRIPTIONS, 3600)
    assert await left(costly, GHOST_VARIANTS) == 3
    assert await left(costly, CONFIGURED_BUNDLES) == 2


async def test_a_late_refusal_gives_back_what_was_due_and_keeps_what_was_made(costly: CostlyResults) -> None:
    with pytest.raises(RateLimited):
        await pay_for_ghosts(costly, 4)
    assert await left(costly, GHOST_VARIANTS) == 0
    assert await left(costly, CONFIGURED_BUNDLES) == 2


async def test_a_failure_gives_back_what_was_due(costly: CostlyResults) -> None:
    async def fail(payment: TokenPayment) -> None:
        await payment.pay(GHOST_VARIANTS)
        raise StorageUnavailable

    for _ in range(3):
        with pytest.raises(StorageUnavailable):
            async with costly.charge(HERE, CONFIGURED_BUNDLES) as payment:
                await fail(payment)
    assert await left(costly, GHOST_VARIANTS) == 0
    assert await left(costly, CONFIGURED_BUNDLES) == 2


async def test_a_result_created_by_another_request_is_refunded(costly: CostlyResults) -> None:
    async with costly.charge(HERE, CONFIGURED_BUNDLES) as payment:
        await payment.pay(GHOST_VARIANTS)
        await payment.give_back()
    assert await left(costly, GHOST_VARIANTS) == 3
    assert await left(costly, CONFIGURED_BUNDLES) == 2
