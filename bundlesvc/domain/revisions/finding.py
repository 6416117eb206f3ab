"""The findings of the linter in the content of a revision."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Finding(NamedTuple):
    """A problem that the linter has found. `path` leads from the root of the content to the problem, and identifies list items by
    id. `fix` is a merge patch for the affected item, set when there is only one way to fix the problem."""

    path: str
    code: str
    severity: str
    message: str
    hint: str
    fix: Mapping[str, Any] | None = None
