"""Times in data that platforms send."""

from datetime import datetime


def whole_seconds(time: object) -> int | None:
    """Convert an ISO 8601 time with a UTC offset ("2026-11-02T10:00:00-04:00") to seconds since 1970. Returns None for anything
    else, and for a time with fractions of a second."""
    try:
        moment = datetime.fromisoformat(time) if isinstance(time, str) else None
    except ValueError:
        return None
    exact = moment is not None and moment.tzinfo is not None and not moment.microsecond
    return int(moment.timestamp()) if moment and exact else None
