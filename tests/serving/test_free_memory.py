"""Free memory is returned to the operating system. The tests measure this in a separate process."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from aiohttp.test_utils import make_mocked_request

from bundlesvc.api.response_cache.cache import IDLE_PERIODS, ResponseCache
from bundlesvc.api.response_cache.entry import RenderKey
from bundlesvc.api.response_cache.freshness import PRODUCTS_FRESHNESS
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.serving.free_memory import LARGE, _of_c_library, give_back, give_back_large_blocks
from tests.fakes import FakeClock

pytestmark = pytest.mark.process

COUNT = 3000
MEBIBYTE = 2**20
BLOCKS = 20

needs_glibc = pytest.mark.skipif(_of_c_library("mallopt") is None, reason="the C library has nothing to ask")


def resident() -> float:
    """Return the resident memory of this process in MiB."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEBIBYTE


async def dropped_responses() -> list[float]:
    """Measure the memory three times: at the start, when the cache is full, and after the cache has evicted its unused
    entries."""
    tenant = Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), PlatformLink(), (), None))
    rendered, request = ResponseCache(FakeClock()), make_mocked_request("GET", "/")
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


def large_blocks(*, given_back: bool) -> list[float]:
    """Measure the memory of the process at the start, and after large blocks have been freed while small blocks between them are
    still in use. With `given_back`, the process returns large blocks to the system when they are freed."""
    if given_back:
        give_back_large_blocks()
    bytearray(4 * LARGE)  # raises glibc's own limit above the size of the blocks
    start = resident()
    held = [(bytearray(LARGE + 1), bytearray(LARGE // 32)) for _ in range(BLOCKS)]
    small = [each for _, each in held]
    held.clear()
    return [start, resident(), len(small)]


MEASURES: dict[str, Callable[[], list[float]]] = {
    "dropped responses": lambda: asyncio.run(dropped_responses()),
    "large blocks": lambda: large_blocks(given_back=False),
    "large blocks, given back": lambda: large_blocks(given_back=True),
}


def measured(name: str) -> list[float]:
    """Run a measurement in a new process, and return the measured values."""
    run = subprocess.run(
        [sys.executable, "-m", __name__, name], capture_output=True, check=True, text=True, timeout=120
    )
    found: list[float] = orjson.loads(run.stdout)
    print({name: found})  # noqa: T201 - for information
    return found


@needs_glibc
def test_dropped_responses_give_their_memory_back() -> None:
    start, full, idle = measured("dropped responses")
    assert full - start > 40
    assert idle - start < (full - start) / 4


@needs_glibc
def test_freed_large_blocks_leave_the_process() -> None:
    start, end, _ = measured("large blocks")
    assert end - start > BLOCKS * LARGE / MEBIBYTE / 2, "otherwise this test shows nothing"
    start, end, _ = measured("large blocks, given back")
    assert end - start < BLOCKS * LARGE / MEBIBYTE / 4


if __name__ == "__main__":
    print(orjson.dumps(MEASURES[sys.argv[1]]()).decode())  # noqa: T201 - read by the test
