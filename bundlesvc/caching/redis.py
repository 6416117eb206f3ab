"""Entries in Redis, for all processes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from aiocache import RedisCache
from aiocache.serializers import NullSerializer

from bundlesvc.caching.entries import HEAD_BYTES
from bundlesvc.caching.store import Claims, Kept
from bundlesvc.redis_connection import PREFIX, RedisConnection

T = TypeVar("T")

CLAIMS = f"{PREFIX}claim:"
"""How claims begin. No name can look like one: after the prefix that all share comes the format of the entries."""

MAX_NAMES = 500
"""So many at most in one question: Redis answers nobody else meanwhile."""

# A claim is a key of its own, which expires: a process that dies holds nobody up for longer.
_CLAIM = f"""
local answers = {{}}
for place, name in ipairs(KEYS) do
  local head = redis.pcall('GETRANGE', name, 0, {HEAD_BYTES - 1})
  if type(head) == 'string' and head ~= '' and head ~= ARGV[place + 2] then
    answers[place] = redis.call('GET', name)
  elseif redis.call('SET', '{CLAIMS}' .. name, ARGV[1], 'NX', 'PX', ARGV[2]) then
    answers[place] = 1
  else
    answers[place] = 0
  end
end
return answers
"""

# What is kept must not be older than what is there; heads of equal length are in the order of their times.
_SETTLE = f"""
for place, name in ipairs(KEYS) do
  local seen, value, milliseconds = ARGV[3 * place - 1], ARGV[3 * place], ARGV[3 * place + 1]
  local head = redis.pcall('GETRANGE', name, 0, {HEAD_BYTES - 1})
  local newer = type(head) ~= 'string' or head == seen or head <= string.sub(value, 1, {HEAD_BYTES})
  if value ~= '' and newer then
    redis.call('SET', name, value, 'PX', milliseconds)
  end
  if redis.pcall('GET', '{CLAIMS}' .. name) == ARGV[1] then
    redis.call('DEL', '{CLAIMS}' .. name)
  end
end
"""

_NOTHING = Kept(b"")


class RedisStore:
    """The port `Store` in Redis. Raises RedisAway."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._cache: Any = RedisCache(serializer=NullSerializer(encoding=None), timeout=None)
        self._cache.client = connection.client
        self._claim = connection.client.register_script(_CLAIM)
        self._settle = connection.client.register_script(_SETTLE)

    async def read(self, names: Sequence[str]) -> Sequence[bytes | None]:
        found: list[bytes | None] = []
        for some in _portions(names):
            found += await self._connection.ask(partial(self._cache.multi_get, some))
        return found

    async def claim(self, heads: Mapping[str, bytes], token: str, seconds: float) -> Claims:
        """While somebody else has every name so far, the rest is left to them too: of two who ask the same at the same
        time, each would else ask the platform for a part."""
        answers: dict[str, bytes | int] = {}
        for some in _portions(list(heads)):
            arguments: list[Any] = [token, int(seconds * 1000), *(heads[name] for name in some)]
            found = await self._connection.ask(partial(self._claim, some, arguments))
            answers |= zip(some, found, strict=True)
            if not any(answers.values()):
                break
        renewed = {name: answer for name, answer in answers.items() if isinstance(answer, bytes)}
        return Claims(frozenset(name for name, answer in answers.items() if answer == 1), renewed)

    async def settle(self, heads: Mapping[str, bytes], values: Mapping[str, Kept], token: str) -> None:
        for some in _portions(list(heads)):
            arguments: list[Any] = [token]
            for name in some:
                kept = values.get(name, _NOTHING)
                arguments += [heads[name], kept.raw, int(kept.seconds * 1000)]
            await self._connection.ask(partial(self._settle, some, arguments))

    async def delete(self, names: Iterable[str]) -> None:
        for some in _portions(list(names)):
            await self._connection.ask(partial(self._cache.raw, "delete", *some))


def _portions(names: Sequence[T]) -> Iterator[Sequence[T]]:
    for begin in range(0, len(names), MAX_NAMES):
        yield names[begin : begin + MAX_NAMES]
