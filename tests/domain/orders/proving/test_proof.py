"""Verdicts: every cause, exact amounts, and random orders with random deviations."""

import json
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from bundlesvc.domain.orders.order import Edit, Order, Refund
from bundlesvc.domain.orders.promises import Promises, StoredPromise
from bundlesvc.domain.orders.proving.proof import prove
from bundlesvc.domain.orders.proving.shop_checkout import ShopCheckout
from bundlesvc.domain.orders.verdict import CAUSES
from tests.domain.orders.orders import AS_PROMISED, CLAIMS, DAY, IN_FULL, MADE_AT, STORED, line, order, verdicts
from tests.orders.trial import Tally, judge

ORDERS = 3_000
"""The number of random orders in this suite; `python -m tests.orders` judges many more."""

CHF = {"currency": "CHF", "country": "CH", "rate": Decimal("0.9")}
PLAN: dict[str, Any] = {"selling_plan": "monthly"}
MONTHLY = {"group": 1, "frequency": 1, "unit": "month", "percentage": "5.00"}
SMALL_PLAN = {"country": None, "currency": "EUR", "original": 30, "discounted": 30}


@pytest.mark.parametrize(
    ("judged", "claims", "expected"),
    [
        pytest.param(order(), {}, ("equal", 2000, 2000), id="as promised"),
        pytest.param(order(*IN_FULL), {}, ("function_inactive", 2500, 2000), id="no function"),
        pytest.param(
            order(*IN_FULL), {"unique": "u2"}, ("discount_refused unique_mismatch", 2500, 2000), id="another request"
        ),
        pytest.param(order(*IN_FULL), {"test": True}, ("discount_refused test_discount", 2500, 2000), id="test key"),
        pytest.param(
            order(*IN_FULL, **CHF), {}, ("market_changed market_changed", 2500, 2000), id="another currency: same share"
        ),
        pytest.param(
            order(*IN_FULL, country="CH"), {}, ("market_changed market_changed", 2500, 2000), id="excluded country"
        ),
        pytest.param(
            order(*IN_FULL, placed_at=MADE_AT + 40 * DAY),
            {},
            ("expired discount_expired", 2500, 2000),
            id="too old",
        ),
        pytest.param(order(placed_at=MADE_AT + 31 * DAY), {}, ("equal", 2000, 2000), id="too old by the clock only"),
        pytest.param(
            order(*IN_FULL, placed_at=MADE_AT + 30 * DAY - 100),
            {},
            ("expired discount_expired", 2500, 2000),
            id="too old by the date only",
        ),
        pytest.param(
            order(*IN_FULL, bundles=None), {}, ("attributes_lost attribute_missing", 2500, 2000), id="no attribute"
        ),
        pytest.param(
            order(*IN_FULL, bundles="{"), {}, ("attributes_lost attribute_unreadable", 2500, 2000), id="not JSON"
        ),
        pytest.param(order(*IN_FULL, bundles="{}"), {}, ("attributes_lost entry_missing", 2500, 2000), id="no entry"),
        pytest.param(
            order(line("a", 11, 2, 1000, 400, 50), line("b", 12, 1, 500, 100)),
            {},
            ("other_discount", 1950, 2000),
            id="a code as well",
        ),
        pytest.param(
            order(IN_FULL[0]), {}, ("quantity_changed lines_missing", 2000, 1600), id="a unit removed: same share"
        ),
        pytest.param(
            order(line("a", 11, 3, 1000), IN_FULL[1]),
            {},
            ("quantity_changed quantity_changed", 3500, 2800),
            id="a unit more",
        ),
        pytest.param(order(edits=(Edit("a", 0, -100),)), {}, ("edited", 1900, 2000), id="edited after the purchase"),
        pytest.param(
            order(*IN_FULL, edits=(Edit("a", 0, -500),)), {}, ("equal", 2000, 2000), id="put right by an edit"
        ),
        pytest.param(order(refunds=(Refund("a", 1, 800),)), {}, ("equal", 2000, 2000), id="refunds do not count"),
        pytest.param(
            order(line("a", 11, 2, 1100), IN_FULL[1]), {}, ("price_changed prices_changed", 2700, 2000), id="dearer"
        ),
        pytest.param(
            order(line("a", 11, 2, 1000, 399), AS_PROMISED[1]), {}, ("rounding", 2001, 2000), id="a cent was cut"
        ),
        pytest.param(
            order(*(line(str(each), 11, 1, 9, **PLAN) for each in range(3))),
            {"variants": {"11": 3}, "market": SMALL_PLAN, "subscription": MONTHLY},
            ("subscription_rounding", 27, 28),
            id="the plan rounds each unit",
        ),
        pytest.param(
            order(line("a", 11, 2, 950, 300, other=50, **PLAN), line("b", 12, 1, 475, 75, **PLAN)),
            {"subscription": MONTHLY},
            ("other_discount", 1950, 1900),
            id="a code in place of a part, with a plan",
        ),
        pytest.param(
            order(line("a", 11, 2, 950, 380, **PLAN), line("b", 12, 1, 475, 95, **PLAN)),
            {"subscription": MONTHLY},
            ("equal", 1900, 1900),
            id="with a plan",
        ),
        pytest.param(
            order(*AS_PROMISED, line("z", 5, 1, 300, other=100, properties={})),
            {},
            ("equal", 2000, 2000),
            id="a discount on a neighbour",
        ),
        pytest.param(
            order(*AS_PROMISED, line("fee", 6, 1, 200, properties={**AS_PROMISED[0].properties, "_bundle_fee": "1"})),
            {"fees": {"6": 1}},
            ("equal", 2000, 2000),
            id="a fee is charged in addition",
        ),
        pytest.param(
            order(line("a", 11, 2, 1000, 380), AS_PROMISED[1]), {}, ("unexplained", 2020, 2000), id="not enough off"
        ),
        pytest.param(
            order(*AS_PROMISED, bundles=None, lines=(line("a", 11, 2, 1000, 77), IN_FULL[1])),
            {},
            ("unexplained", 2423, 2000),
            id="a discount without a promise",
        ),
    ],
)
def test_cause_of_a_difference(judged: Order, claims: dict[str, Any], expected: tuple[str, int, int]) -> None:
    [verdict] = verdicts(judged, **claims)

    said = verdict.cause or verdict.outcome
    assert (f"{said} {verdict.reason}" if verdict.reason else said, verdict.charged, verdict.promised) == expected
    assert verdict.difference == verdict.charged - expected[2]
    assert verdict.bundle_id == 42


