"""Subscriptions that are never ordered end."""

from bundlesvc.domain.shopper import DAY
from bundlesvc.ports import Clock
from bundlesvc.ports.orders import SubscriptionStates


class SubscriptionEnds:
    """Ends pending subscriptions after a number of days without an order; none if it is 0."""

    def __init__(self, states: SubscriptionStates, clock: Clock, days: int) -> None:
        self._states = states
        self._clock = clock
        self._days = days

    async def run(self) -> None:
        """End the subscriptions that had no order for too long. Raises StorageUnavailable."""
        if self._days:
            await self._states.expire(int(self._clock.now()) - self._days * DAY)
