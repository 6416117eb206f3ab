"""The times at which a delivery is retried: soon at first, then at growing intervals, for a day."""

MINUTE, HOUR = 60, 3600

PAUSES = (5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR)
"""The pauses between consecutive attempts, in seconds."""

SPREAD = 0.1
"""The largest random extension of a pause, as a share of it. It keeps many deliveries to one endpoint from arriving at the same
time."""


def pause_after(attempts: int, chance: float) -> int | None:
    """Return the seconds until the next attempt; None when no attempts are left. `chance` is a random number from 0 to 1."""
    if attempts > len(PAUSES):
        return None
    return round(PAUSES[attempts - 1] * (1 + SPREAD * chance))
