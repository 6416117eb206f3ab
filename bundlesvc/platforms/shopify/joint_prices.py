"""Questions for prices in one country that come at the same moment are put to the shop as one: a list, a price and a purchase
of the same bundle would else resolve the country three times."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.bucket import Sleep

BOARDING_SECONDS = 0.01
"""So long a question waits for others; the shop takes many times as long."""

Prices = Mapping[int, MarketPrice]
_Key = tuple[int, str | None, str]
"""A shop, its domain, and a country."""

Ask = Callable[[Tenant, Iterable[Variant], str], Awaitable[Prices]]


@dataclass(slots=True)
class _Joint:
    """A question that others may still join, and how many wait for its answer."""

    answer: asyncio.Task[Prices]
    variants: dict[int, Variant] = field(default_factory=dict)
    waiting: int = 0


class JointPrices:
    """`ask` sends the request; all who joined it get its result, or its error.

    Not a `SingleFlight`: what joins differs in its variants, and they are added to the request before it is sent. A request
    that everybody left is cancelled, because the cache above already shares equal ones."""

    def __init__(self, ask: Ask, sleep: Sleep) -> None:
        self._ask = ask
        self._sleep = sleep
        self._boarding: dict[_Key, _Joint] = {}

    async def prices(self, tenant: Tenant, variants: Iterable[Variant], country: str) -> Prices:
        """By variant id, as `ask` answers. What was read before this question is no part of the answer."""
        wanted = {variant.id: variant for variant in variants}
        key = (tenant.id, tenant.shop.platform.domain, country)
        joint = self._boarding.get(key)
        if joint is None:
            joint = self._boarding[key] = _Joint(asyncio.create_task(self._depart(key, tenant)))
        joint.variants |= wanted
        joint.waiting += 1
        try:
            found = await asyncio.shield(joint.answer)
        finally:
            joint.waiting -= 1
            if not joint.waiting:
                self._give_up(key, joint)
        return {variant_id: price for variant_id, price in found.items() if variant_id in wanted}

    async def _depart(self, key: _Key, tenant: Tenant) -> Prices:
        await self._sleep(BOARDING_SECONDS)
        return await self._ask(tenant, self._boarding.pop(key).variants.values(), key[-1])

    def _give_up(self, key: _Key, joint: _Joint) -> None:
        """Nobody is left who wants to know, if it is not answered anyway."""
        joint.answer.cancel()
        if self._boarding.get(key) is joint:
            del self._boarding[key]
