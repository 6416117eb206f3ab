"""JSON merge patch (RFC 7386)."""

from collections.abc import Mapping
from typing import Any

from bundlesvc.domain.revisions.plain import Plain


def patched(value: Plain, patch: Plain) -> Any:
    """Apply a merge patch to a value: null removes a key, an object is merged into the object under the same key, and anything
    else replaces the old value."""
    if not isinstance(patch, Mapping):
        return patch
    made = dict(value) if isinstance(value, Mapping) else {}
    for key, change in patch.items():
        if change is None:
            made.pop(key, None)
        else:
            made[key] = patched(made.get(key), change)
    return made
