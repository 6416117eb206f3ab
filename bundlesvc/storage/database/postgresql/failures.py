"""Determines why a PostgreSQL server fails: a full disk, a read-only server, or a server that cannot be reached."""

import socket
import ssl

from bundlesvc.domain.errors import StorageBusy, StorageFull, StorageReadOnly, StorageUnavailable

_BY_SQLSTATE: dict[str, type[StorageUnavailable]] = {"53100": StorageFull, "25006": StorageReadOnly}
_BROKEN_CLASSES = ("08", "53", "57", "58", "XX")
"""Classes of PostgreSQL errors that concern the server, not a statement."""

_NOT_YET = ("57P03", "53300", "08003", "08006")
"""Error codes of a PostgreSQL server that is starting or stopping, has no free connection, or has closed the connection."""


def failure_of(error: BaseException) -> StorageUnavailable:
    """Return the failure that corresponds to an error from a PostgreSQL server."""
    failure = _BY_SQLSTATE.get(_sqlstate(error) or "", StorageUnavailable)()
    failure.__cause__ = error
    return failure


def breaks_server(failure: StorageUnavailable) -> bool:
    """Whether a failure concerns the server itself, rather than the unit of work, one of its statements, or the number of waiting
    requests."""
    if failure.__cause__ is None or isinstance(failure, StorageBusy):
        return False
    state = _sqlstate(failure.__cause__)
    return state is None or state in _BY_SQLSTATE or state.startswith(_BROKEN_CLASSES)


def may_come(failure: StorageUnavailable) -> bool:
    """Whether a PostgreSQL server that cannot be reached may still be starting: nothing listens, or it does not accept
    connections yet. By contrast, an unknown host name, a wrong password or an invalid certificate means that the settings are
    wrong."""
    error = failure.__cause__
    if isinstance(error, socket.gaierror):
        return error.errno == socket.EAI_AGAIN
    if isinstance(error, ssl.SSLError):
        return False
    return isinstance(error, OSError) or _sqlstate(failure) in _NOT_YET


def _sqlstate(error: BaseException) -> str | None:
    """Return the SQLSTATE code of an error or, if the error has none, of the nearest of its causes that has one."""
    found: BaseException | None = error
    while found is not None:
        state: str | None = getattr(found, "sqlstate", None)
        if state:
            return state
        found = found.__cause__
    return None
