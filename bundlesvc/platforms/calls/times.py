"""Times in what platforms send."""

from datetime import datetime


def whole_seconds(time: object) -> int | None:
    """A time with its zone ("2026-11-02T10:00:00-04:00") in seconds since 1970; None when it is something else, or more exact."""
    try:
        moment = datetime.fromisoformat(time) if isinstance(time, str) else None
    except ValueError:
        return None
    exact = moment is not None and moment.tzinfo is not None and not moment.microsecond
    return int(moment.timestamp()) if moment and exact else None
