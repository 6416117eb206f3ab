"""The ways in which Redis can fail, and the effect of each. Also generates the table of Redis failures in docs/failures.md."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.failures.service import WITH_LONG_REDIS_TIMEOUT
from tests.process.serving import COMMAND
from tests.servers.redis_server import RedisServer

REDIS_SECONDS = 0.5
"""The maximum time in seconds that a request waits for a hanging Redis."""


def flush(redis: RedisServer) -> None:
    with redis.client() as client:
        client.flushall()
        client.script_flush()


def restart(redis: RedisServer) -> None:
    redis.kill()
    redis.start()


@dataclass(frozen=True)
class RedisFault:
    """A failure of Redis, with the functions that begin and end it. `seconds` is how long the first requests wait for Redis, and
    `noticed` is whether the failure is logged."""

    words: str
    begin: Callable[[RedisServer], None]
    end: Callable[[RedisServer], None] = lambda _: None
    seconds: float = 0.0
    before_the_start: bool = False
    noticed: bool = True

    @property
    def program(self) -> Sequence[str]:
        """The command that starts the service. It keeps the normal Redis timeout for faults in which Redis hangs. For all other
        faults, it sets a long timeout, so that Redis does not seem to hang when the machine is busy."""
        return COMMAND if self.seconds else WITH_LONG_REDIS_TIMEOUT


FAULTS = {
    "absent": RedisFault("is down when the service starts", RedisServer.kill, RedisServer.start, before_the_start=True),
    "hung": RedisFault("hangs", RedisServer.pause, RedisServer.resume, REDIS_SECONDS),
    "killed": RedisFault("is killed, even during a request", RedisServer.kill, RedisServer.start),
    "full": RedisFault("is full, and may not evict keys", RedisServer.fill, RedisServer.make_room),
    "flushed": RedisFault("is flushed", flush, noticed=False),
    "restarted": RedisFault("is restarted without its data", restart, noticed=False),
}


def table_of_redis() -> Iterator[str]:
    """Generate the table of Redis failures in docs/failures.md, line by line."""
    yield "| Redis | requests | in the log |"
    yield "|---|---|---|"
    for fault in FAULTS.values():
        waiting = f"200; open requests wait up to {fault.seconds} s" if fault.seconds else "200"
        logged = "one line when it fails, and one when it recovers" if fault.noticed else "nothing"
        yield f"| {fault.words} | {waiting} | {logged} |"
