"""The errors of a GraphQL response."""

from collections.abc import Mapping
from typing import Any

LONGEST_QUOTE = 300


def code_of(error: Any) -> str:
    """The code of an error; empty when it has none."""
    extensions = error.get("extensions") if isinstance(error, Mapping) else None
    return str(extensions.get("code", "")) if isinstance(extensions, Mapping) else ""


def message_of(error: Any) -> str:
    """The platform's own words about an error, quoted."""
    return quote(error.get("message", "") if isinstance(error, Mapping) else error)


def quote(words: object) -> str:
    """Quote the platform's own words, on one line and limited in length."""
    return " ".join(str(words).split())[:LONGEST_QUOTE]
