"""A store of bytes, seen as a store of entries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from bundlesvc.caching.entries import Entry, decode, encode, head
from bundlesvc.caching.questions import Question
from bundlesvc.caching.statistics import CacheStatistics
from bundlesvc.caching.store import Kept, Store, entry_cost
from bundlesvc.lru import LruMapping

K = TypeVar("K")
V = TypeVar("V")

MAX_DECODED_BYTES = 8 * 1024 * 1024
"""Of entries that are kept decoded: to decode two hundred products takes fifty times as long as to find them."""


@dataclass(frozen=True, slots=True)
class AtHand:
    """What is in the store, by name: the entries that can be read, and the heads of all, empty where there is nothing."""

    entries: dict[str, Entry[Any]]
    heads: dict[str, bytes]


class Shelf:
    """Bytes that cannot be read are counted as rubbish, and are otherwise none."""

    def __init__(self, store: Store, statistics: CacheStatistics) -> None:
        self._store = store
        self._statistics = statistics
        self._decoded: LruMapping[str, tuple[bytes, Entry[Any]]] = LruMapping(
            MAX_DECODED_BYTES, lambda name, pair: entry_cost(name, pair[0])
        )

    async def read(self, question: Question[K, V], keys: Mapping[str, K]) -> AtHand:
        """What is there of the answers with these names."""
        found = await self._store.read(list(keys))
        there = {name: raw for name, raw in zip(keys, found, strict=True) if raw is not None}
        nothing = dict.fromkeys(keys, b"")
        at_hand = self._at_hand(question, keys, there)
        return AtHand(at_hand.entries, nothing | at_hand.heads)

    async def claim(
        self, question: Question[K, V], keys: Mapping[str, K], heads: Mapping[str, bytes], token: str, seconds: float
    ) -> tuple[frozenset[str], AtHand]:
        """The names that are ours to ask for, and what somebody else has renewed since these heads were seen."""
        claims = await self._store.claim(heads, token, seconds)
        return claims.ours, self._at_hand(question, keys, claims.renewed)

    async def settle(
        self, question: Question[K, V], heads: Mapping[str, bytes], entries: Mapping[str, Entry[V]], token: str
    ) -> None:
        """Keep the entries and give the claims back."""
        kind = question.kind
        values = {name: Kept(encode(one.value, one.read_at), kind.serves(one)) for name, one in entries.items()}
        await self._store.settle(heads, values, token)

    async def delete(self, names: Iterable[str]) -> None:
        await self._store.delete(names)

    def _at_hand(self, question: Question[K, V], keys: Mapping[str, K], there: Mapping[str, bytes]) -> AtHand:
        decoded = {name: self._decode(question, name, keys[name], raw) for name, raw in there.items()}
        entries = {name: entry for name, entry in decoded.items() if entry is not None}
        return AtHand(entries, {name: head(raw) for name, raw in there.items()})

    def _decode(self, question: Question[K, V], name: str, key: K, raw: bytes) -> Entry[V] | None:
        kept = self._decoded.get(name)
        if kept is not None and kept[0] == raw:
            entry: Entry[V] = kept[1]
            return entry
        found = decode(raw, question.kind.shape)
        if found is None:
            self._statistics.rubbish += 1
            return None
        entry = question.entry(key, *found)
        self._decoded[name] = (raw, entry)
        return entry
