"""The cache of aggregates: one read per revision, no data from an older revision, and a limit on entries."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.lru import LruMapping
from bundlesvc.storage.catalogue.revision_cache import RevisionCache

SHOP = Shop("demo", "Demo", "", "en", True, (), PlatformLink(), (), None)
TENANT = Tenant(1, 5, SHOP)
LATER = replace(TENANT, revision=6)
OTHER_SHOP = Tenant(2, 5, SHOP)


class Source:
    """A source of values that counts reads. In version V, the value of key K is "K of V". Keys in `absent` do not exist."""

    def __init__(self, version: str = "now", absent: frozenset[str] = frozenset()) -> None:
        self.version = version
        self.absent = absent
        self.reads: list[list[str]] = []

    def value(self, key: str) -> str | None:
        return None if key in self.absent else f"{key} of {self.version}"

    async def one(self, key: str) -> str | None:
        self.reads.append([key])
        return self.value(key)

    async def many(self, keys: list[str]) -> Mapping[str, str]:
        self.reads.append(keys)
        return {key: value for key in keys if (value := self.value(key)) is not None}


async def read_one(
    cache: RevisionCache, source: Source, key: str, tenant: Tenant = TENANT, kind: str = "letter"
) -> str | None:
    return await cache.one(tenant, kind, key, lambda: source.one(key))


async def read_many(cache: RevisionCache, source: Source, keys: str, tenant: Tenant = TENANT) -> dict[str, str]:
    return await cache.many(tenant, "letter", keys, source.many)


async def test_a_value_is_read_once_per_revision() -> None:
    cache, source = RevisionCache(), Source()
    assert [await read_one(cache, source, "a") for _ in range(3)] == ["a of now"] * 3
    assert source.reads == [["a"]]

    source.version = "later"
    assert await read_one(cache, source, "a", LATER) == "a of later"
    assert source.reads == [["a"], ["a"]]


async def test_an_absent_value_is_cached_too() -> None:
    cache, source = RevisionCache(), Source(absent=frozenset("ab"))
    assert [await read_one(cache, source, "a") for _ in range(2)] == [None, None]
    assert [await read_many(cache, source, "abc") for _ in range(2)] == [{"c": "c of now"}] * 2
    assert source.reads == [["a"], ["b", "c"]]


async def test_many_reads_missing_keys_in_one_call() -> None:
    cache, source = RevisionCache(), Source()
    await read_one(cache, source, "b")
    assert await read_many(cache, source, "abcab") == {"a": "a of now", "b": "b of now", "c": "c of now"}
    assert await read_one(cache, source, "c") == "c of now"
    assert await read_many(cache, source, "") == {}
    assert source.reads == [["b"], ["a", "c"]]


async def test_many_keeps_the_order_of_the_keys() -> None:
    cache, source = RevisionCache(), Source()
    await read_one(cache, source, "a")
    assert list(await read_many(cache, source, "cab")) == ["c", "a", "b"]


async def test_kinds_and_shops_have_separate_entries() -> None:
    cache = RevisionCache()
    assert await read_one(cache, Source("letters"), "a") == "a of letters"
    assert await read_one(cache, Source("words"), "a", kind="word") == "a of words"
    assert await read_one(cache, Source("others"), "a", OTHER_SHOP) == "a of others"
    assert await read_one(cache, Source("nothing new"), "a") == "a of letters"


async def test_a_new_revision_of_one_shop_leaves_other_shops_cached() -> None:
    cache, source = RevisionCache(), Source()
    await read_one(cache, source, "a", OTHER_SHOP)
    await read_one(cache, source, "a", LATER)
    await read_one(cache, source, "a", OTHER_SHOP)
    assert len(source.reads) == 2


async def test_a_request_with_an_older_revision_neither_reads_nor_writes_the_cache() -> None:
    cache = RevisionCache()
    await read_one(cache, Source("later"), "a", LATER)
    assert await read_one(cache, Source("old"), "a", TENANT) == "a of old"
    assert await read_many(cache, Source("old"), "ab", TENANT) == {"a": "a of old", "b": "b of old"}
    assert await read_many(cache, Source("later"), "ab", LATER) == {"a": "a of later", "b": "b of later"}


async def test_a_value_read_during_a_revision_change_is_not_cached_for_the_new_one() -> None:
    cache = RevisionCache()

    async def read_slowly() -> str:
        await read_one(cache, Source("later"), "b", LATER)
        return "a of old"

    assert await cache.one(TENANT, "letter", "a", read_slowly) == "a of old"
    assert await read_one(cache, Source("later"), "a", LATER) == "a of later"


async def test_a_failed_read_is_not_cached() -> None:
    cache = RevisionCache()

    async def fail() -> str:
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - the same error must be raised
        await cache.one(TENANT, "letter", "a", fail)
    assert await read_one(cache, Source(), "a") == "a of now"


async def test_the_least_recently_used_entry_is_evicted_first() -> None:
    cache, source = RevisionCache(max_entries=3), Source()
    await read_many(cache, source, "abc")
    await read_one(cache, source, "a")
    await read_one(cache, source, "d")
    source.reads.clear()

    assert await read_many(cache, source, "acd") == {"a": "a of now", "c": "c of now", "d": "d of now"}
    assert source.reads == []
    await read_one(cache, source, "b")
    assert source.reads == [["b"]]


async def test_the_cache_never_exceeds_its_limit() -> None:
    cache, source = RevisionCache(max_entries=10), Source()
    for number in range(100):
        await read_one(cache, source, f"{number}")
        assert len(cache._shops[TENANT.id].entries) <= 10


async def test_more_keys_than_the_limit_are_all_returned() -> None:
    cache, source = RevisionCache(max_entries=2), Source()
    keys = "abcdef"
    assert list(await read_many(cache, source, keys)) == list(keys)
    assert list(await read_many(cache, source, keys)) == list(keys)


async def test_an_entry_evicted_during_a_read_is_still_returned() -> None:
    """An entry that is evicted during a read is still returned. When the cache is full, a simultaneous request may evict an entry
    that the first request still needs."""
    cache, source = RevisionCache(max_entries=2), Source()
    await read_many(cache, source, "ab")

    async def read_while_others_read(keys: list[str]) -> Mapping[str, str]:
        await read_many(cache, source, "xy")
        return await source.many(keys)

    found = await cache.many(TENANT, "letter", "ac", read_while_others_read)

    assert found == {"a": "a of now", "c": "c of now"}
    assert await read_one(cache, source, "a") == "a of now"


async def test_all_shops_together_have_a_limit() -> None:
    cache, source = RevisionCache(max_entries=3, max_objects=10), Source()
    for shop in range(50):
        await read_many(cache, source, "abc", replace(TENANT, id=shop))
        assert len(cache) <= 10


async def test_the_least_recently_used_shop_is_evicted() -> None:
    cache, source = RevisionCache(max_objects=6), Source()
    for shop in (1, 2, 1, 3):
        await read_many(cache, source, "abc", replace(TENANT, id=shop))
    source.reads.clear()
    await read_many(cache, source, "abc", replace(TENANT, id=1))
    await read_many(cache, source, "abc", replace(TENANT, id=3))
    assert source.reads == []
    await read_many(cache, source, "abc", replace(TENANT, id=2))
    assert source.reads == [["a", "b", "c"]]


async def test_the_number_of_objects_is_that_of_all_shops() -> None:
    """The limit on objects applies to all shops together, even after new revisions, requests for older revisions, and evictions
    during a read."""
    cache, source, random = RevisionCache(max_entries=4, max_objects=20), Source(), Random(1)

    def some() -> tuple[Tenant, list[str]]:
        tenant = replace(TENANT, id=random.randrange(8), revision=random.randrange(1, 4))
        return tenant, random.choices("abcdef", k=3)

    async def read_after_another(keys: list[str]) -> Mapping[str, str]:
        tenant, others = some()
        await cache.many(tenant, "word", others, source.many)
        return await source.many(keys)

    for _ in range(500):
        tenant, keys = some()
        await cache.many(tenant, "letter", keys, read_after_another if random.random() < 0.3 else source.many)
        assert len(cache) == sum(len(shop.entries) for shop in cache._shops.values()) <= 20


async def test_a_read_does_not_count_the_objects_of_every_shop(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, counted, count = RevisionCache(), [], LruMapping.__len__
    for shop in range(100):
        await read_one(cache, Source(), "a", replace(TENANT, id=shop))

    def noted(entries: LruMapping[object, object]) -> int:
        counted.append(entries)
        return count(entries)

    monkeypatch.setattr(LruMapping, "__len__", noted)
    await read_one(cache, Source(), "b")
    assert len(counted) < 10


async def test_one_shop_cannot_exceed_the_common_limit() -> None:
    cache, source = RevisionCache(max_objects=3), Source()
    for letter in "abcdefgh":
        await read_one(cache, source, letter)
    assert len(cache) == 3


async def test_requests_at_the_same_moment_share_a_read() -> None:
    cache, source = RevisionCache(), Source()

    assert await asyncio.gather(*(read_one(cache, source, "a") for _ in range(3))) == ["a of now"] * 3
    assert source.reads == [["a"]]

    assert await asyncio.gather(*(read_many(cache, source, keys) for keys in ("abc", "cd"))) == [
        {"a": "a of now", "b": "b of now", "c": "c of now"},
        {"c": "c of now", "d": "d of now"},
    ]
    assert source.reads == [["a"], ["b", "c"], ["d"]]
