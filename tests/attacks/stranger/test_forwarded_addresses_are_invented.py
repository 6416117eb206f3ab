"""An attacker writes addresses into X-Forwarded-For. Only entries added by trusted proxies may be used."""

from dataclasses import replace

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.conftest import MakeApi
from tests.attacks.visitors import Visitor, page_key
from tests.conftest import MakeKey

LIMIT = 5
ATTEMPTS = 20


async def statuses(make_api: MakeApi, make_key: MakeKey, settings: Settings, forwarded: list[str]) -> list[int]:
    api = (await make_api(settings=settings)).with_key(await page_key(make_key, visitor_limit=LIMIT))
    return [(await Visitor(api, value).get()).status for value in forwarded]


REFUSED = [200] * LIMIT + [429] * (ATTEMPTS - LIMIT)


async def test_without_a_proxy_the_header_is_ignored(make_api: MakeApi, make_key: MakeKey, settings: Settings) -> None:
    invented = [f"203.0.113.{number}" for number in range(ATTEMPTS)]
    assert await statuses(make_api, make_key, settings, invented) == REFUSED


async def test_a_forgotten_setting_is_reported_once(
    make_api: MakeApi, make_key: MakeKey, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """A missing TRUSTED_PROXIES setting is reported once: without it, all visitors behind a proxy on the same host share one
    limit.

    This is not an attack, but it causes the same outage as one."""
    await statuses(make_api, make_key, settings, ["203.0.113.1"] * 3)
    (warning,) = [record.getMessage() for record in caplog.records if "TRUSTED_PROXIES" in record.getMessage()]
    assert "all visitors count as one" in warning


@pytest.mark.parametrize("proxies", [1, 2])
async def test_entries_before_the_trusted_ones_are_ignored(
    make_api: MakeApi, make_key: MakeKey, settings: Settings, proxies: int
) -> None:
    added_by_proxies = ", 192.0.2.9" + ", 10.0.0.1" * (proxies - 1)
    invented = [f"203.0.113.{number}{added_by_proxies}" for number in range(ATTEMPTS)]
    behind = replace(settings, trusted_proxies=proxies)
    assert await statuses(make_api, make_key, behind, invented) == REFUSED


async def test_entries_that_are_not_addresses_make_no_visitors(
    make_api: MakeApi, make_key: MakeKey, settings: Settings
) -> None:
    invented = [f"visitor-{number}" for number in range(ATTEMPTS)]
    assert await statuses(make_api, make_key, replace(settings, trusted_proxies=1), invented) == REFUSED
