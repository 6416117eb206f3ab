"""How long a soak takes, and how much of everything it does."""

from dataclasses import dataclass

LIFE = 60.0
"""Seconds between two kills."""


@dataclass(frozen=True)
class Plan:
    """The service runs undisturbed by kills for `steady` seconds, and then in `lives` of `life` seconds, each ended by kill -9.

    `busy` connections always have a request under way, `idle` ones do nothing, `slow` ones send or read a byte now and then. Each
    disturbance happens every `pause` seconds.
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
        """More than there are."""
        return self.idle + 2 * self.busy + 500


def long_plan(minutes: float) -> Plan:
    """Half of the time without kills. The busy connections are twice as many as the requests that one process works on."""
    half = minutes * 60 / 2
    lives = max(1, round(half / LIFE))
    return Plan(half, lives, half / lives, busy=1000, idle=5000, slow=50, shoppers=40, webhooks=200, pause=10)


SHORT = Plan(steady=4, lives=2, life=4, busy=20, idle=50, slow=5, shoppers=10, webhooks=20, pause=2)
"""The plan for the tests: everything happens, but not for long."""
