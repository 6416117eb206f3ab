"""`pytest --fast`: every test that starts no other process, with a tenth of the random examples.

A test that starts a process uses one of `FIXTURES`, is in one of `FOLDERS`, or has the mark `process`. With `--fast`, one
that starts a process all the same fails, and says that the mark is missing.
"""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.platform_schema import fetch_schemas

TESTS = Path(__file__).parent

FIXTURES = frozenset({"browser", "node", "postgres", "running_redis"})
"""Fixtures that start a server, a browser or Node."""

FOLDERS = frozenset({"browser", "failures", "process"})
"""Folders of tests that drive a browser, start the service, or take its servers away."""

STARTS = frozenset({"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen"})
"""The interpreter's audit events for a new process; those of asyncio's are `subprocess.Popen` too."""

EXAMPLES = 10
"""Of 100 random examples of a property, this many are tried."""

GARBAGE = 100_000
"""Garbage is collected after this many new objects."""


class Guard:
    """Fails the test under way when it starts a process."""

    def __init__(self) -> None:
        self.active = False
        sys.addaudithook(self._audit)

    def _audit(self, event: str, _arguments: object) -> None:
        if self.active and event in STARTS:
            self.active = False
            pytest.fail("This test starts a process: mark it with @pytest.mark.process, which --fast leaves out.")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self.active = True
        try:
            return (yield)
        finally:
            self.active = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="Run only the tests that start no other process.")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all tests are collected: nearly everything that is made until then stays
    config.addinivalue_line("markers", "process: starts another process; left out with --fast")
    if config.getoption("fast"):
        settings.register_profile("fast", settings.default, max_examples=EXAMPLES)
        if not hasattr(config, "workerinput"):
            fetch_schemas()  # a process, which no test may start
        settings.load_profile("fast")  # before the modules of the tests are imported, which compute theirs from it
        config.pluginmanager.register(Guard())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return (config.getoption("fast") and _is_slow(collection_path)) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("fast"):
        slow = [item for item in items if starts_a_process(item)]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not starts_a_process(item)]


def pytest_collection_finish() -> None:
    """Exempt ten thousand tests from garbage collection: without this, each full collection walks through all of them.

    Each start of the service creates many objects: with Python's threshold of 700, collections took a fifth of a test.
    """
    gc.enable()
    gc.set_threshold(GARBAGE)
    gc.collect()
    gc.freeze()


def starts_a_process(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    marked = item.get_closest_marker("process") is not None
    return marked or _is_slow(item.path) or not FIXTURES.isdisjoint(fixtures)


def _is_slow(path: Path) -> bool:
    """Whether a path is in one of `FOLDERS`, or is one of them."""
    return not FOLDERS.isdisjoint(path.relative_to(TESTS).parts[:1]) if path.is_relative_to(TESTS) else False
