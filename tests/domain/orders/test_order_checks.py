"""Orders that contradict themselves or the shop are refused, and every fault is reported."""

from decimal import Decimal

import pytest

from bundlesvc.domain.orders.order import Edit, Order, Refund
from bundlesvc.domain.orders.order_checks import check_order, lines_of_other_shops, missing_rate
from bundlesvc.domain.orders.refusals import OrderInvalid
from tests.domain.orders.orders import AS_PROMISED, line, order


@pytest.mark.parametrize(
    ("checked", "faults"),
    [
        pytest.param(order(AS_PROMISED[0], AS_PROMISED[0]), ["lines.0.id", "lines.1.id"], id="line twice"),
        pytest.param(
            order(edits=(Edit("x", 1, 1),), refunds=(Refund("y", 1, 1),)),
            ["edits.0.line", "refunds.0.line"],
            id="unknown lines",
        ),
        pytest.param(order(line("a", 11, 1, 100, 101)), ["lines.0.discounts"], id="discount above the price"),
        pytest.param(order(edits=(Edit("a", -3, 0),)), ["lines.0"], id="fewer than no units"),
        pytest.param(order(edits=(Edit("a", 0, -1601), Edit("b", 0, -401))), ["lines.0", "lines.1"], id="below zero"),
        pytest.param(order(edits=(Edit("a", -2, 0),)), ["lines.0"], id="charge without a unit"),
        pytest.param(order(refunds=(Refund("a", 3, 0),)), ["lines.0"], id="more units back than bought"),
        pytest.param(order(refunds=(Refund("a", 1, 1601),)), ["lines.0"], id="more money back than charged"),
        pytest.param(order(refunds=(Refund("a", 1, 0, 1),)), ["lines.0"], id="more tax back than charged"),
        pytest.param(order(rate=Decimal(2)), ["rate"], id="rate of the shop's own currency"),
    ],
)
def test_every_fault_is_named(checked: Order, faults: list[str]) -> None:
    with pytest.raises(OrderInvalid) as refused:
        check_order(checked, "EUR")

    assert [fault.path for fault in refused.value.faults] == faults
    assert {fault.code for fault in refused.value.faults} <= set(OrderInvalid.fault_codes)


def test_sound_order_passes() -> None:
    check_order(order(edits=(Edit("a", -1, -800),), refunds=(Refund("b", 1, 400),)), "EUR")


def test_rate_is_required_in_another_currency() -> None:
    assert [*missing_rate("EUR", "EUR")] == []
    assert [fault.code for fault in missing_rate("CHF", "EUR")] == ["rate_required"]


def test_lines_of_other_shops_are_faults() -> None:
    assert [fault.path for fault in lines_of_other_shops(order(), [7001])] == [
        "lines.0.properties",
        "lines.1.properties",
    ]
    assert [*lines_of_other_shops(order(), [1])] == []


def test_faults_of_the_caller_come_first() -> None:
    """Faults found by the caller come first, and no fault hides another."""
    wrong = order(line("a", 11, 1, 100, 101), currency="CHF")
    with pytest.raises(OrderInvalid) as refused:
        check_order(wrong, "EUR", missing_rate("CHF", "EUR"))
    assert [fault.path for fault in refused.value.faults] == ["rate", "lines.0.discounts"]
