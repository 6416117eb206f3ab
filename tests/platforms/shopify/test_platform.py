"""The complete Shopify adapter: the errors that callers get when the platform fails, and how calls to the platform are
limited."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from typing import Any

import pytest

from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.platforms.calls.circuit_breaker import COOL_DOWN, THRESHOLD
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.shopify.client.retrying_client import DENIED_SECONDS
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.platforms.shopify.client.transport import HttpTransport
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.domain.builders import variant
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import DOMAIN, TENANT, FakeConnections, FakeSleep
from tests.standin.data import generated
from tests.standin.faults import (
    Answered,
    CutBefore,
    Fault,
    HalfBody,
    Held,
    internal_failure,
    out_of_points,
    refused,
    server_error,
)
from tests.standin.server import TOKEN, Standin

TERMS = MarketTerms("EUR", Decimal(0), Decimal(1), "gid://shopify/PriceList/1")
FETCHES: Mapping[str, Callable[[ShopifyPlatform], Awaitable[object]]] = {
    "shop": lambda platform: platform.shop(TENANT),
    "products": lambda platform: platform.products(TENANT, [1]),
    "market_prices": lambda platform: platform.market_prices(TENANT, [variant()], "DE"),
    "variant": lambda platform: platform.variant(TENANT, 11),
    "product_by_handle": lambda platform: platform.product_by_handle(TENANT, "shirt"),
    "handle_of": lambda platform: platform.handle_of(TENANT, 1),
    "languages": lambda platform: platform.languages(TENANT),
    "translations": lambda platform: platform.translations(TENANT, [1], "de"),
    "selling_plans": lambda platform: platform.selling_plans(TENANT, [1]),
    "market_terms": lambda platform: platform.market_terms(TENANT, "DE"),
    "set_ghost_price": lambda platform: platform.set_ghost_price(TENANT, 11, TERMS, Decimal(1)),
    "create_ghost_variant": lambda platform: platform.create_ghost_variant(TENANT, 1, "ab", Decimal(1)),
    "retire_ghost_variants": lambda platform: platform.retire_ghost_variants(TENANT, 1, [11]),
}
ALL = pytest.mark.parametrize("fetch", FETCHES.values(), ids=FETCHES)


@ALL
async def test_shop_without_a_token_is_not_connected(
    platform: ShopifyPlatform,
    connections: FakeConnections,
    standin: Standin,
    fetch: Callable[[ShopifyPlatform], Awaitable[object]],
) -> None:
    connections.connection = None
    with pytest.raises(PlatformNotConnected):
        await fetch(platform)
    assert standin.requests == []


@ALL
@pytest.mark.parametrize(
    "content", [{}, {"nodes": None}, {"nodes": [1]}, {"shop": {}, "marketsResolvedValues": {}, "product": []}]
)
async def test_malformed_responses_are_failures(
    platform: ShopifyPlatform,
    standin: Standin,
    fetch: Callable[[ShopifyPlatform], Awaitable[object]],
    content: Any,
) -> None:
    standin.fail_next(Answered(200, {"data": content}), times=None)
    with pytest.raises(PlatformFailed):
        await fetch(platform)


@pytest.mark.parametrize(
    ("fault", "raised"),
    [
        (server_error(500), PlatformFailed),
        (server_error(503), PlatformUnavailable),
        (server_error(504), PlatformTimeout),
        (refused(401), PlatformNotConnected),
        (refused(403), PlatformFailed),
        (out_of_points(), PlatformUnavailable),
        (out_of_points(429), PlatformUnavailable),
        (internal_failure(), PlatformFailed),
        (CutBefore(), PlatformUnavailable),
        (HalfBody(), PlatformFailed),
        (Answered(200, b'{"data": {'), PlatformFailed),
        (Answered(200, b"<html>"), PlatformFailed),
    ],
)
async def test_platform_that_fails_and_recovers(
    platform: ShopifyPlatform, standin: Standin, clock: FakeClock, fault: Fault, raised: type[Unavailable]
) -> None:
    """Calls resume well within ten seconds after the platform has recovered."""
    standin.shop.add(generated.product(1))
    standin.fail_next(fault, times=None)
    for _ in range(THRESHOLD):
        with pytest.raises(Unavailable) as failure:
            await platform.products(TENANT, [1])
        assert type(failure.value) in (raised, PlatformUnavailable)
    standin.heal()
    clock.move(COOL_DOWN)
    assert (await platform.products(TENANT, [1])).value


@pytest.mark.parametrize("fault", [server_error(503), internal_failure(), CutBefore(), HalfBody(), out_of_points()])
async def test_passing_fault_is_not_noticed(platform: ShopifyPlatform, standin: Standin, fault: Fault) -> None:
    standin.shop.add(generated.product(1))
    standin.fail_next(fault, times=2)
    assert (await platform.products(TENANT, [1])).value


async def test_platform_that_hangs_times_out(
    transport: HttpTransport, connections: FakeConnections, standin: Standin, clock: FakeClock, sleep: FakeSleep
) -> None:
    platform = ShopifyPlatform(
        AdminSessions(transport, connections, RetryPolicy(clock, sleep, lambda: 1.0), timeout=0.05), sleep
    )
    standin.fail_next(Held(), times=None)
    with pytest.raises(PlatformTimeout):
        await platform.products(TENANT, [1])


async def test_all_calls_of_a_session_share_its_deadline(
    platform: ShopifyPlatform, standin: Standin, sleep: FakeSleep
) -> None:
    """All calls of a session share its deadline: the first page waits six seconds for points, which leaves four seconds for the
    second page."""
    standin.shop.add(generated.product(1, 101))
    standin.fail_next(Answered(429, b"", {"Retry-After": "6"}), "ProductsById")
    standin.fail_next(Answered(429, b"", {"Retry-After": "5"}), "VariantsPage")
    with pytest.raises(PlatformUnavailable) as failure:
        await platform.products(TENANT, [1])
    assert failure.value.retry_after == 5
    assert sleep.waits == [6.0]


async def test_many_fetches_wait_for_points_and_all_succeed(
    platform: ShopifyPlatform, standin: Standin, sleep: FakeSleep
) -> None:
    standin.bucket_size = 200
    standin.shop.add(*generated.products(12))
    await platform.products(TENANT, [1])
    found = await asyncio.gather(*(platform.products(TENANT, [number]) for number in range(1, 13)))
    assert [list(reading.value) for reading in found] == [[number] for number in range(1, 13)]
    assert standin.calls["ProductsById"] == 13


@pytest.mark.parametrize("status", [401, 402, 403, 423])
async def test_shop_that_refuses_gets_one_call_until_it_is_connected_again(
    platform: ShopifyPlatform, connections: FakeConnections, standin: Standin, status: int
) -> None:
    """After a shop has refused a call, no more calls are sent until the pause ends or the shop is connected again. So when a
    frozen shop becomes active again, its operator can connect it again instead of waiting."""
    standin.shop.add(generated.product(1))
    standin.fail_next(refused(status), times=None)
    for fetch in FETCHES.values():
        with pytest.raises(Unavailable):
            await fetch(platform)
    assert len(standin.requests) == 1
    standin.heal()
    standin.tokens.add("another token")
    connections.connection = PlatformConnection(DOMAIN, "another token")
    assert (await platform.products(TENANT, [1])).value


async def test_data_without_scope_is_tried_now_and_then(
    platform: ShopifyPlatform, connections: FakeConnections, standin: Standin, clock: FakeClock
) -> None:
    """Data for which the app lacks a scope is requested again occasionally, because the scope may have been granted in the
    meantime. Other data is still fetched."""
    standin.shop.add(generated.product(1))
    standin.missing_scopes.add("read_markets")
    for _ in range(2):
        standin.calls.clear()
        for _ in range(50):
            with pytest.raises(PlatformFailed):
                await platform.market_terms(TENANT, "DE")
        assert standin.calls == {"ResolvedMarket": 1}
        with pytest.raises(PlatformFailed):
            await platform.market_terms(TENANT, "FR")
        assert standin.calls == {"ResolvedMarket": 2}, "another country may need other scopes"
        assert (await platform.products(TENANT, [1])).value
        clock.move(DENIED_SECONDS)
    with pytest.raises(PlatformFailed):
        await platform.market_terms(TENANT, "DE")
    standin.missing_scopes.clear()
    standin.tokens.add("another token")
    connections.connection = PlatformConnection(DOMAIN, "another token")
    assert (await platform.market_terms(TENANT, "DE")).adjustment == 0


async def test_a_failing_product_cancels_the_others(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.add(*(generated.product(number, 101) for number in (1, 2, 3)))
    standin.fail_next(refused(403), "VariantsPage")
    with pytest.raises(PlatformFailed):
        await platform.products(TENANT, [1, 2, 3])


async def test_each_shop_has_its_own_bucket_and_circuit_breaker(
    platform: ShopifyPlatform, connections: FakeConnections, standin: Standin
) -> None:
    standin.shop.add(generated.product(1))
    standin.fail_next(server_error(503), times=THRESHOLD)
    for _ in range(2):
        with pytest.raises(PlatformUnavailable):
            await platform.products(TENANT, [1])
    connections.connection = PlatformConnection("other.myshopify.com", TOKEN)
    assert (await platform.products(TENANT, [1])).value
