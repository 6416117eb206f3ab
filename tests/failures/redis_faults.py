"""Ways in which Redis fails, and what anybody notices of each. docs/operations.md has the same as a table, made here."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.failures.stage import PATIENT
from tests.process.serving import COMMAND
from tests.redis_server import RedisServer

REDIS_SECONDS = 0.5
"""So long at most a request waits for a Redis that hangs."""


def flush(redis: RedisServer) -> None:
    with redis.client() as client:
        client.flushall()
        client.script_flush()


def restart(redis: RedisServer) -> None:
    redis.kill()
    redis.start()


@dataclass(frozen=True)
class RedisFault:
    """How it begins and ends; `seconds`: so long do those wait who find it out; `noticed`: whether the log says so."""

    words: str
    begin: Callable[[RedisServer], None]
    end: Callable[[RedisServer], None] = lambda _: None
    seconds: float = 0.0
    before_the_start: bool = False
    noticed: bool = True

    @property
    def program(self) -> Sequence[str]:
        """Only where Redis hangs may time tell: elsewhere a busy machine must not make it look hung."""
        return COMMAND if self.seconds else PATIENT


FAULTS = {
    "absent": RedisFault(
        "is not there when the service starts", RedisServer.kill, RedisServer.start, before_the_start=True
    ),
    "hung": RedisFault("hangs", RedisServer.pause, RedisServer.resume, REDIS_SECONDS),
    "killed": RedisFault("is killed, also in the middle of a request", RedisServer.kill, RedisServer.start),
    "full": RedisFault("is full, and may evict nothing", RedisServer.fill, RedisServer.make_room),
    "flushed": RedisFault("is flushed", flush, noticed=False),
    "restarted": RedisFault("is restarted, and empty", restart, noticed=False),
}


def table_of_redis() -> Iterator[str]:
    """As the guide has it."""
    yield "| Redis | requests | in the log |"
    yield "|---|---|---|"
    for fault in FAULTS.values():
        waiting = f"200; those under way wait up to {fault.seconds} s" if fault.seconds else "200"
        logged = "a line when it goes, and one when it is back" if fault.noticed else "nothing"
        yield f"| {fault.words} | {waiting} | {logged} |"
