"""When a delivery is tried again: soon at first, then ever later, for a day."""

MINUTE, HOUR = 60, 3600

PAUSES = (5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR)
"""Seconds between an attempt and the next."""

SPREAD = 0.1
"""By how much of itself a pause may be longer, so that many deliveries to one endpoint do not come at once."""


def pause_after(attempts: int, chance: float) -> int | None:
    """Seconds until the next attempt; None when there is none. `chance` is a random number from 0 to 1."""
    if attempts > len(PAUSES):
        return None
    return round(PAUSES[attempts - 1] * (1 + SPREAD * chance))