def test_promise_that_nobody_knows() -> None:
    [verdict] = verdicts(order(*IN_FULL, bundles=None), Promises())

    assert (verdict.outcome, verdict.promised, verdict.difference, verdict.configured_id) == (
        "promise_unknown",
        None,
        None,
        7001,
    )


def test_order_without_a_bundle_has_no_verdict() -> None:
    assert verdicts(order(line("z", 5, 1, 300, properties={}))) == ()


def test_bundle_without_discount_next_to_a_discounted_one_is_unexplained() -> None:
    """A bundle without a discount next to a discounted one is unexplained, because the function ran, and two bundles are well
    within its budget."""
    second = [replace(each, id=f"2{each.id}", properties={"_bundle_data": "7002#9001#u1"}) for each in IN_FULL]
    bundles = json.dumps({"7001": {"discount": "one"}, "7002": {"discount": "two"}})
    opened = {"one": CLAIMS, "two": {**CLAIMS, "configured": 7002}}

    found = prove(order(*AS_PROMISED, *second, bundles=bundles), Promises(), ShopCheckout("demo", "EUR", opened.get))

    assert [verdict.outcome for verdict in found] == ["equal", "unexplained"]


def test_bundle_without_discount_in_a_large_cart_found_no_room() -> None:
    count = 11
    copies = [
        replace(each, id=f"{copy}{each.id}", properties={"_bundle_data": f"{copy}#9001#u1"})
        for copy in range(1, count + 1)
        for each in (IN_FULL if copy == count else AS_PROMISED)
    ]
    bundles = json.dumps({str(copy): {"discount": str(copy)} for copy in range(1, count + 1)})
    opened = {str(copy): {**CLAIMS, "configured": copy} for copy in range(1, count + 1)}

    *others, last = prove(order(*copies, bundles=bundles), Promises(), ShopCheckout("demo", "EUR", opened.get))

    assert {verdict.outcome for verdict in others} == {"equal"}
    assert (last.cause, last.reason) == ("discount_refused", "budget_spent")


