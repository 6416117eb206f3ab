"""Ends subscriptions that never receive an order."""

from bundlesvc.domain.shopper import DAY
from bundlesvc.ports import Clock
from bundlesvc.ports.orders import SubscriptionStates


class SubscriptionEnds:
    """Ends pending subscriptions that have had no order for `days` days. Ends none when `days` is 0."""

    def __init__(self, states: SubscriptionStates, clock: Clock, days: int) -> None:
        self._states = states
        self._clock = clock
        self._days = days

    async def run(self) -> None:
        """End the pending subscriptions that have had no order for too long. Raises StorageUnavailable."""
        if self._days:
            await self._states.expire(int(self._clock.now()) - self._days * DAY)
