"""Starts the service and the servers that it needs, disturbs and kills the service, and checks the results."""

import asyncio
import resource
import signal
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import orjson

from bundlesvc.storage.access.keys import SqlKeyStore
from tests.failures.platform import platform_of
from tests.failures.service import Setup
from tests.failures.shopping import seconds_until
from tests.process.serving import TIMEOUT, Server, in_database, prepare, started
from tests.process.shop import SHOP
from tests.process.storm import Stored, Storm
from tests.servers.free_port import free_port
from tests.servers.redis_server import redis_server
from tests.soak.disturbances import Disturbances
from tests.soak.plan import Plan
from tests.soak.promises import Promise, Result, promises
from tests.soak.watch import Life
from tests.standin.data.shop_file import from_shop_file

SAMPLE_SECONDS = 0.5
REPORT_SECONDS = 10
PROGRAM, ROOT = (sys.executable, "-m", "tests.soak.service"), Path(__file__).parents[2]
LIMITS = {"south": 600}
"""The number of requests per minute allowed to each shop whose key has a rate limit. The clients of `south` use up its limit."""

Say = Callable[[str], None]


class Process:
    """The service, run by a succession of processes at the same address."""

    def __init__(self, folder: Path, settings: Mapping[str, str | None]) -> None:
        self._folder, self._settings, self._port = folder, settings, free_port()
        self._stack = ExitStack()
        self.lives: list[Life] = []
        self.errors: list[str] = []

    def start(self) -> None:
        program = started(self._folder, "serve", "--port", str(self._port), settings=self._settings, program=PROGRAM)
        self.server = Server(self._stack.enter_context(program), f"http://127.0.0.1:{self._port}")
        seconds_until(self._responds, TIMEOUT)
        self.lives.append(Life())

    def _responds(self) -> bool:
        assert self.server.process.poll() is None, self.server.err.end()
        with suppress(OSError):
            return self.server.get("/healthz").status == 200
        return False

    def end(self, number: signal.Signals) -> None:
        """End the process with a signal, and keep the errors that it reported."""
        self.server.send(number)
        status = self.server.wait()
        if status != (0 if number == signal.SIGTERM else -number):
            self.errors.append(f"exit status {status}")
        lines = self.server.out.end().splitlines()
        self.errors += [line for line in lines if '"level":"error"' in line or '"level":"critical"' in line]
        self.errors += self.server.err.end().splitlines()
        self._stack.close()

    def kill(self) -> None:
        """Kill the process, whatever state it is in."""
        self._stack.close()

    async def watch(self, seconds: float, say: Say) -> None:
        life, begun = self.lives[-1], time.monotonic()
        reported = begun
        while (now := time.monotonic()) - begun < seconds:
            if (status := self.server.process.poll()) is not None:
                raise SystemExit(
                    f"The service ended by itself, with exit status {status}. {self.server.err.end()}".strip()
                )
            life.sample(self.server)
            if now - reported >= REPORT_SECONDS:
                reported = now
                latest = life.samples[-1]
                say(f"  {now - begun:3.0f} s: {latest.memory:.0f} MiB, {latest.descriptors} descriptors")
            await asyncio.sleep(SAMPLE_SECONDS)
        await asyncio.to_thread(life.read_lag, self.server)


def soak(plan: Plan, folder: Path, say: Say) -> Sequence[Promise]:
    """Run a soak test, and return the service's promises with their outcomes."""
    _allow_descriptors()
    address = str(folder / "shop.db")
    key = prepare(address)
    tenant = in_database(address, lambda database: SqlKeyStore(database).tenant("demo"))
    assert tenant is not None
    setup = Setup.prepared(("north", "south"), folder, address, limits=LIMITS)
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server())
        platform = stack.enter_context(platform_of(from_shop_file(SHOP), {shop.token for shop in setup.shops.values()}))
        settings = {
            "DATABASE_URL": setup.url,
            "REDIS_URL": redis.url,
            "BUNDLESVC_PLATFORM_ENDPOINT": platform.url,
            "BUNDLESVC_LOG_LEVEL": "WARNING",
            "BUNDLESVC_MAX_CONNECTIONS": str(plan.connections),
            "PYTHONPATH": str(ROOT),  # the process runs in its data folder
        }
        process = Process(folder, settings)
        process.start()
        stack.callback(process.kill)
        disturbances = Disturbances(plan, setup, platform, redis, lambda: process.server, settings)
        storm = Storm([process.server], key, Random(1), 0, _nothing, plan.shoppers, failures=True, reconnect=True)
        flood = asyncio.run(_run(plan, process, storm, disturbances, say))
        say("Checking what is stored …")
        result = Result(process.lives[:-1], flood, storm, disturbances.report, process.errors)
        kept = list(promises(result, Stored.at(address, tenant.id), process.server))
        process.end(signal.SIGTERM)
        return kept


async def _run(plan: Plan, process: Process, storm: Storm, disturbances: Disturbances, say: Say) -> dict[str, Any]:
    """Run the load and all disturbances, killing the service as planned. Returns the summary that the flood process prints."""
    arguments = (process.server.address, storm.key, str(plan.busy))
    flood = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.soak.flood", *arguments, stdin=PIPE, stdout=PIPE
    )
    async with asyncio.TaskGroup() as group:
        shoppers = group.create_task(storm.run())
        tasks: list[asyncio.Task[None]] = [group.create_task(trouble) for trouble in disturbances.all()]
        say(f"{plan.steady:.0f} seconds without a kill …")
        await process.watch(plan.steady, say)
        for number in range(plan.lives):
            await _restart(process)
            say(f"Killed; life {number + 1} of {plan.lives}, {plan.life:.0f} seconds …")
            await process.watch(plan.life, say)
        await _restart(process)
        storm.target = 1  # already reached, so shoppers stop
        await shoppers
        for task in tasks:
            task.cancel()
        disturbances.platform.heal()
    printed, _ = await flood.communicate(b"")
    summary: dict[str, Any] = orjson.loads(printed)
    return summary


async def _restart(process: Process) -> None:
    await asyncio.to_thread(process.end, signal.SIGKILL)
    await asyncio.to_thread(process.start)


def _allow_descriptors() -> None:
    """Raise the limit on open descriptors for the idle connections, in this process and in the processes that it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def _nothing(_: int) -> None:
    """Do nothing. Storm calls this after each response."""
