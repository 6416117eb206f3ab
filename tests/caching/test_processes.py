"""Single flight across processes that share one Redis; a process that dies while it fetches does not delay others for long."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from bundlesvc.caching.stores import CLAIMS
from tests.servers.redis_server import RedisServer

PROCESSES = 4


class Neighbour:
    """Another process that shares the Redis server, started as a subprocess."""

    def __init__(self, url: str, *, timeout: float, slowness: float, requests: int, products: int) -> None:
        command = [
            sys.executable,
            "-m",
            "tests.caching.neighbour",
            url,
            *map(str, (timeout, slowness, requests, products)),
        ]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in: IO[str] = self.process.stdin
        self._out: IO[str] = self.process.stdout

    def read_line(self) -> str:
        return self._out.readline().strip()

    def read_last_line(self) -> str:
        """Read the output to its end, and return the last line."""
        return self._out.read().strip().splitlines()[-1]

    def begin(self) -> None:
        self._in.write("go\n")
        self._in.flush()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._in.close()
        self._out.close()


@contextmanager
def neighbours(
    redis: RedisServer, number: int, *, timeout: float = 60, slowness: float = 0, requests: int = 1, products: int = 200
) -> Iterator[list[Neighbour]]:
    """Start processes that share the Redis server, and yield them once all are ready."""
    processes = [
        Neighbour(redis.url, timeout=timeout, slowness=slowness, requests=requests, products=products)
        for _ in range(number)
    ]
    try:
        for process in processes:
            assert process.read_line() == "ready"
        yield processes
    finally:
        for process in processes:
            process.end()


def fetches(redis: RedisServer) -> dict[str, int]:
    """The number of requests that all processes sent to the platform, by method."""
    with redis.client() as client:
        found = {name: client.get(name) for name in redis.keys("fetched:*")}
    return {name.decode().removeprefix("fetched:"): int(value) for name, value in found.items() if value is not None}


def test_five_hundred_cold_reads_in_four_processes_share_one_fetch(redis: RedisServer) -> None:
    with neighbours(redis, PROCESSES, slowness=0.3, requests=125, products=50) as processes:
        for process in processes:
            process.begin()
        for process in processes:
            assert process.read_last_line() == "answered 125"
    assert fetches(redis) == {"products": 1, "market_prices": 1}


def test_later_process_reads_from_redis_without_a_fetch(redis: RedisServer) -> None:
    for _ in range(2):
        with neighbours(redis, 1, products=10) as (process,):
            process.begin()
            assert process.read_last_line() == "answered 1"
    assert fetches(redis) == {"products": 1, "market_prices": 1}


def test_claims_are_released_after_a_fetch(redis: RedisServer) -> None:
    with neighbours(redis, 2, products=10) as processes:
        for process in processes:
            process.begin()
            process.read_last_line()
    assert redis.keys(f"{CLAIMS}*") == []
    assert redis.keys("bundlesvc:*") != []


def test_claims_of_a_killed_process_expire_after_half_the_timeout(redis: RedisServer) -> None:
    """The claims of a killed process expire after half the timeout, but not earlier, because the process might just be slow."""
    timeout = 1.5
    with neighbours(redis, 1, timeout=timeout, slowness=60, products=10) as (dies,):
        dies.begin()
        assert dies.read_line() == "fetching"
    assert redis.keys(f"{CLAIMS}*") != []
    begun = time.monotonic()
    with neighbours(redis, 1, timeout=timeout, products=10) as (goes_on,):
        goes_on.begin()
        assert goes_on.read_last_line() == "answered 1"
    assert fetches(redis) == {"products": 2, "market_prices": 1}
    assert time.monotonic() - begun < timeout + 8  # including the start of a process
