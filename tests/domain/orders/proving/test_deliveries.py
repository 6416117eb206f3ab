"""Subscription deliveries: the first order is compared with its promise, later orders with the selling plan's price."""

from dataclasses import replace

import pytest

from bundlesvc.domain.orders.contract import status_of
from bundlesvc.domain.orders.order import Edit, Order
from bundlesvc.domain.orders.promises import Promises, StoredPromise
from bundlesvc.domain.orders.verdict import Verdict
from tests.domain.orders.orders import AS_PROMISED, IN_FULL, PROMISES, line, order, verdicts

PLANNED = tuple(replace(each, selling_plan="weekly") for each in AS_PROMISED)
EARLIER = {7001: (1, "0")}


def judged(bought: Order, promises: Promises = PROMISES) -> Verdict:
    [verdict] = verdicts(bought, promises)
    return verdict


def test_bundle_that_is_bought_once_is_no_delivery() -> None:
    assert judged(order(*AS_PROMISED), replace(PROMISES, first_orders=EARLIER)).delivery is None


def test_first_order_is_judged_by_its_promise() -> None:
    bought = order(*PLANNED)
    own = {7001: (bought.placed_at, bought.id)}
    later = {7001: (bought.placed_at, f"{bought.id}0")}
    for first in ({}, own, later):
        verdict = judged(bought, replace(PROMISES, first_orders=first))
        assert (verdict.delivery, verdict.outcome, verdict.promised) == ("first", "equal", 2000)


@pytest.mark.parametrize(
    ("bought", "expected"),
    [
        (order(*PLANNED), ("equal", None, 2000, 2000)),
        (order(*(replace(each, selling_plan="w") for each in IN_FULL)), ("equal", None, 2500, 2500)),
        (order(*PLANNED, bundles=None), ("equal", None, 2000, 2000)),
        (
            order(line("a", 11, 2, 1000, 400, 50, selling_plan="w"), PLANNED[1]),
            ("differs", "other_discount", 1950, 2000),
        ),
        (order(*PLANNED, edits=(Edit("a", -1, -800),)), ("differs", "edited", 1200, 2000)),
    ],
)
def test_renewal_is_judged_by_the_price_of_the_plan(bought: Order, expected: tuple[str, str | None, int, int]) -> None:
    """A renewal is judged by the plan's price. Its discount string, which is old by then, makes no difference."""
    verdict = judged(replace(bought, placed_at=bought.placed_at + 10**8), replace(PROMISES, first_orders=EARLIER))
    assert verdict.delivery == "renewal"
    assert (verdict.outcome, verdict.cause, verdict.charged, verdict.promised) == expected


def test_ghost_variant_belongs_to_the_subscription_of_its_contract() -> None:
    """A ghost variant in an order is assigned to the subscription of its order line's contract, because the newest of several
    identical promises may be another shopper's."""
    promise = StoredPromise(
        7005, 43, None, replace(PROMISES.configured[7001]).original, PROMISES.configured[7001].discounted, {1: 1}
    )
    bought = order(line("g", 8000, 1, 2000, properties={}, selling_plan="w", contract="c"))
    promises = Promises(ghosts={(8000, True): (promise,)}, first_orders={7004: (1, "0")}, contracts={"c": 7004})
    verdict = judged(bought, promises)
    assert (verdict.configured_id, verdict.delivery, verdict.outcome) == (7004, "renewal", "equal")
    without = judged(bought, replace(promises, contracts={}))
    assert (without.configured_id, without.delivery) == (7005, "first")


@pytest.mark.parametrize(
    ("ended", "cancelled", "before", "after"),
    [
        (None, [], "pending", "pending"),
        (None, [], "expired", "expired"),
        (None, [], "cancelled", "cancelled"),
        (None, [], "active", "pending"),
        (None, [False], "expired", "active"),
        (None, [True, False], "pending", "active"),
        (None, [True], "active", "cancelled"),
        ("cancelled", [False], "active", "cancelled"),
        ("expired", [], "pending", "expired"),
    ],
)
def test_status(ended: str | None, cancelled: list[bool], before: str, after: str) -> None:
    assert status_of(ended, cancelled, before) == after
