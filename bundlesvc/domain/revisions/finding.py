"""What the linter finds in the content of a revision."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Finding(NamedTuple):
    """One thing that the linter finds; `path` leads from the top of the content, through items by their names. `fix` is a merge
    patch of the item that it is in, where only one is possible."""

    path: str
    code: str
    severity: str
    message: str
    hint: str
    fix: Mapping[str, Any] | None = None
