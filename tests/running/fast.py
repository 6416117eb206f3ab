"""`pytest --fast`: every test that starts no other process, with a tenth of the random examples.

A test that starts a process uses one of `FIXTURES`, is in one of `FOLDERS`, or has the `process` mark. With `--fast`, any other
test that starts a process fails, with a message saying that the mark is missing.
"""

import asyncio
import atexit
import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from pathlib import Path
from typing import Any

import pytest
import uvloop
from _pytest.runner import runtestprotocol
from aiohttp import web_app
from hypothesis import settings

from tests.platform_schema import fetch_schemas
from tests.running.garbage import collect_once

TESTS = Path(__file__).parents[1]

FIXTURES = frozenset({"browser", "engine", "node", "postgres", "running_cluster", "running_redis"})
"""Fixtures that start a server, a browser or Node."""

FOLDERS = frozenset({"browser", "failures", "process"})
"""Folders of tests that drive a browser, start the service, or stop its servers."""

ASYNCIO_FIXTURES = frozenset({"skipped_waits"})
"""Fixtures that modify asyncio's own event loop."""

STARTS = (
    *((os, name) for name in ("execv", "execve", "fork", "forkpty", "posix_spawn", "posix_spawnp", "system")),
    (subprocess.Popen, "__init__"),
)
"""The functions that start a process. (asyncio's functions call `Popen`.) `Guard` replaces the functions listed here, because an
audit hook would be called a thousand times per test."""

EXAMPLES = 10
"""The number of random examples per property, instead of 100."""

GARBAGE = 100_000
"""The number of new objects after which garbage is collected."""

YOUNG = (2000, 10, 1_000_000_000)
"""The thresholds with --fast: collect after fewer new objects, collect the survivors of ten collections once more, and never
collect all objects."""

sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment] # jsonschema works without it; its grammars take 1.3 s to load


class Guard:
    """Makes the current test fail when it starts a process."""

    def __init__(self) -> None:
        self.active = False
        for owner, name in STARTS:
            setattr(owner, name, self._guarded(getattr(owner, name)))

    def _guarded(self, start: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(start)
        def guarded(*arguments: Any, **options: Any) -> Any:
            if self.active:
                self.active = False
                pytest.fail("This test starts a process: mark it with @pytest.mark.process, which --fast leaves out.")
            return start(*arguments, **options)

        return guarded

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self.active = True
        try:
            return (yield)
        finally:
            self.active = False


class FewReports:
    """Sends one short report per passing test instead of four, because a single process receives the reports of all workers.
    `--durations` then excludes setup and teardown."""

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.when == "call" or not report.passed:
                report.keywords = {}  # nothing reads them
                item.ihook.pytest_runtest_logreport(report=report)
        return True


class Uvloop:
    """Runs asynchronous tests on uvloop, which `bundlesvc serve` uses and which is faster than asyncio's own event loop. The full
    test run uses asyncio's event loop."""

    def pytest_asyncio_loop_factories(
        self, item: pytest.Function
    ) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
        if ASYNCIO_FIXTURES.isdisjoint(item.fixturenames):
            return {"uvloop": uvloop.new_event_loop}
        return {"asyncio": asyncio.new_event_loop}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="Run only the tests that start no other process.")


def pytest_configure(config: pytest.Config) -> None:
    atexit.register(gc.freeze)  # otherwise each process would spend seconds on a last collection before it ends
    gc.disable()  # until all tests are collected: nearly every object created by then stays
    config.addinivalue_line("markers", "process: starts another process; left out with --fast")
    if config.getoption("fast"):
        settings.register_profile("fast", settings.default, max_examples=EXAMPLES)
        if hasattr(config, "workerinput"):
            config.pluginmanager.register(FewReports())
        else:
            fetch_schemas()  # it starts a process, which no test may do
        settings.load_profile("fast")  # before importing the test modules, whose settings derive from it
        config.pluginmanager.register(Guard())
        config.pluginmanager.register(Uvloop())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return (config.getoption("fast") and _is_slow(collection_path)) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("fast"):
        slow = {item: starts_a_process(item) for item in items}
        config.hook.pytest_deselected(items=[item for item in items if slow[item]])
        items[:] = [item for item in items if not slow[item]]


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection. Otherwise each full collection would traverse all of them.

    The threshold is raised as well: each start of the service creates many objects, and with Python's default threshold, garbage
    collection takes up a considerable part of a test's time.
    """
    gc.enable()
    gc.set_threshold(GARBAGE)
    collect_once()


def pytest_runtest_teardown() -> None:
    """Remove the services of earlier tests from memory. aiohttp caches the middlewares of up to 1,024 applications, which keeps
    these applications alive."""
    web_app._cached_build_middleware.cache_clear()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Exempt all objects from garbage collection in the process that receives the workers' reports. That process produces no
    garbage, and each collection would be slow."""
    if session.config.pluginmanager.hasplugin("dsession"):
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def garbage_collected_at_the_end(pytestconfig: pytest.Config) -> Iterator[None]:
    """With --fast, collect young garbage while it is still in the processor's cache, and old garbage only at the end.

    The last teardown fails if it finds resources that a test forgot to close. A worker does not report resources that are found
    later.
    """
    if pytestconfig.getoption("fast"):
        gc.set_threshold(*YOUNG)
    yield
    if pytestconfig.getoption("fast"):
        collect_once()


def starts_a_process(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    marked = item.get_closest_marker("process") is not None
    return marked or _is_slow(item.path) or not FIXTURES.isdisjoint(fixtures)


@cache
def _is_slow(path: Path) -> bool:
    """Whether a path is one of `FOLDERS`, or is inside one of them."""
    return not FOLDERS.isdisjoint(path.relative_to(TESTS).parts[:1]) if path.is_relative_to(TESTS) else False
