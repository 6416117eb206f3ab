"""The supported API versions, and which of them responds to a request."""

import re

CURRENT = "2026-07"
SUPPORTED = ("2025-10", "2026-01", "2026-04", CURRENT, "2026-10")
"""The supported API versions, oldest first. All use the schema of the current version."""

_VERSION = re.compile(r"\d{4}-(01|04|07|10)\Z", re.ASCII)


def responding_version(requested: str, supported: tuple[str, ...] = SUPPORTED) -> str | None:
    """Return the version that responds to a request. An expired version falls forward to the oldest supported version. Returns
    None for any other unsupported version."""
    if requested in supported:
        return requested
    return supported[0] if _VERSION.match(requested) and requested < supported[0] else None
