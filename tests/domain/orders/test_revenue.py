"""The revenue of components: each gets a share of the charge in proportion to its stand-alone price, and the shares add up to the
charge."""

from bundlesvc.domain.orders.judged import JudgedOrder
from bundlesvc.domain.orders.order import Edit, Order
from bundlesvc.domain.orders.revenue import line_revenue
from bundlesvc.domain.orders.verdict import EQUAL, Verdict
from tests.domain.orders.orders import AS_PROMISED, line, order


def revenue(of: Order, charged: int) -> dict[str, int]:
    return line_revenue(JudgedOrder(of, (Verdict(7001, 42, ("a", "b"), EQUAL, charged, charged),)))


def test_charge_is_shared_by_prices_before_discounts() -> None:
    """A charge is divided among a bundle's lines in proportion to their prices before discounts, even after an edit or a discount
    on a single line."""
    assert revenue(order(), 2000) == {"a": 1600, "b": 400}
    uneven = order(line("a", 11, 2, 1000, 500), line("b", 12, 1, 500))
    assert revenue(uneven, 2000) == {"a": 1600, "b": 400}
    assert revenue(order(edits=(Edit("b", -1, -400),)), 1600) == {"a": 1280, "b": 320}


def test_line_without_a_bundle_has_its_own_charge() -> None:
    assert revenue(order(*AS_PROMISED, line("c", 13, 1, 700, other=100)), 2000)["c"] == 600


def test_lines_without_prices_have_their_own_charges() -> None:
    """When all lines are free, each keeps its own charge, such as one added by an edit: there are no prices by which to
    distribute the charges."""
    free = order(line("a", 11, 1, 0), line("b", 12, 1, 0), edits=(Edit("b", 0, 231),))
    assert revenue(free, 231) == {"a": 0, "b": 231}
