"""Simulates other programs that hold a lock on the same database file."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
connection.execute("ROLLBACK")
connection.close()
"""


@contextmanager
def writing(path: str) -> Iterator[sqlite3.Connection]:
    """Hold a write transaction open on another connection."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextmanager
def another_process_writing(path: str) -> Iterator[None]:
    """Hold a write transaction open in another process."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        yield
        process.communicate("")


@contextmanager
def locked_for_all(path: str) -> Iterator[None]:
    """Lock the whole file from another connection, for reads as well."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        yield
        connection.execute("ROLLBACK")
