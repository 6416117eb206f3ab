"""Determines why access to a SQLite file fails: a full disk, a read-only file or folder, another writer, or a corrupt file."""

import errno
import sqlite3
import tempfile
from pathlib import Path

from bundlesvc.domain.errors import StorageFull, StorageLocked, StorageReadOnly, StorageUnavailable

TEST_BYTES = 256 * 1024
"""Size in bytes of the test write that shows whether the disk has room: more than a group of configured bundles."""

_BY_ERRNO: dict[int, type[StorageUnavailable]] = {
    errno.ENOSPC: StorageFull,
    errno.EDQUOT: StorageFull,
    errno.EFBIG: StorageFull,
    errno.EROFS: StorageReadOnly,
    errno.EACCES: StorageReadOnly,
    errno.EPERM: StorageReadOnly,
}
_BY_CODE: dict[int, type[StorageUnavailable]] = {
    sqlite3.SQLITE_FULL: StorageFull,
    sqlite3.SQLITE_READONLY: StorageReadOnly,
    sqlite3.SQLITE_BUSY: StorageLocked,
    sqlite3.SQLITE_LOCKED: StorageLocked,
}
_BROKEN = frozenset((*_BY_CODE, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM,
                     sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PROTOCOL))  # fmt: skip
"""Errors of the whole file, not of a statement."""


def unwritable(folder: Path) -> StorageUnavailable | None:
    """Return an error that says why files in this folder cannot grow, or None when they can. Tests this by writing an unnamed
    temporary file."""
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


def failure_of(error: BaseException, folder: Path) -> StorageUnavailable:
    """Return the failure that corresponds to a SQLite error on a file in this folder. SQLite reports an exceeded quota as an I/O
    error; a test write in the folder distinguishes it from a real I/O error."""
    code = _code(error)
    if code == sqlite3.SQLITE_IOERR and (found := unwritable(folder)):
        return found
    failure = _BY_CODE.get(code or 0, StorageUnavailable)()
    failure.__cause__ = error
    return failure


def breaks_file(error: BaseException) -> bool:
    """Whether an error concerns the whole file, and not only the statement that raised it."""
    return _code(error) in _BROKEN


def _code(error: BaseException) -> int | None:
    """Return SQLite's primary result code for an error, or None when the error has no SQLite code."""
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
