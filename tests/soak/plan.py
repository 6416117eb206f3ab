"""The duration of a soak test, its load, and how often it injects faults."""

from dataclasses import dataclass

LIFE = 60.0
"""Seconds between two kills."""


@dataclass(frozen=True)
class Plan:
    """The plan of a soak test. The service first runs for `steady` seconds without being killed, and then for `lives` periods of
    `life` seconds, each ended by kill -9.

    `busy` connections always have a request in flight, `idle` connections do nothing, and `slow` connections occasionally send or
    read a byte. Each disturbance happens every `pause` seconds.
    """

    steady: float
    lives: int
    life: float
    busy: int
    idle: int
    slow: int
    shoppers: int
    webhooks: int
    pause: float

    @property
    def connections(self) -> int:
        """The connection limit that the service is configured with: higher than the number of connections that the soak opens."""
        return self.idle + 2 * self.busy + 500


def long_plan(minutes: float) -> Plan:
    """Plan a soak test in which the service is not killed during the first half. The number of busy connections is twice the
    number of requests that one process handles at a time."""
    half = minutes * 60 / 2
    lives = max(1, round(half / LIFE))
    return Plan(half, lives, half / lives, busy=1000, idle=5000, slow=50, shoppers=40, webhooks=200, pause=10)


SHORT = Plan(steady=4, lives=2, life=4, busy=20, idle=50, slow=5, shoppers=10, webhooks=20, pause=2)
"""The plan for the tests: everything happens, but not for long."""
