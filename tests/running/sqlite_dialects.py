"""SQLAlchemy's two SQLite dialects, created once for all engines of the tests.

An engine compiles each statement when it first executes it. A test opens two to four engines of its own, so compilation would
take up a considerable part of the test's time. Here all engines share one dialect of each kind, together with its compiled
statements.
"""

from typing import Any, ClassVar, Self

from sqlalchemy import Connection, Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache


class _MadeOnce(DefaultDialect):
    """A dialect with only one instance per class: each later instantiation returns the first instance, including its state."""

    _made: ClassVar[Any] = None
    _compiled: ClassVar[LRUCache[Any, Any]]
    _initialized = False

    def __new__(cls, **_options: Any) -> Self:
        if cls._made is None:
            cls._made, cls._compiled = super().__new__(cls), LRUCache(1000)
        made: Self = cls._made
        return made

    def __init__(self, **options: Any) -> None:
        if not hasattr(self, "dbapi"):
            super().__init__(**options)

    def initialize(self, connection: Connection) -> None:
        if not self._initialized:
            super().initialize(connection)
            self._initialized = True

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        engine._compiled_cache = cls._compiled


class AiosqliteOnce(_MadeOnce, SQLiteDialect_aiosqlite):
    supports_statement_cache = True


class PysqliteOnce(_MadeOnce, SQLiteDialect_pysqlite):
    supports_statement_cache = True


def register() -> None:
    """Make new SQLite engines use the shared dialects from now on."""
    registry.register("sqlite.aiosqlite", __name__, "AiosqliteOnce")
    registry.register("sqlite", __name__, "PysqliteOnce")
