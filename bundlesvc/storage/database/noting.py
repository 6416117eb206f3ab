"""What else a transaction notes about a change: the audit log, where the composition root has one."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

Note = Callable[[Connection, int, Sequence[str], Any, Any], None]
"""A function that records a change of a shop: the shop's row id, the path of the change, and the values before and after; None
for no value."""


def note_nothing(connection: Connection, shop_id: int, path: Sequence[str], before: Any, after: Any) -> None:
    """The `Note` of those who change nothing that an operator answers for."""
