"""What else a transaction notes about a change: the audit log, where the composition root has one."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

Note = Callable[[Connection, int, Sequence[str], Any, Any], None]
"""Notes a change of a shop (its row id): the path of what changed, and its value before and after; None where there is none."""


def note_nothing(connection: Connection, shop_id: int, path: Sequence[str], before: Any, after: Any) -> None:
    """The `Note` of those who change nothing that an operator answers for."""
