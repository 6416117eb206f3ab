"""`bundlesvc orders refund-quote --compare` prints the platform's own suggestion next to the quote."""

import json
from decimal import Decimal

import pytest

from tests.cli.command_line import Result, Run, assert_error
from tests.cli.orders.test_import import FIRST, IMPORT
from tests.standin.data.orders import AUTOMATIC, Allocation, Order, OrderedLine, now_text
from tests.standin.server import Standin

MARK = {"_bundle_data": "7001#90001#u1"}


@pytest.fixture
def bought(standin: Standin) -> Order:
    """An order of three shirts and a mug in one bundle. The shirts cost 16.67 in total and the mug 5.00, with tax of 2.66 and
    0.80."""
    off = (Allocation(AUTOMATIC, "Bundle", Decimal("3.34")),)
    shirts = OrderedLine(10001, 3, Decimal("6.67"), Decimal("20.01"), MARK, off, tax=Decimal("2.66"))
    mug = OrderedLine(20001, 1, Decimal("5.00"), Decimal("5.00"), MARK, tax=Decimal("0.80"))
    at = now_text(FIRST)
    order = Order("EUR", "EUR", Decimal(1), "DE", [shirts, mug], created_at=at, updated_at=at)
    standin.shop.orders = {order.number: order}
    return order


def compared(run: Run, order: Order, units: int, *options: str) -> Result:
    assert run(*IMPORT).code == 0
    line = str(order.lines[0].number)
    return run("orders", "refund-quote", str(order.number), "--shop", "live", "--line", line, str(units), *options)


@pytest.mark.parametrize(
    ("units", "policy", "expected"),
    [
        (1, "proportional", ("5.56", "5.56", "0.00", "same")),
        (3, "proportional", ("16.67", "16.68", "-0.01", "rounding")),
        (1, "remainder-full", ("3.33", "5.56", "-2.23", "policy")),
    ],
)
def test_suggestion_is_beside_the_quote(
    connected: Run, standin: Standin, bought: Order, units: int, policy: str, expected: tuple[str, ...]
) -> None:
    result = compared(connected, bought, units, "--policy", policy, "--compare", "--format", "json")
    body = json.loads(result.out)
    platform = body["platform"]
    assert (body["amount"], platform["amount"], platform["difference"], platform["reason"]) == expected
    assert [line["line"] for line in platform["lines"]] == [str(bought.lines[0].number)]
    assert standin.calls["SuggestedRefund"] == 1


def test_text_has_both_amounts_and_the_reason(connected: Run, bought: Order) -> None:
    out = compared(connected, bought, 3, "--policy", "proportional", "--compare").out
    head, line, total, _, sentence = out.splitlines()
    assert head.split() == ["line", "quantity", "amount", "tax", "currency", "platform", "platformTax"]
    assert line.split()[1:] == ["3", "16.67", "2.66", "EUR", "16.68", "2.67"]
    assert "16.68" in total
    assert sentence.startswith("The platform rounds the price of each returned unit")


def test_without_the_option_the_platform_is_not_asked(connected: Run, standin: Standin, bought: Order) -> None:
    assert compared(connected, bought, 1, "--policy", "proportional").code == 0
    assert standin.calls["SuggestedRefund"] == 0


def test_order_that_the_platform_does_not_have(connected: Run, standin: Standin, bought: Order) -> None:
    compared(connected, bought, 1, "--policy", "proportional")
    standin.shop.orders = {}
    result = compared(connected, bought, 1, "--policy", "proportional", "--compare")
    assert_error(result, f"live: the platform has no order {bought.number} with these lines, or does not show it.")
