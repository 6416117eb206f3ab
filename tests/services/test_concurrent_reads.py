"""Two independent reads from a live platform run concurrently. If both fail, the error of the first one is raised."""

import asyncio

import pytest

from bundlesvc.domain.errors import NotFound, PlatformFailed
from bundlesvc.domain.shop import EMBEDDED, SHOPIFY, PlatformLink, Shop, Tenant
from bundlesvc.services.concurrent_reads import read_both


def shop_on(kind: str) -> Tenant:
    link = PlatformLink() if kind == EMBEDDED else PlatformLink(kind, "demo.myshopify.com")
    return Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), link, (), None))


LIVE = shop_on(SHOPIFY)


async def test_reads_from_a_live_platform_run_at_the_same_time() -> None:
    begun = asyncio.Event()

    async def first() -> int:
        await begun.wait()
        return 1

    async def second() -> str:
        begun.set()
        return "two"

    assert await asyncio.wait_for(read_both(LIVE, first, second), 60) == (1, "two")


async def test_reads_from_the_embedded_platform_follow_one_another() -> None:
    """Reads from the embedded platform run one after another: none needs a call to a live platform, and a task would cost more
    than the read."""
    order: list[str] = []

    async def read(name: str) -> None:
        order.append(f"{name} begins")
        await asyncio.sleep(0)
        order.append(f"{name} ends")

    await read_both(shop_on(EMBEDDED), lambda: read("first"), lambda: read("second"))
    assert order == ["first begins", "first ends", "second begins", "second ends"]


@pytest.mark.parametrize("kind", [EMBEDDED, SHOPIFY])
async def test_the_first_error_counts(kind: str) -> None:
    async def fails(error: Exception) -> None:
        raise error

    async def works() -> None:
        """Do nothing, and succeed."""

    with pytest.raises(PlatformFailed):
        await read_both(shop_on(kind), lambda: fails(PlatformFailed()), lambda: fails(NotFound()))
    with pytest.raises(NotFound):
        await read_both(shop_on(kind), works, lambda: fails(NotFound()))


async def test_the_second_read_is_given_up_when_the_first_fails() -> None:
    ended: list[str] = []

    async def fails() -> None:
        await asyncio.sleep(0)
        raise PlatformFailed

    async def hangs() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("second")

    with pytest.raises(PlatformFailed):
        await read_both(LIVE, fails, hangs)
    assert ended == ["second"]
