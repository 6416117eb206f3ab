"""Diagnoses orders: checks whether recent orders were charged as promised, and if not, says what to do."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

from bundlesvc.domain.orders.kept_promises import REMEDIES, PromiseCounts
from bundlesvc.domain.orders.verdict import UNEXPLAINED
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock, ShopStore
from bundlesvc.ports.orders import OrderStore
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK, CheckResult

DAYS = 7
DAY = 86_400

MANY = 0.1
"""The share of orders with the same cause above which a problem is reported. A smaller share may be due to what some shoppers
do."""
FEW = 3
"""The maximum number of orders that may have the same cause by chance."""


class OrderDiagnosis:
    """Checks every shop's orders from the last few days. Changes nothing."""

    def __init__(self, shops: ShopStore, orders: OrderStore, clock: Clock) -> None:
        self._shops = shops
        self._orders = orders
        self._clock = clock

    async def results(self) -> AsyncIterator[CheckResult]:
        """Yield a result for each shop with orders. Test orders are considered only in a shop that has no other orders, such as
        one that is being set up."""
        since = int(self._clock.now()) - DAYS * DAY
        for tenant in await self._shops.tenants():
            for test in (False, True):
                counts = await self._orders.promise_counts(tenant, since, test=test)
                if counts.orders:
                    yield _result(tenant, counts, since, "test order" if test else "order")
                    break


def _result(tenant: Tenant, counts: PromiseCounts, since: int, noun: str) -> CheckResult:
    handle, largest = tenant.shop.handle, counts.largest
    orders = noun if counts.orders == 1 else f"{noun}s"
    sentence = f"{counts.kept} of {counts.orders} {orders} of the last {DAYS} days as promised"
    if largest is None:
        return CheckResult(OK, "orders", sentence, shop=handle)
    number = counts.by_verdict[largest]
    day = datetime.fromtimestamp(since, UTC).date()
    remedy = f"{REMEDIES[largest]} List them: bundlesvc orders list --shop {handle} --verdict {largest} --since {day}"
    is_problem = largest == UNEXPLAINED or number > max(FEW, MANY * counts.orders)
    return CheckResult(FAULT if is_problem else NOTE, "orders", f"{sentence}; {number} {largest}.", remedy, handle)
