"""Ways in which the database fails, and what clients are told of each. docs/operations.md has the same as a table, made here."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from resource import RLIMIT_FSIZE, prlimit

from tests.failures.stage import Stage
from tests.failures.table import Refusal
from tests.postgres_server import PostgresServer
from tests.storage.locking import another_process_writing

BUSY_SECONDS = 5.0
"""So long does a write wait for another process' transaction: those that came meanwhile wait no longer than the first."""

TIMEOUT_SECONDS = 10.0
CLOSING_SECONDS = 2.0
"""After so long a PostgreSQL that does not answer counts as away; it takes a connection that was in use this much more to be
given up."""

REFUSAL = Refusal(503, "storage_unavailable", 2)

POLLS = frozenset({"the poll of revisions", "the poll of platform changes"})
"""Tasks of every process that ask the database once a second."""


@contextmanager
def locked(stage: Stage, _: PostgresServer | None) -> Iterator[None]:
    with another_process_writing(stage.ground.address):
        yield


@contextmanager
def full(stage: Stage, _: PostgresServer | None) -> Iterator[None]:
    """The process may write no further into any file."""
    process = stage.server.process.pid
    limits = prlimit(process, RLIMIT_FSIZE)
    prlimit(process, RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        prlimit(process, RLIMIT_FSIZE, limits)


@contextmanager
def gone(_: Stage, server: PostgresServer | None) -> Iterator[None]:
    assert server is not None
    server.stop()
    try:
        yield
    finally:
        server.start()


@contextmanager
def hung(_: Stage, server: PostgresServer | None) -> Iterator[None]:
    assert server is not None
    processes = server.pids()
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


@dataclass(frozen=True)
class DatabaseFault:
    """`seconds`: so long does it take at most to be refused; `ready`: what /readyz says; `reads`: whether what this process
    has not read yet can be read; `lines`: of what the log says that it began, and that it ended."""

    words: str
    fails: Callable[[Stage, PostgresServer | None], AbstractContextManager[None]]
    seconds: float
    ready: int
    reads: bool
    lines: frozenset[str] = frozenset()


FAULTS = {
    "locked": DatabaseFault(
        "SQLite is locked by another process for long", locked, BUSY_SECONDS, ready=200, reads=True
    ),
    "full": DatabaseFault("SQLite's disk is full", full, 0.0, ready=200, reads=True),
    "gone": DatabaseFault("PostgreSQL is gone", gone, 0.0, ready=503, reads=False, lines=POLLS),
    "hung": DatabaseFault(
        "PostgreSQL hangs", hung, TIMEOUT_SECONDS + CLOSING_SECONDS, ready=503, reads=False, lines=POLLS
    ),
}


def table_of_databases() -> Iterator[str]:
    """As the guide has it."""
    yield "| the database | what this process has read before | what it has not | configure | `/readyz` |"
    yield "|---|---|---|---|---|"
    for fault in FAULTS.values():
        refused = f"{REFUSAL}, {_within(fault.seconds)}"
        yield f"| {fault.words} | 200 | {200 if fault.reads else refused} | {refused} | {fault.ready} |"


def _within(seconds: float) -> str:
    return f"after {seconds:g} s at most" if seconds else "at once"
