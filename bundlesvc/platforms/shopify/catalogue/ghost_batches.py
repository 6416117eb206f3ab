"""Creates ghost variants in batches: requests that arrive during a call for the same product wait for the next call
(docs/decisions/0034-ghost-variants-in-batches.md)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from bundlesvc.domain.shop import Tenant

MAX_BATCH = 100
"""The maximum number of variants per call. The platform accepts more, but a call must finish in time."""

_Product = tuple[int, str | None, int]
"""A shop's row id and domain, and a product id."""

Outcome = int | Exception
Create = Callable[[Tenant, int, Mapping[str, Decimal]], Awaitable[Mapping[str, Outcome]]]
"""A function that creates variants of a product with the given option values and prices. It returns the id of each variant, or
the error that prevented its creation."""


class _VariantRequest(NamedTuple):
    tenant: Tenant
    price: Decimal
    created: asyncio.Future[int]


class GhostBatches:
    """Calls `create` with one batch at a time per product, first come, first served. Requests for different products or shops do
    not wait for each other."""

    def __init__(self, create: Create) -> None:
        self._create = create
        self._waiting: dict[_Product, dict[str, _VariantRequest]] = {}
        self._running: dict[_Product, asyncio.Task[None]] = {}

    async def ghost(self, tenant: Tenant, product_id: int, option_value: str, price: Decimal) -> int:
        """Create a ghost variant, and return its id. The creation continues even if the caller stops waiting. Raises the error
        that `create` raises or returns for this variant."""
        product = tenant.id, tenant.shop.platform.domain, product_id
        waiting = self._waiting.setdefault(product, {})
        if option_value not in waiting:
            created = asyncio.get_running_loop().create_future()
            created.add_done_callback(_retrieve)
            waiting[option_value] = _VariantRequest(tenant, price, created)
        if product not in self._running:
            self._running[product] = asyncio.create_task(self._run(product))
        return await asyncio.shield(waiting[option_value].created)

    async def aclose(self) -> None:
        """Cancel the calls in progress, and the requests that wait for a later call."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _run(self, product: _Product) -> None:
        waiting = self._waiting[product]
        batch: dict[str, _VariantRequest] = {}
        try:
            while waiting:
                batch = dict(islice(waiting.items(), MAX_BATCH))
                for option_value in batch:
                    del waiting[option_value]
                await self._run_batch(product[-1], batch)
        finally:
            for wanted in (*batch.values(), *waiting.values()):  # no-op unless cancelled
                wanted.created.cancel()
            del self._waiting[product], self._running[product]

    async def _run_batch(self, product_id: int, batch: Mapping[str, _VariantRequest]) -> None:
        prices = {option_value: wanted.price for option_value, wanted in batch.items()}
        tenant = next(iter(batch.values())).tenant
        try:
            outcomes = await self._create(tenant, product_id, prices)
        except Exception as error:  # noqa: BLE001 - no caller may be left waiting, whatever went wrong
            outcomes = dict.fromkeys(batch, error)
        for option_value, wanted in batch.items():
            outcome = outcomes[option_value]
            if isinstance(outcome, Exception):
                wanted.created.set_exception(outcome)
            else:
                wanted.created.set_result(outcome)


def _retrieve(created: asyncio.Future[int]) -> None:
    """Retrieve the error of a future, because asyncio would log an error that is never retrieved."""
    if not created.cancelled():
        created.exception()
