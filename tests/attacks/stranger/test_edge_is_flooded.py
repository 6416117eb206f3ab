"""A client with a valid key keeps changing the parameters of its requests, so that the table of serialised responses grows or the
responses to other clients are evicted."""

import asyncio
import random
from dataclasses import replace

import pytest

from bundlesvc.api.app_keys import RESPONSE_CACHE
from bundlesvc.api.fast_path.pipeline import FAST_PATH
from bundlesvc.api.fast_path.raw_responses import HeadTemplate, RawResponse
from bundlesvc.api.fast_path.serialized_responses import (
    IDLE_SECONDS,
    MAX_IDLE_SECONDS,
    MAX_KEY,
    OVERHEAD,
    SerializedResponse,
    SerializedResponses,
)
from bundlesvc.api.response_cache.cache import IDLE_PERIODS
from bundlesvc.api.response_cache.entry import Entry, RenderKey
from bundlesvc.domain.identifiers import COUNTRY_CODES
from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, MakeApi
from tests.attacks.passing_time import TIMEOUT

SMALL = 64 * 1024
WARM = 4


def serialized(size: int = 0) -> SerializedResponse:
    entry = Entry("tag", {}, 0.0, 0.0, None)
    head = HeadTemplate(("HTTP/1.1 200 OK\r\n" + "x" * size,), 200, "/", "/")
    return SerializedResponse(RawResponse(head, b""), (1, (1, 0), RenderKey("route")), entry)


def put_twice(table: SerializedResponses, name: object, now: float, size: int = 0) -> None:
    for _ in range(2):
        table.put((name,), serialized(size), now)


@pytest.fixture
def table(api: Api) -> SerializedResponses:
    """The running service's table of serialised responses, limited to `SMALL` bytes."""
    gets = api.client.app[FAST_PATH]._gets
    gets._table = SerializedResponses(SMALL)
    api.client.app[RESPONSE_CACHE].when_dropped = gets._table.drop_entry
    return gets._table


async def warm(api: Api, path: str) -> None:
    for _ in range(WARM):
        await api.get(path)


async def test_random_queries_neither_grow_the_table_nor_evict_used_responses(
    api: Api, table: SerializedResponses
) -> None:
    await warm(api, "/bundles/10")
    (used,) = table._responses
    for number in range(60):
        await warm(api, f"/bundles/10?junk={number}")
        assert table.size <= SMALL
    assert used in table._responses


async def test_random_origins_share_one_ready_response(api: Api, table: SerializedResponses) -> None:
    for number in range(30):
        response = (await api.get("/bundles/10", {"Origin": f"https://{number}.example"})).held()
        assert response.headers["Access-Control-Allow-Origin"] == f"https://{number}.example"
    assert len(table) == 1


async def test_random_codings_share_five_ready_responses(api: Api, table: SerializedResponses) -> None:
    dice = random.Random(1)
    for _ in range(60):
        codings = [f"{name};q={dice.random():.3f}" for name in ("br", "gzip", "zstd", f"x{dice.random()}")]
        (await api.get("/bundles/10", {"Accept-Encoding": ", ".join(codings)})).held()
    assert len(table) <= 5


@pytest.mark.parametrize("flood", ["languages", "countries", "tags", "paths"])
async def test_random_values_neither_grow_the_table_nor_evict_used_responses(
    flood: str, api: Api, table: SerializedResponses
) -> None:
    await warm(api, "/bundles/10")
    (used,) = table._responses
    for number in range(60):
        for _ in range(2):
            if flood == "languages":
                await api.get("/embed/api/v1/settings", {"Accept-Language": f"x-{number}"})
            elif flood == "countries":
                await api.get(f"/bundles/10/products?countryCode={sorted(COUNTRY_CODES)[number]}")
            elif flood == "tags":
                await api.get("/bundles/10", {"If-None-Match": f'"{number}"'})
            else:
                await api.get(f"/bundles/{'0' * number}10")
        assert table.size <= SMALL
    assert used in table._responses


async def test_a_response_used_once_is_not_stored(api: Api, table: SerializedResponses) -> None:
    for number in range(30):
        await api.get(f"/bundles/10?junk={number}")
    assert len(table) == 0


def test_unused_responses_are_evicted_before_used_ones() -> None:
    table = SerializedResponses(10 * (OVERHEAD + 100))
    for number in range(10):
        put_twice(table, number, 0.0)
    used = table.get((0,))
    assert used is not None
    table.use(used, IDLE_SECONDS)
    for number in range(10, 30):
        put_twice(table, number, IDLE_SECONDS)
    assert table.get((0,)) is not None
    assert table.get((1,)) is None
    assert table.size <= 10 * (OVERHEAD + 100)


