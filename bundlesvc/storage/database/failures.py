"""Why a database fails: full, read-only, locked, or out of reach."""

import errno
import socket
import sqlite3
import ssl
import tempfile
from pathlib import Path

from bundlesvc.domain.errors import StorageBusy, StorageFull, StorageLocked, StorageReadOnly, StorageUnavailable

TEST_BYTES = 256 * 1024
"""Bytes of the test write that shows whether a disk has room: more than a group of configured bundles."""

_BY_ERRNO: dict[int, type[StorageUnavailable]] = {
    errno.ENOSPC: StorageFull,
    errno.EDQUOT: StorageFull,
    errno.EFBIG: StorageFull,
    errno.EROFS: StorageReadOnly,
    errno.EACCES: StorageReadOnly,
    errno.EPERM: StorageReadOnly,
}
_BY_SQLITE: dict[int, type[StorageUnavailable]] = {
    sqlite3.SQLITE_FULL: StorageFull,
    sqlite3.SQLITE_READONLY: StorageReadOnly,
    sqlite3.SQLITE_BUSY: StorageLocked,
    sqlite3.SQLITE_LOCKED: StorageLocked,
}
_BROKEN_SQLITE = frozenset((*_BY_SQLITE, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM,
                            sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PROTOCOL))  # fmt: skip
"""Errors of the file, not of a statement."""

_BY_SQLSTATE: dict[str, type[StorageUnavailable]] = {"53100": StorageFull, "25006": StorageReadOnly}
_BROKEN_CLASSES = ("08", "53", "57", "58", "XX")
"""Classes of PostgreSQL errors that concern the server, not a statement."""

_NOT_YET = ("57P03", "53300", "08003", "08006")
"""Codes of a PostgreSQL that is starting or stopping, has no free connection, or closed the connection."""


def unwritable(folder: Path) -> StorageUnavailable | None:
    """Why files in this folder cannot grow; None when they can. Found out by writing a file without a name."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            written = 0
            while written < TEST_BYTES:
                written += file.write(bytes(TEST_BYTES - written))
    except OSError as error:
        failure = _BY_ERRNO.get(error.errno or 0, StorageUnavailable)()
        failure.__cause__ = error
        return failure
    return None


def of_sqlite(error: BaseException, folder: Path) -> StorageUnavailable:
    """The failure behind an error of a SQLite file in this folder. SQLite reports an exceeded quota as an I/O error; a test
    write in the folder tells them apart."""
    code = _sqlite_code(error)
    if code == sqlite3.SQLITE_IOERR and (found := unwritable(folder)):
        return found
    failure = _BY_SQLITE.get(code or 0, StorageUnavailable)()
    failure.__cause__ = error
    return failure


def breaks_sqlite(error: BaseException) -> bool:
    """Whether an error concerns the file, and not only the statement that raised it."""
    return _sqlite_code(error) in _BROKEN_SQLITE


def of_postgresql(error: BaseException) -> StorageUnavailable:
    """The failure behind an error of a PostgreSQL server."""
    failure = _BY_SQLSTATE.get(_sqlstate(error) or "", StorageUnavailable)()
    failure.__cause__ = error
    return failure


def breaks_postgresql(failure: StorageUnavailable) -> bool:
    """Whether a failure concerns the server, and not the work, one of its statements, or the number of waiting requests."""
    if failure.__cause__ is None or isinstance(failure, StorageBusy):
        return False
    state = _sqlstate(failure.__cause__)
    return state is None or state in _BY_SQLSTATE or state.startswith(_BROKEN_CLASSES)


def may_come(failure: StorageUnavailable) -> bool:
    """Whether a PostgreSQL that cannot be reached may still be starting: nothing listens, or it accepts no connections yet. An
    unknown host name, a wrong password and an invalid certificate are errors in the settings instead."""
    error = failure.__cause__
    if isinstance(error, socket.gaierror):
        return error.errno == socket.EAI_AGAIN
    if isinstance(error, ssl.SSLError):
        return False
    return isinstance(error, OSError) or _sqlstate(failure) in _NOT_YET


def _sqlite_code(error: BaseException) -> int | None:
    """The primary code of SQLite's own error."""
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _sqlstate(error: BaseException) -> str | None:
    """The code of PostgreSQL's own error, which is this error or its cause."""
    found: BaseException | None = error
    while found is not None:
        state: str | None = getattr(found, "sqlstate", None)
        if state:
            return state
        found = found.__cause__
    return None
