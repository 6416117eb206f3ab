"""An attacker changes the source address with every request. Within one customer's /64 network, this must not help."""

from dataclasses import replace

import pytest

from bundlesvc.services.access.authentication import GUESSES_PER_MINUTE
from bundlesvc.settings.environment import Settings
from tests.api.conftest import MakeApi
from tests.attacks.visitors import SETTINGS, Visitor, page_key
from tests.conftest import MakeKey


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, trusted_proxies=1)


async def test_an_ipv6_network_is_one_visitor(make_api: MakeApi, make_key: MakeKey) -> None:
    api = (await make_api()).with_key(await page_key(make_key))
    same = [Visitor(api, f"2001:db8:1:2:{number:x}::{number:x}") for number in range(1, 151)]
    neighbour = Visitor(api, "2001:db8:1:3::1")

    statuses = [(await visitor.get()).status for visitor in same]

    assert statuses == [200] * 100 + [429] * 50
    assert (await neighbour.get()).status == 200


async def test_an_ipv4_address_inside_ipv6_is_the_same_visitor(make_api: MakeApi, make_key: MakeKey) -> None:
    api = (await make_api()).with_key(await page_key(make_key, visitor_limit=2))
    written = ["203.0.113.7", "::ffff:203.0.113.7", "::ffff:cb00:7107", "203.0.113.7:4711"]

    statuses = [(await Visitor(api, address).get()).status for address in written]

    assert statuses == [200, 200, 429, 429]
    assert (await Visitor(api, "::ffff:203.0.113.8").get()).status == 200


async def test_an_ipv6_network_may_guess_as_often_as_one_address(make_api: MakeApi) -> None:
    api = (await make_api()).with_key(None)

    async def guess(address: str) -> int:
        return (await api.get(SETTINGS, {"Authorization": "Bearer x", "X-Forwarded-For": address})).status

    statuses = [await guess(f"2001:db8:1:2::{number:x}") for number in range(GUESSES_PER_MINUTE + 5)]

    assert statuses == [403] * GUESSES_PER_MINUTE + [429] * 5
    assert await guess("2001:db8:1:3::1") == 403
