"""The memory of rendered responses that nobody uses goes back to the system. A process of its own is measured, not a counter."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from aiohttp.test_utils import make_mocked_request

from bundlesvc.api.get_cache import IDLE_PERIODS, PRODUCTS_FRESHNESS, RenderedGets, RenderKey
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.serving.free_memory import _trim, give_back
from tests.fakes import FakeClock

pytestmark = pytest.mark.process

COUNT = 3000


def resident() -> float:
    """The resident memory of this process (MiB)."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def measure() -> list[float]:
    """The memory at the start, with a full cache, and after the cache has dropped what nobody used."""
    tenant = Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), PlatformLink(), (), None))
    rendered, request = RenderedGets(FakeClock()), make_mocked_request("GET", "/")
    found = [resident()]
    for number in range(COUNT):

        async def render() -> Reading[object]:
            return Reading(os.urandom(3000).hex())

        await rendered.respond(request, tenant, RenderKey("route", number), PRODUCTS_FRESHNESS, render)
    found.append(resident())
    for _ in range(IDLE_PERIODS + 1):
        rendered.expire()
    give_back()
    return [*found, resident()]


@pytest.mark.skipif(_trim() is None, reason="the C library has nothing to ask")
def test_dropped_responses_give_their_memory_back() -> None:
    run = subprocess.run([sys.executable, "-m", __name__], capture_output=True, check=True, text=True, timeout=120)
    start, full, idle = orjson.loads(run.stdout)
    print({"start": start, "full": full, "idle": idle})  # noqa: T201 - to look at
    assert full - start > 40
    assert idle - start < (full - start) / 4


if __name__ == "__main__":
    print(orjson.dumps(asyncio.run(measure())).decode())  # noqa: T201 - read by the test
