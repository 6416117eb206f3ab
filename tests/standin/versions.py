"""The API's versions: which are there, and which one answers a request."""

import re

CURRENT = "2026-07"
SUPPORTED = ("2025-10", "2026-01", "2026-04", CURRENT, "2026-10")
"""The oldest first. All are answered from one schema, the current one's."""

_VERSION = re.compile(r"\d{4}-(01|04|07|10)\Z", re.ASCII)


def answering(asked: str, supported: tuple[str, ...] = SUPPORTED) -> str | None:
    """An expired version falls forward to the oldest that is supported; None for one that never was."""
    if asked in supported:
        return asked
    return supported[0] if _VERSION.match(asked) and asked < supported[0] else None
