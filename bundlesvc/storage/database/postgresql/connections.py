"""Connects to PostgreSQL, on one of several hosts or through a connection pooler.

A pooler in transaction mode runs each transaction on any of its connections to the server. On that connection, a prepared
statement may be unknown, or may be another process's statement with the same name. Names are therefore random; after the first
unknown statement, all statements are prepared again at each use, without a name.
"""

import errno
import logging
import secrets
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import asyncpg
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bundlesvc.domain.errors import StorageReadOnly, StorageUnavailable
from bundlesvc.storage.database.address import PREFER_STANDBY, for_driver, has_pooler, one_per_host, option

logger = logging.getLogger(__name__)

CONNECT_SECONDS, HOST_SECONDS = 10.0, 3.0
"""Seconds after which a host that does not respond counts as unavailable: if it is the only host, and at most if there are
several hosts."""

RECYCLE_SECONDS = 300
"""Seconds after which a connection is replaced, because network devices drop idle connections."""

STANDBY_SECONDS = 30
"""Seconds after which a preferred standby is tried again, and connections to the host used in its place are replaced."""

_CACHED_STATEMENTS = 100

_READ_ONLY = "25006"
"""The error code of a write on a read-only server: after a failover, a connection may still lead to the former primary."""

_WRITABLE = ("read-write", "primary")
"""The values of `target_session_attrs` that exclude read-only hosts."""

_UNKNOWN_STATEMENT = "26000"


class Connections:
    """Opens connections to the database at a URL. `timeout` is the time limit per statement, in seconds."""

    def __init__(self, url: str, timeout: float) -> None:
        address, session = for_driver(url), option(url, "target_session_attrs")
        # Try one host after another: to prefer a standby, first try every host as a standby.
        wanted = ("standby", "any") if session == PREFER_STANDBY else (session,)
        self._attempts = [(host, each) for each in wanted for host in one_per_host(address)]
        self._seconds = CONNECT_SECONDS
        if len(self._attempts) > 1:  # leaves time for the other hosts
            self._seconds = min(HOST_SECONDS, timeout / (len(self._attempts) + 1))
        self._best, self._tried_at = 0, 0.0
        self._preferred = len(self._attempts) // len(wanted)
        """The number of attempts that are as good as the first."""
        self._name = None if option(url, "application_name") else {"application_name": "bundlesvc"}
        self._timeout = timeout
        self._has_pooler = has_pooler(url)
        self._prefix, self._numbers = secrets.token_hex(8), count()

    def engine(self, **options: Any) -> AsyncEngine:
        """Create a SQLAlchemy engine that uses these connections. The engine does not contain the address, so the password cannot
        appear in any log line."""
        engine: AsyncEngine = create_async_engine(
            "postgresql+asyncpg://",
            creator=lambda: self._connection(engine),
            max_overflow=0,
            pool_timeout=self._timeout,
            pool_recycle=RECYCLE_SECONDS if self._preferred == len(self._attempts) else STANDBY_SECONDS,
            hide_parameters=True,
            **options,
        )
        event.listen(engine.sync_engine, "handle_error", self._notice)
        return engine

    def _connection(self, engine: AsyncEngine) -> Any:
        connect: Callable[..., Any] = engine.sync_engine.dialect.loaded_dbapi.connect
        return connect(
            async_creator_fn=self._connect,
            prepared_statement_cache_size=0 if self._has_pooler else _CACHED_STATEMENTS,
            prepared_statement_name_func=self.statement_name,
        )

    def statement_name(self) -> str:
        """Return a new name for a prepared statement, or an empty one when a pooler is in front of the database."""
        return "" if self._has_pooler else f"{self._prefix}_{next(self._numbers)}"

    async def _connect(self) -> asyncpg.Connection:
        failure: Exception | None = None
        first = self._first()
        for place in range(first, first + len(self._attempts)):
            attempt = place % len(self._attempts)
            try:
                connection = await self._connect_to(*self._attempts[attempt])
            except Exception as error:  # noqa: BLE001 - the next host may work, whatever is wrong with this one
                failure = error if failure is None or isinstance(failure, OSError) else failure
            else:
                self._best = attempt
                return connection
        raise self._failed(failure)

    def _failed(self, failure: Exception | None) -> StorageUnavailable:
        """Return the error of the first host that responded, or of the last host tried when none responded."""
        refused = StorageUnavailable()
        refused.__cause__ = failure
        if isinstance(failure, asyncpg.TargetServerAttributeNotMatched):
            role = self._attempts[-1][1]
            refused = StorageReadOnly() if role in _WRITABLE else refused
            refused.__cause__ = OSError(
                errno.EHOSTUNREACH, f"no host has the role that target_session_attrs names ({role}), but one responded"
            )
        return refused

    def _first(self) -> int:
        """Return the index of the attempt to begin with: the last one that succeeded. When a standby is preferred but another
        host is in use, occasionally return the first attempt instead."""
        now = time.monotonic()
        if self._best >= self._preferred and now - self._tried_at >= STANDBY_SECONDS:
            self._tried_at = now
            return 0
        return self._best

    async def _connect_to(self, address: str, session: str | None) -> asyncpg.Connection:
        return await asyncpg.connect(
            address,
            timeout=self._seconds,
            command_timeout=self._timeout,
            server_settings=self._name,
            statement_cache_size=0,  # SQLAlchemy caches prepared statements, under our own names
            target_session_attrs=session,
        )

    def _notice(self, context: Any) -> None:
        """Treat a connection, and all earlier ones, as broken if the connection leads to a former primary server or if a pooler
        has lost the connection's prepared statements."""
        state = getattr(context.original_exception, "sqlstate", None)
        if state == _UNKNOWN_STATEMENT and not self._has_pooler:
            logger.warning("a connection pooler is in front of the database: add pgbouncer=true to its URL.")
            self._has_pooler = True
        if state in (_READ_ONLY, _UNKNOWN_STATEMENT):
            context.is_disconnect = True
