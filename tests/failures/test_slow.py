"""A platform that is slow, and otherwise well: no request waits for longer than it may, and the next ones find what it asked
for (design 13 and 16)."""

import asyncio
import time
from pathlib import Path

import aiohttp

from tests.failures.stage import Ground, staged
from tests.process.serving import BASE
from tests.process.shop import BOX
from tests.standin.faults import Delayed

HANDLE = "slow"
SECONDS = 2.0
AN_ANSWER = 0.8
"""Seconds that each answer takes: a list with prices needs four, one after another, and the prices alone two."""

SLACK = 1.2


async def statuses(address: str, key: str, countries: list[str]) -> tuple[list[int], float]:
    """Of a list with prices in each of these countries, asked for one after another over one connection; and how many seconds
    the slowest took."""
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


def test_a_slow_platform(tmp_path: Path) -> None:
    """Each request has the time anew, though they share a connection."""
    ground = Ground.laid_out([HANDLE], tmp_path)
    with staged(ground, {"BUNDLESVC_PLATFORM_TIMEOUT": str(SECONDS)}) as stage:
        stage.platform.fail({ground.shops[HANDLE].token: Delayed(AN_ANSWER)})
        key = ground.shops[HANDLE].key
        found, longest = asyncio.run(statuses(stage.server.address, key, ["US", "US", "JP", "US", "DE"]))
        assert found == [504, 200, 200, 200, 200]
        assert longest < SECONDS + SLACK
        assert {stage.platform.asked[each] for each in ("ShopSettings", "ProductsById")} == {1}
        assert stage.end() == []
