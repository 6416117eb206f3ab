"""One visitor uses the key from a page's source to store as much as the key allows: ghost variants, configured bundles,
reminders, subscriptions. An hourly limit on each of these applies per visitor, so other visitors are not affected."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Table

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import catalogue_ghosts, configured_bundles, stock_reminders, subscriptions
from tests.api.conftest import MakeApi, Response
from tests.api.embed.conftest import SHOP_TEXT
from tests.api.selection import configure_body
from tests.api.stored import rows
from tests.attacks.visitors import EMBED_API, Visitor, page_key
from tests.conftest import MakeKey
from tests.fakes import FakeClock

ENOUGH = {"rate_limit": 100_000, "visitor_limit": 10_000}
NATIVE, WITH_GHOST, SUBSCRIBED = (f"{EMBED_API}/bundle/{number}/product" for number in (20, 30, 50))
MONTHLY = {"id": 7, "email": "mira@mail.example", "frequency": 1, "unit": "month"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, trusted_proxies=1)


async def number_of(database: Database, table: Table) -> int:
    return len(await rows(database, table))


def several(teas: int) -> Any:
    """A selection that needs its own ghost variant."""
    return configure_body(f"7001@3*{teas}", type="multiple-products")


async def visitors(make_api: MakeApi, make_key: MakeKey, shop: str | None = None) -> tuple[Visitor, Visitor]:
    """An attacker and another visitor, both with the same page key."""
    api = (await make_api(shop)).with_key(await page_key(make_key, **ENOUGH))
    return Visitor(api, "203.0.113.7"), Visitor(api, "198.51.100.1")


def check_refusal(response: Response, limit: str, retry_after: int) -> None:
    assert response.status == 429
    assert (response.code, response.json["limit"]) == ("rate_limited", limit)
    assert limit.replace("_", " ") in response.json["error"]
    assert response.headers["Retry-After"] == str(retry_after)


async def test_ghost_variants_of_a_visitor_are_limited(
    make_api: MakeApi, make_key: MakeKey, database: Database, clock: FakeClock
) -> None:
    attacker, other = await visitors(make_api, make_key)

    responses = [await attacker.post(WITH_GHOST, several(number)) for number in range(1, 51)]

    assert [response.status for response in responses] == [200] * 30 + [429] * 20
    check_refusal(responses[-1], "ghost_variants", retry_after=120)
    assert await number_of(database, catalogue_ghosts) == 30
    (await other.post(WITH_GHOST, several(60))).held()
    (await attacker.post(WITH_GHOST, several(1))).held()  # an existing variant is returned
    clock.move(120)
    (await attacker.post(WITH_GHOST, several(61))).held()
    check_refusal(await attacker.post(WITH_GHOST, several(62)), "ghost_variants", retry_after=120)


async def test_configured_bundles_of_a_visitor_are_limited(
    make_api: MakeApi, make_key: MakeKey, database: Database
) -> None:
    attacker, other = await visitors(make_api, make_key)

    responses = [await attacker.post(NATIVE, configure_body("7001@3")) for _ in range(130)]

    assert [response.status for response in responses] == [200] * 120 + [429] * 10
    check_refusal(responses[-1], "configured_bundles", retry_after=30)
    assert await number_of(database, configured_bundles) == 120
    (await other.post(NATIVE, configure_body("7001@3"))).held()


async def test_subscriptions_of_a_visitor_are_limited(make_api: MakeApi, make_key: MakeKey, database: Database) -> None:
    attacker, other = await visitors(make_api, make_key)
    body = configure_body("7001@3", subscription=MONTHLY)

    responses = [await attacker.post(SUBSCRIBED, body) for _ in range(30)]

    assert [response.status for response in responses] == [200] * 20 + [429] * 10
    check_refusal(responses[-1], "subscriptions", retry_after=180)
    assert await number_of(database, subscriptions) == 20
    (await other.post(SUBSCRIBED, body)).held()


async def test_reminders_of_a_visitor_are_limited(make_api: MakeApi, make_key: MakeKey, database: Database) -> None:
    attacker, other = await visitors(make_api, make_key, SHOP_TEXT)

    async def remind(visitor: Visitor, number: int) -> Response:
        body = {"variant": "2002", "customer_email": f"{number}@mail.example", "bundle_name": "Everything"}
        return await visitor.post(f"{EMBED_API}/notify", body)

    responses = [await remind(attacker, number) for number in range(30)]

    assert [response.status for response in responses] == [200] * 20 + [429] * 10
    check_refusal(responses[-1], "reminders", retry_after=180)
    assert await number_of(database, stock_reminders) == 20
    (await remind(other, 100)).held()


async def test_a_refusal_by_one_limit_takes_nothing_from_the_others(
    make_api: MakeApi, make_key: MakeKey, settings: Settings
) -> None:
    tight = replace(settings, visitor_subscriptions=1, visitor_configured_bundles=3, visitor_ghost_variants=2)
    api = (await make_api(settings=tight)).with_key(await page_key(make_key, **ENOUGH))
    visitor = Visitor(api, "203.0.113.7")
    subscribed = configure_body("7001@3", subscription=MONTHLY)

    (await visitor.post(SUBSCRIBED, subscribed)).held()
    for _ in range(10):
        assert (await visitor.post(SUBSCRIBED, subscribed)).json["limit"] == "subscriptions"
    for number in (1, 2):
        (await visitor.post(WITH_GHOST, several(number))).held()  # the second and third configured bundle
    refused = await visitor.post(WITH_GHOST, several(3))

    assert refused.json["limit"] in {"ghost_variants", "configured_bundles"}


async def test_a_refused_configure_creates_no_ghost_variant(
    make_api: MakeApi, make_key: MakeKey, settings: Settings, database: Database
) -> None:
    api = await make_api(settings=replace(settings, visitor_configured_bundles=1))
    visitor = Visitor(api.with_key(await page_key(make_key, **ENOUGH)), "203.0.113.7")
    (await visitor.post(NATIVE, configure_body("7001@3"))).held()

    for number in range(1, 10):
        check_refusal(await visitor.post(WITH_GHOST, several(number)), "configured_bundles", retry_after=3600)

    assert await number_of(database, catalogue_ghosts) == 0


async def test_a_replay_and_a_failed_request_cost_nothing(
    make_api: MakeApi, make_key: MakeKey, settings: Settings
) -> None:
    api = await make_api(settings=replace(settings, visitor_configured_bundles=2))
    visitor = Visitor(api.with_key(await page_key(make_key, **ENOUGH)), "203.0.113.7")
    first = await visitor.post(NATIVE, configure_body("7001@3"), {"Idempotency-Key": "order-1"})
    for _ in range(10):
        again = await visitor.post(NATIVE, configure_body("7001@3"), {"Idempotency-Key": "order-1"})
        assert (again.status, again.body) == (200, first.body)
        assert (await visitor.post(NATIVE, configure_body("9999@3"))).status == 400

    statuses = [(await visitor.post(NATIVE, configure_body("7001@3"))).status for _ in range(2)]

    assert statuses == [200, 429]


async def test_a_key_without_a_visitor_limit_has_no_such_limits(make_api: MakeApi, make_key: MakeKey) -> None:
    """A key without a visitor limit has no hourly limits either, because it is used by a server, which sends the requests of all
    shoppers from one address."""
    api = (await make_api()).with_key(await make_key(rate_limit=100_000))
    server = Visitor(api, "203.0.113.7")

    statuses = {(await server.post(NATIVE, configure_body("7001@3"))).status for _ in range(130)}

    assert statuses == {200}
