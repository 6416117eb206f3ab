"""A live platform's languages are cached, and so are its translated texts, separately for each language. A change to a product
evicts its texts, and a change to the settings evicts the languages (docs/contract.md#languages)."""

import asyncio

import pytest

from bundlesvc.caching.platform import CachedPlatform
from bundlesvc.domain.errors import PlatformFailed
from bundlesvc.domain.live_platform.platform_change import PRODUCT, SHOP_SETTINGS, Change
from bundlesvc.domain.shop import Tenant
from tests.caching.conftest import MakeCache
from tests.caching.live import LivePlatform, product
from tests.fakes import FakeClock


@pytest.fixture
def live() -> LivePlatform:
    return LivePlatform(product(1), product(2))


async def titles(cached: CachedPlatform, tenant: Tenant, language: str, *ids: int) -> dict[int, str]:
    found = await cached.translations(tenant, ids, language)
    return {product_id: words.title for product_id, words in found.items()}


async def test_texts_are_fetched_once_for_each_language(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    for _ in range(2):
        for language in ("de", "fr"):
            assert await titles(cached, tenant, language, 1) == {1: f"Product 1 in {language}"}
    assert live.requests == [("translations", ("de", 1)), ("translations", ("fr", 1))]
    assert await titles(cached, tenant, "de", 1, 2) == {1: "Product 1 in de", 2: "Product 2 in de"}
    assert live.requests[2:] == [("translations", ("de", 2))], "only the product that is missing"


async def test_concurrent_reads_fetch_once(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    await asyncio.gather(*(titles(cached, tenant, "de", 1, 2) for _ in range(20)))
    await asyncio.gather(*(cached.languages(tenant) for _ in range(20)))
    assert live.calls == {"translations": 1, "languages": 1}


async def test_changed_product_drops_its_texts_in_every_language(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    for language in ("de", "fr"):
        await titles(cached, tenant, language, 1, 2)
    live.requests.clear()
    await cached.drop(tenant, [Change(PRODUCT, 1)])
    for language in ("de", "fr"):
        await titles(cached, tenant, language, 1, 2)
    assert live.requests == [("translations", ("de", 1)), ("translations", ("fr", 1))]


async def test_changed_settings_drop_the_languages(cached: CachedPlatform, live: LivePlatform, tenant: Tenant) -> None:
    assert await cached.languages(tenant) == ("de", "fr")
    live.published = ("de",)
    assert await cached.languages(tenant) == ("de", "fr")
    await cached.drop(tenant, [Change(SHOP_SETTINGS)])
    assert await cached.languages(tenant) == ("de",)


async def test_texts_are_served_while_the_platform_fails(
    make_cache: MakeCache, live: LivePlatform, tenant: Tenant, clock: FakeClock
) -> None:
    cached = make_cache()
    await titles(cached, tenant, "de", 1)
    live.error = PlatformFailed()
    clock.move(3600)
    assert await titles(cached, tenant, "de", 1) == {1: "Product 1 in de"}


async def test_texts_are_decoded_as_they_were_stored(
    cached: CachedPlatform, live: LivePlatform, tenant: Tenant
) -> None:
    assert (await cached.translations(tenant, [1], "de")) == (await cached.translations(tenant, [1], "de"))
    assert await cached.languages(tenant) == await cached.languages(tenant) == ("de", "fr")
