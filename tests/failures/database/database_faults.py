"""The ways in which the database can fail, and the responses that clients then receive. Also generates the table of database
failures in docs/failures.md."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from resource import RLIMIT_FSIZE, prlimit

from tests.failures.service import Service
from tests.failures.table import Refusal
from tests.servers.postgres_server import PostgresServer
from tests.storage.locking import another_process_writing

BUSY_SECONDS = 5.0
"""The maximum time in seconds that a write waits for another process's transaction. Writes queued behind this write do not wait
longer than that either."""

TIMEOUT_SECONDS = 10.0
CLOSING_SECONDS = 2.0
"""The additional time in seconds for closing a connection in use, after the TIMEOUT_SECONDS that the service waits for a response
from PostgreSQL."""

REFUSAL = Refusal(503, "storage_unavailable", 2)

POLLS = frozenset(
    {
        "the poll of revisions",
        "the poll of platform changes",
        "the publication of scheduled revisions",
        "reading the orders of platforms",
        "the delivery of events",
    }
)
"""Tasks in every process that query the database once a second."""

DATABASE = "the database"
"""The subject of log lines about the database itself."""

READ_ONLY_SECONDS = 1.0
"""The maximum total duration, in seconds, of the retries that look for another server."""


@contextmanager
def locked(service: Service, _: PostgresServer | None) -> Iterator[None]:
    with another_process_writing(service.setup.address):
        yield


@contextmanager
def full(service: Service, _: PostgresServer | None) -> Iterator[None]:
    """Prevent the process from writing any more bytes to files, as on a full disk."""
    process = service.server.process.pid
    limits = prlimit(process, RLIMIT_FSIZE)
    prlimit(process, RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        prlimit(process, RLIMIT_FSIZE, limits)


@contextmanager
def read_only(service: Service, server: PostgresServer | None) -> Iterator[None]:
    """Make the database read-only, as it is after a failover, or when its hosting provider stops writes because the disk is
    almost full."""
    assert server is not None
    name = service.setup.address.rpartition("/")[2]
    server.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    server.break_off(name)
    try:
        yield
    finally:
        server.sql(f"ALTER DATABASE {name} RESET default_transaction_read_only")


@contextmanager
def gone(_: Service, server: PostgresServer | None) -> Iterator[None]:
    assert server is not None
    server.stop()
    try:
        yield
    finally:
        server.start()


@contextmanager
def hung(_: Service, server: PostgresServer | None) -> Iterator[None]:
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
    """One way in which the database can fail, and the behaviour expected while it does.

    `seconds`: the maximum time until a request is refused; `ready`: the status of /readyz; `reads`: whether data that this
    process has not read before can be read; `lines`: the tasks whose failure and recovery are logged; `reason`: the reason in the
    log and the metrics; `sentence`: the message in the response."""

    words: str
    fails: Callable[[Service, PostgresServer | None], AbstractContextManager[None]]
    seconds: float
    ready: int
    reads: bool
    lines: frozenset[str] = frozenset({DATABASE})
    reason: str = "gone"
    sentence: str = "The database cannot be reached at the moment."


FAULTS = {
    "locked": DatabaseFault(
        "SQLite is locked by another process for a long time",
        locked,
        BUSY_SECONDS,
        ready=200,
        reads=True,
        reason="locked",
        sentence="Another program has locked the database.",
    ),
    "full": DatabaseFault(
        "SQLite's disk is full",
        full,
        0.0,
        ready=503,
        reads=True,
        reason="full",
        sentence="The database's disk is full: nothing can be stored at the moment.",
    ),
    "read-only": DatabaseFault(
        "PostgreSQL is read-only",
        read_only,
        READ_ONLY_SECONDS,
        ready=503,
        reads=True,
        reason="read_only",
        sentence="The database is read-only at the moment.",
    ),
    "gone": DatabaseFault("PostgreSQL is down", gone, 0.0, ready=503, reads=False, lines=POLLS | {DATABASE}),
    "hung": DatabaseFault(
        "PostgreSQL hangs", hung, TIMEOUT_SECONDS + CLOSING_SECONDS, ready=503, reads=False, lines=POLLS | {DATABASE}
    ),
}


def table_of_databases() -> Iterator[str]:
    """Generate the table of database failures in docs/failures.md, line by line."""
    yield "| the database | reads of data that this process has read before | other reads | configure | `/readyz` | reason |"
    yield "|---|---|---|---|---|---|"
    for fault in FAULTS.values():
        refused = f"{REFUSAL}, {_within(fault.seconds)}"
        yield f"| {fault.words} | 200 | {200 if fault.reads else refused} | {refused} | {fault.ready} | `{fault.reason}` |"


def _within(seconds: float) -> str:
    return f"after {seconds:g} s at most" if seconds else "at once"
