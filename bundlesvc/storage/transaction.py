"""What is written: functions of a connection, each a transaction of its own for whoever hands it over."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

T = TypeVar("T")

Work = Callable[[Connection], T]
"""Short, synchronous, without network calls of its own. It may be done more than once: only what it did last stays."""


class Conflict(Exception):
    """A unique row is there already: another writer came first. The work may be tried again, and will then see it."""
