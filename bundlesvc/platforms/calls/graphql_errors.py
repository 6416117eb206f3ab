"""Reads the codes and messages of the errors in a GraphQL response."""

from collections.abc import Mapping
from typing import Any

LONGEST_QUOTE = 300


def code_of(error: Any) -> str:
    """Return the code of a GraphQL error; empty when it has none."""
    extensions = error.get("extensions") if isinstance(error, Mapping) else None
    return str(extensions.get("code", "")) if isinstance(extensions, Mapping) else ""


def message_of(error: Any) -> str:
    """Return the platform's own error message, shortened for quoting."""
    return quote(error.get("message", "") if isinstance(error, Mapping) else error)


def quote(words: object) -> str:
    """Reduce the platform's own words to one line of limited length, for quoting in a message."""
    return " ".join(str(words).split())[:LONGEST_QUOTE]
