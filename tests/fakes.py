"""Fakes of the system ports: a clock that tests set, and ids that count up."""

from collections.abc import Sequence
from itertools import count

from bundlesvc.domain.live_platform.platform_change import Change, Delivery

START = 1_800_000_000.0


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, start: float = START) -> None:
        self.time = start

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    def move(self, seconds: float) -> None:
        self.time += seconds


class FakeIds:
    """Ids that count up: 1, 2, 3 …"""

    def __init__(self) -> None:
        self._numbers = count(1)

    def configured_bundle(self) -> tuple[int, str]:
        return next(self._numbers), self.unique_id()

    def unique_id(self) -> str:
        return f"{next(self._numbers):032x}"

    def key_secret(self) -> str:
        return f"{next(self._numbers):043d}"


def delivery(id_: str, changes: Sequence[Change], signature: str | None = None, subject: str = "products") -> Delivery:
    """Build a webhook delivery. Deliveries with different ids are different webhooks, unless they have the same signature."""
    return Delivery(id_, tuple(changes), signature or f"signature of {id_}", subject, f"{subject}/update")
