"""A slow platform: no request waits longer than the timeout, and the fetches that a request has started serve later requests
(docs/contract.md#live-data)."""

import asyncio
import time
from pathlib import Path

import aiohttp

from tests.failures.service import Setup, started
from tests.process.serving import BASE
from tests.process.shop import BOX
from tests.standin.faults import Delayed

HANDLE = "slow"
SECONDS = 4.0
RESPONSE_SECONDS = 1.6
"""The time in seconds that each response takes. A list with prices needs three responses in a row, and prices alone need two."""

SLACK = 3.0


async def statuses(address: str, key: str, countries: list[str]) -> tuple[list[int], float]:
    """Request a product list with prices in each of these countries, one after another over one connection. Returns the statuses,
    and the seconds that the slowest request took."""
    longest, found = 0.0, []
    connector = aiohttp.TCPConnector(limit=1)
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {key}"}, connector=connector) as session:
        for country in countries:
            begun = time.monotonic()
            async with session.get(f"{address}{BASE}/bundles/{BOX}/products?countryCode={country}") as response:
                await response.read()
            found.append(response.status)
            longest = max(longest, time.monotonic() - begun)
    return found, longest


def test_requests_to_a_slow_platform_have_a_timeout_each(tmp_path: Path) -> None:
    """Each request has its own timeout, even when requests share a connection."""
    setup = Setup.prepared([HANDLE], tmp_path)
    with started(setup, {"BUNDLESVC_PLATFORM_TIMEOUT": str(SECONDS)}) as service:
        service.platform.fail({setup.shops[HANDLE].token: Delayed(RESPONSE_SECONDS)})
        key = setup.shops[HANDLE].key
        found, longest = asyncio.run(statuses(service.server.address, key, ["US", "US", "JP", "US", "DE"]))
        assert found == [504, 200, 200, 200, 200]
        assert longest < SECONDS + SLACK
        assert {service.platform.calls[each] for each in ("ShopSettings", "ProductsById")} == {1}
        assert service.end() == []