GHOST = replace(STORED, units={11: 2}, discounted=Decimal("20.00"))


@pytest.mark.parametrize(
    ("price", "changes", "expected"),
    [
        pytest.param(2000, {}, ("equal", 2000), id="as promised"),
        pytest.param(2100, {}, ("price_changed", 2000), id="price changed"),
        pytest.param(1800, {**CHF, "country": None}, ("equal", 1800), id="at the rate"),
        pytest.param(1803, {**CHF, "country": None}, ("rounding", 1800), id="conversion of three units"),
        pytest.param(1900, CHF, ("market_changed", 1800), id="made for another market"),
        pytest.param(2000, {"edits": (Edit("g", 0, 5),)}, ("edited", 2000), id="edited"),
    ],
)
def test_ghost_variant(price: int, changes: dict[str, Any], expected: tuple[str, int]) -> None:
    promises = Promises(ghosts={(8000, False): (GHOST, replace(GHOST, discounted=Decimal("500.00")))})
    judged = order(line("g", 8000, 1, price, properties={}), **{"country": None, **changes})

    [verdict] = verdicts(judged, promises)

    assert (verdict.cause or verdict.outcome, verdict.promised) == expected


def test_code_on_a_ghost_variant() -> None:
    judged = order(line("g", 8000, 2, 2000, other=300, properties={}))

    [verdict] = verdicts(judged, Promises(ghosts={(8000, False): (GHOST,)}))

    assert (verdict.cause, verdict.charged, verdict.promised) == ("other_discount", 3700, 4000)


def test_ghost_variant_with_a_plan_has_its_own_promise() -> None:
    subscribed = replace(GHOST, configured_id=7009, discounted=Decimal("19.00"))
    promises = Promises(ghosts={(8000, False): (GHOST,), (8000, True): (subscribed,)})

    [verdict] = verdicts(order(line("g", 8000, 1, 1901, properties={}, **PLAN)), promises)

    assert (verdict.configured_id, verdict.cause) == (7009, "subscription_rounding")


def test_stored_promise_of_three_decimals_is_compared_within_its_own_decimals() -> None:
    """In a currency with three decimal places, a promise may be stored with only two: the API writes 1.255 KWD as 1.26. In this
    case, only two decimal places are compared."""
    stored = StoredPromise(7001, 42, None, Decimal("1.26"), Decimal("1.26"), {11: 1})
    judged = order(line("a", 11, 1, 1255), currency="KWD", bundles=None)

    [verdict] = verdicts(judged, Promises({7001: stored}), "KWD")

    assert (verdict.cause, verdict.difference) == ("rounding", -5)


def test_random_orders_get_the_expected_verdicts() -> None:
    tally = Tally()
    for seed in range(ORDERS):
        judge(seed, tally)

    assert tally.faults == []
    assert {name for _, name in tally.verdicts} == {*CAUSES, "equal", "promise_unknown"}


@pytest.mark.parametrize("seed", range(50))
def test_wrong_discount_is_unexplained(seed: int) -> None:
    wrong = Random(seed).choice([each for each in range(2, 1500) if not 499 <= each <= 501])
    lines = line("a", 11, 2, 1000, wrong), IN_FULL[1]

    [verdict] = verdicts(order(*lines))

    assert verdict.outcome == "unexplained"
    assert CLAIMS["market"]["discounted"] == verdict.promised
