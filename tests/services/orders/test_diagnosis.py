"""`OrderDiagnosis`: how it judges the orders of the last seven days."""

from collections.abc import Mapping
from typing import cast

import pytest

from bundlesvc.domain.orders.kept_promises import HARMLESS, REMEDIES, PromiseCounts
from bundlesvc.domain.orders.verdict import CAUSES, OUTCOMES
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.ports import ShopStore
from bundlesvc.ports.orders import OrderStore
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK, CheckResult
from bundlesvc.services.orders.diagnosis import OrderDiagnosis
from tests.fakes import START, FakeClock

TENANT = Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), PlatformLink(), (), None))


class FakeShops:
    """A fake with the only method of `ShopStore` that a diagnosis uses."""

    async def tenants(self) -> list[Tenant]:
        return [TENANT]


class FakeOrders:
    """A fake with the only method of `OrderStore` that a diagnosis uses."""

    def __init__(self, real: PromiseCounts, test: PromiseCounts) -> None:
        self._counts = {False: real, True: test}
        self.since = 0

    async def promise_counts(self, tenant: Tenant, since: int, *, test: bool) -> PromiseCounts:
        self.since = since
        return self._counts[test]


NONE = PromiseCounts(0, 0, {})


async def diagnosed(real: PromiseCounts, test: PromiseCounts = NONE) -> list[CheckResult]:
    orders = FakeOrders(real, test)
    diagnosis = OrderDiagnosis(cast(ShopStore, FakeShops()), cast(OrderStore, orders), FakeClock())
    found = [result async for result in diagnosis.results()]
    assert orders.since == int(START) - 7 * 86_400
    return found


async def test_shop_without_orders_has_no_result() -> None:
    assert await diagnosed(NONE) == []


async def test_all_promises_kept() -> None:
    (result,) = await diagnosed(PromiseCounts(312, 0, {}), PromiseCounts(5, 5, {"expired": 5}))
    assert (result.status, result.sentence) == (OK, "312 of 312 orders of the last 7 days as promised")
    assert (result.shop, result.remedy) == ("demo", "")


@pytest.mark.parametrize(
    ("counts", "status", "largest"),
    [
        (PromiseCounts(312, 2, {"expired": 2}), NOTE, "expired"),
        (PromiseCounts(312, 31, {"quantity_changed": 31, "expired": 1}), NOTE, "quantity_changed"),
        (PromiseCounts(312, 32, {"function_inactive": 32}), FAULT, "function_inactive"),
        (PromiseCounts(4, 3, {"attributes_lost": 3}), NOTE, "attributes_lost"),
        (PromiseCounts(4, 4, {"attributes_lost": 4}), FAULT, "attributes_lost"),
        (PromiseCounts(312, 9, {"expired": 8, "unexplained": 1}), FAULT, "unexplained"),
    ],
)
async def test_largest_cause_is_named_with_a_remedy(counts: PromiseCounts, status: str, largest: str) -> None:
    """The most frequent cause of broken promises is reported with a remedy, but orders without an explanation take precedence.
    The result is a fault if an order has no explanation, or if many orders share the cause."""
    (result,) = await diagnosed(counts)
    number = counts.by_verdict[largest]
    assert result.status == status
    assert result.sentence == (
        f"{counts.orders - counts.broken} of {counts.orders} orders of the last 7 days as promised; {number} {largest}."
    )
    assert result.remedy.startswith(REMEDIES[largest])
    assert f"bundlesvc orders list --shop demo --verdict {largest} --since " in result.remedy


async def test_test_orders_count_where_there_are_no_others() -> None:
    (result,) = await diagnosed(NONE, PromiseCounts(1, 0, {}))
    assert result.sentence == "1 of 1 test order of the last 7 days as promised"


@pytest.mark.parametrize(
    ("counts", "largest"), [({}, None), ({"expired": 2, "edited": 2}, "edited"), ({"a": 1, "b": 2}, "b")]
)
def test_largest_verdict(counts: Mapping[str, int], largest: str | None) -> None:
    assert PromiseCounts(9, len(counts), counts).largest == largest


def test_every_verdict_that_breaks_a_promise_has_a_remedy() -> None:
    assert REMEDIES.keys() == ({*CAUSES, *OUTCOMES} - {"equal", "differs"}) - HARMLESS
