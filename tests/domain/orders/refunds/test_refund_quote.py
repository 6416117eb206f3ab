"""Refund quotes: worked examples of the three policies, and properties of any sequence of returns."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.orders.order import Edit, LineDiscount, Order, OrderLine, Refund
from bundlesvc.domain.orders.refunds.refund_quote import (
    KEEP_RULES,
    POLICIES,
    PROPORTIONAL,
    REMAINDER_FULL,
    PriceAsBundle,
    QuotedLine,
    refund_quote,
)
from bundlesvc.domain.orders.refusals import RefundInvalid
from tests.domain.orders.orders import AS_PROMISED, MARK, line, order
from tests.running.properties import examples

RETURNS = examples(200)


def ten_off_for_two(_: int, units: Mapping[str, int]) -> int:
    """The price of the units that are kept, out of two at 10.00 and one at 5.00, with 10% off for two or more units."""
    full = 1000 * units.get("a", 0) + 500 * units.get("b", 0)
    return full * 9 // 10 if sum(units.values()) > 1 else full


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        pytest.param(PROPORTIONAL, [("a", 1, 800)], id="what the unit was charged"),
        pytest.param(KEEP_RULES, [("a", 1, 650)], id="what stays is a bundle for 13.50"),
        pytest.param(REMAINDER_FULL, [("a", 1, 500)], id="what stays costs 15.00"),
    ],
)
def test_one_unit_of_three_comes_back(policy: str, expected: list[tuple[str, int, int]]) -> None:
    quoted = refund_quote(order(), {"a": 1}, policy, ten_off_for_two)

    assert [(each.line_id, each.quantity, each.amount) for each in quoted] == expected


def test_rest_of_the_bundle_makes_up_for_an_earlier_return() -> None:
    """The refund for the rest of the bundle makes up for an earlier return: a unit charged at 8.00 was refunded at only 5.00, so
    3.00 is added."""
    earlier = order(refunds=(Refund("a", 1, 500),))

    assert refund_quote(earlier, {"a": 1, "b": 1}, REMAINDER_FULL, ten_off_for_two) == (
        QuotedLine("a", 1, 1100, 0),
        QuotedLine("b", 1, 400, 0),
    )


def test_no_refund_while_what_stays_costs_more_than_the_bundle() -> None:
    [quoted] = refund_quote(order(), {"b": 1}, REMAINDER_FULL, ten_off_for_two)

    assert quoted == QuotedLine("b", 1, 0, 0)


def test_tax_comes_back_as_it_was_charged() -> None:
    """Tax is refunded as it was charged: 1.00 for three units is refunded as 0.33, 0.34 and 0.33."""
    taxed = order(line("a", 11, 3, 1000, tax=100))

    taxes = [refund_quote(taxed, {"a": count}, PROPORTIONAL, ten_off_for_two)[0].tax for count in (1, 2, 3)]

    assert taxes == [33, 67, 100]


def test_edited_line_comes_back_at_its_new_charge() -> None:
    edited = order(line("z", 5, 2, 300, properties={}), edits=(Edit("z", -1, -300),))

    assert refund_quote(edited, {"z": 1}, REMAINDER_FULL, ten_off_for_two) == (QuotedLine("z", 1, 300, 0),)


def test_fee_comes_back_at_what_it_cost() -> None:
    fee = line("fee", 6, 1, 200, properties={**MARK, "_bundle_fee": "1"})

    assert refund_quote(order(*AS_PROMISED, fee), {"fee": 1}, REMAINDER_FULL, ten_off_for_two) == (
        QuotedLine("fee", 1, 200, 0),
    )


def test_every_fault_of_a_return_is_named() -> None:
    with pytest.raises(RefundInvalid) as refused:
        refund_quote(order(refunds=(Refund("a", 1, 1),)), {"x": 1, "a": 2, "b": 1}, PROPORTIONAL, ten_off_for_two)

    assert [(fault.path, fault.code, fault.message) for fault in refused.value.faults] == [
        ("lines.0.line", "unknown_line", "The order has no line x."),
        ("lines.1.quantity", "too_many_units", "Only 1 of line a can be returned."),
    ]


@st.composite
def bought(draw: st.DrawFn) -> Order:
    """A strategy for orders with lines of up to two bundles, and lines that belong to no bundle."""
    lines = []
    for index in range(draw(st.integers(1, 6))):
        quantity, price = draw(st.integers(1, 4)), draw(st.integers(0, 2000))
        off = draw(st.integers(0, quantity * price))
        mark = draw(st.sampled_from(["7001#9001#u1", "7002#9001#u2", ""]))
        lines.append(
            OrderLine(
                str(index),
                10 + index,
                quantity,
                price,
                draw(st.integers(0, quantity * price - off)),
                (LineDiscount("bundle", "Bundle", off),),
                {"_bundle_data": mark} if mark else {},
            )
        )
    return order(*lines)


@st.composite
def sequences(draw: st.DrawFn) -> tuple[Order, list[dict[str, int]]]:
    """A strategy for an order and a series of at most five returns that together cover the whole order."""
    made = draw(bought())
    units = [each.id for each in made.lines for _ in range(each.quantity)]
    units = draw(st.permutations(units))
    cuts = sorted(draw(st.sets(st.integers(1, max(len(units) - 1, 1)), max_size=4)))
    steps = [units[start:end] for start, end in zip([0, *cuts], [*cuts, len(units)], strict=True)]
    return made, [{id_: step.count(id_) for id_ in dict.fromkeys(step)} for step in steps if step]


def priced_somehow(made: Order, seed: int) -> PriceAsBundle:
    """Return a function that assigns an arbitrary price to the units of a bundle that are kept."""

    def price(configured_id: int, units: Mapping[str, int]) -> int:
        full = sum(each.unit_price * units.get(each.id, 0) for each in made.lines)
        return full * ((seed * 7 + configured_id + sum(units.values()) * 31) % 101) // 100

    return price


@RETURNS
@given(sequences(), st.sampled_from(POLICIES), st.integers(0, 1000))
def test_any_sequence_of_returns_adds_up_to_what_was_paid(
    case: tuple[Order, list[dict[str, int]]], policy: str, seed: int
) -> None:
    made, steps = case
    price, whole = priced_somehow(made, seed), {each.id: each.quantity for each in made.lines}
    at_once = refund_quote(made, whole, policy, price)

    for step in steps:
        quoted = refund_quote(made, step, policy, price)
        assert all(each.amount >= 0 and each.tax >= 0 for each in quoted)
        refunds = [Refund(each.line_id, each.quantity, each.amount, each.tax) for each in quoted]
        made = replace(made, refunds=(*made.refunds, *refunds))

    for each in made.lines:
        back = [refund for refund in made.refunds if refund.line_id == each.id]
        assert sum(refund.amount for refund in back) == each.charged
        assert sum(refund.tax for refund in back) == (each.tax if each.charged else 0)
        assert QuotedLine(each.id, each.quantity, each.charged, each.tax if each.charged else 0) in at_once


@RETURNS
@given(sequences(), st.sampled_from(POLICIES), st.integers(0, 1000))
def test_part_is_never_worth_more_than_its_charge(
    case: tuple[Order, list[dict[str, int]]], policy: str, seed: int
) -> None:
    made, [step, *_] = case
    charged = {each.id: each for each in made.lines}

    for each in refund_quote(made, step, policy, priced_somehow(made, seed)):
        bought_line = charged[each.line_id]
        dearest_unit = -(-bought_line.charged // bought_line.quantity)
        assert each.amount <= min(dearest_unit * each.quantity, bought_line.charged)


@RETURNS
@given(bought(), st.data())
def test_full_price_for_the_rest_is_never_better_than_proportional(made: Order, data: st.DataObject) -> None:
    step = {each.id: data.draw(st.integers(1, each.quantity)) for each in made.lines}

    totals = [
        sum(each.amount for each in refund_quote(made, step, policy, ten_off_for_two))
        for policy in (REMAINDER_FULL, PROPORTIONAL)
    ]

    assert totals == sorted(totals)
