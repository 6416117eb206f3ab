"""The hook through which a transaction can also record a change elsewhere: in the audit log, if the application has one."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

Note = Callable[[Connection, int, Sequence[str], Any, Any], None]
"""A function that records a change of a shop: the shop's row id, the path of the change, and the values before and after it,
which are None where there is no value."""


def note_nothing(connection: Connection, shop_id: int, path: Sequence[str], before: Any, after: Any) -> None:
    """A `Note` that records nothing, for changes that do not belong in the audit log."""