def test_a_used_response_is_never_evicted_by_new_ones() -> None:
    table = SerializedResponses(10 * (OVERHEAD + 100))
    for number in range(1000):
        put_twice(table, number, 0.0)
    assert all(table.get((number,)) for number in range(10))


def test_a_response_takes_at_most_an_eighth_of_the_table() -> None:
    table = SerializedResponses(SMALL)
    put_twice(table, "large", 0.0, SMALL // 8)
    assert len(table) == 0


def test_the_number_of_remembered_candidates_is_bounded() -> None:
    table = SerializedResponses()
    for number in range(20_000):
        table.put((number,), serialized(), 0.0)
    assert len(table._newcomers) <= 8192
    assert len(table) == 0


async def test_ready_responses_leave_with_the_entry_that_they_are_made_of(api: Api, table: SerializedResponses) -> None:
    """A serialised response is evicted together with the cache entry that it was created from.

    Otherwise, it would keep the evicted entry in memory, where the entry counts towards no limit."""
    for number in range(5):
        await warm(api, f"/bundles/10?junk={number}")
    assert len(table) == 5
    rendered = api.client.app[RESPONSE_CACHE]
    for key in tuple(rendered._entries):
        del rendered._entries[key]
    assert len(table) == 0
    assert table.size == 0


async def test_entries_that_nobody_uses_leave_with_their_ready_responses(
    api: Api, table: SerializedResponses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unused entries are evicted together with their serialised responses: memory is freed after a flood, and responses in use
    remain cached."""
    monkeypatch.setattr(
        "bundlesvc.api.fast_path.get_responder.USE_SECONDS", 0.0
    )  # the periods of this test are shorter than a second
    rendered = api.client.app[RESPONSE_CACHE]
    await warm(api, "/bundles/10")
    for country in sorted(COUNTRY_CODES)[:20]:
        await warm(api, f"/bundles/10/products?countryCode={country}")
    name = 'bundlesvc_cache_bytes{tier="rendered"}'
    full = (await api.metrics())[name]
    for _ in range(IDLE_PERIODS):
        rendered.expire()
        await api.get("/bundles/10")
    assert (await api.metrics())[name] == full
    rendered.expire()
    assert len(rendered._entries) == len(table) == 1
    assert (await api.metrics())[name] == rendered._entries.total < full / 10


@pytest.mark.parametrize("edge", [True, False], ids=["edge", "application"])
async def test_a_service_at_rest_gives_its_memory_back(
    edge: bool, make_api: MakeApi, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bundlesvc.lifecycle.IDLE_CACHE_SECONDS", 0.01)
    api = await make_api(settings=replace(settings, edge=edge))
    rendered = api.client.app[RESPONSE_CACHE]
    await warm(api, "/bundles/10")
    async with asyncio.timeout(TIMEOUT):
        while rendered._entries:  # noqa: ASYNC110 - nothing else shows when the periods are over
            await asyncio.sleep(0.01)
    assert rendered._entries.total == 0


@pytest.mark.parametrize("long", ["language", "path", "host"])
async def test_requests_with_long_texts_are_not_learned(api: Api, table: SerializedResponses, long: str) -> None:
    text = "x" * MAX_KEY
    for _ in range(WARM):
        if long == "language":
            await api.get("/embed/api/v1/settings", {"Accept-Language": f"de,{text}"})
        elif long == "path":
            await api.get(f"/bundles/10?{text}")
        else:
            await api.get("/bundles?limit=1", {"X-Forwarded-Proto": text})
    assert len(table) == 0


async def test_languages_share_a_ready_response_where_a_shop_has_one(make_api: MakeApi) -> None:
    shop = "shop: {handle: demo, currency: EUR, headlessEnabled: true}"
    api = await make_api(shop)
    for number in range(10):
        (await api.get("/embed/api/v1/settings", {"Accept-Language": f"x-{number}"})).held()
    assert len(api.client.app[FAST_PATH]._gets._table) == 1


def test_unused_responses_expire() -> None:
    table = SerializedResponses()
    put_twice(table, "old", 0.0)
    put_twice(table, "new", MAX_IDLE_SECONDS - 1)
    table.expire(MAX_IDLE_SECONDS)
    assert list(table._responses) == [("new",)]
