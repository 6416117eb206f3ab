"""Placed orders with bundles: cancelled in part, modified, and refunded."""

from decimal import Decimal

import pytest

from tests.vendure_plugin.orders.attacks import Goods, goods
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DemoEngine
from tests.vendure_plugin.shopper import Json, Shopper

pytestmark = pytest.mark.process

_REFUND = """query ($order: ID!, $lines: [OrderLineInput!]!) {
  bundleRefund(orderId: $order, lines: $lines) { amount lines { orderLineId quantity amount } }
}"""
_CANCEL = """mutation ($input: CancelOrderInput!) {
  cancelOrder(input: $input) { ... on Order { id } ... on ErrorResult { errorCode message } }
}"""
_SHOW = """query ($id: ID!) { order(id: $id) {
  id subTotalWithTax payments { id } lines { id quantity proratedLinePriceWithTax bundle { reason } }
} }"""
_PAY_BACK = """mutation ($input: RefundOrderInput!) {
  refundOrder(input: $input) { ... on Refund { id total state } ... on ErrorResult { errorCode message } }
}"""
_MODIFYING = """mutation ($id: ID!) {
  transitionOrderToState(id: $id, state: "Modifying") { ... on Order { state } ... on ErrorResult { errorCode message } }
}"""
_MODIFY = """mutation ($input: ModifyOrderInput!) {
  modifyOrder(input: $input) { ... on Order { id subTotalWithTax } ... on ErrorResult { errorCode message } }
}"""


class Placed:
    """A placed order with a bundle, as seen by an administrator."""

    def __init__(self, engine: DemoEngine, answer: object) -> None:
        shopper = Shopper(engine.address, engine.home)
        shopper.add(answer)
        self._admin = engine.admin
        self.id = str(shopper.place()["id"])

    def shown(self) -> Json:
        order: Json = self._admin.run(_SHOW, id=self.id)["order"]
        return order

    def lines(self) -> list[Json]:
        return list(self.shown()["lines"])

    def refund(self, line: Json, quantity: int) -> int:
        """Calculate the refund for units of a line."""
        wanted = [{"orderLineId": line["id"], "quantity": quantity}]
        return int(self._admin.run(_REFUND, order=self.id, lines=wanted)["bundleRefund"]["amount"])

    def cancel(self, line: Json, quantity: int) -> None:
        lines = [{"orderLineId": line["id"], "quantity": quantity}]
        self._admin.run(_CANCEL, input={"orderId": self.id, "lines": lines, "reason": "test", "cancelShipping": False})

    def pay_back(self, line: Json, quantity: int, amount: int) -> int:
        lines = [{"orderLineId": line["id"], "quantity": quantity}]
        (payment,) = self.shown()["payments"]
        given = {"lines": lines, "paymentId": payment["id"], "amount": amount, "shipping": 0, "adjustment": 0}
        return int(self._admin.run(_PAY_BACK, input={**given, "reason": "test"})["refundOrder"]["total"])

    def modify(self, **changes: object) -> None:
        self._admin.run(_MODIFYING, id=self.id)
        self._admin.run(_MODIFY, input={"orderId": self.id, "dryRun": False, **changes})


@pytest.fixture(scope="module")
def bundles(storefront: Storefront) -> Goods:
    return goods(storefront)


@pytest.fixture
def placed(engine: DemoEngine, bundles: Goods) -> Placed:
    return Placed(engine, bundles.box.answer)


def paid(line: Json) -> int:
    return int(line["proratedLinePriceWithTax"])


def test_refund_is_what_was_paid_before_and_after_cancelling(placed: Placed) -> None:
    first, second = placed.lines()
    before = [placed.refund(first, 2), placed.refund(second, 3)]
    assert before == [paid(first), paid(second)]
    placed.cancel(first, 2)
    placed.cancel(second, 3)
    assert [placed.refund(first, 2), placed.refund(second, 3)] == before


def test_refunds_in_parts_add_up_to_what_was_paid(placed: Placed) -> None:
    _, line = placed.lines()
    total = paid(line)
    parts = []
    for _ in range(3):
        amount = placed.refund(line, 1)
        placed.cancel(line, 1)
        assert placed.pay_back(line, 1, amount) == amount
        parts.append(amount)
    assert sum(parts) == total
    assert max(parts) - min(parts) <= 1


def test_line_that_is_named_twice_is_refunded_in_parts(engine: DemoEngine, placed: Placed) -> None:
    _, line = placed.lines()
    wanted = [{"orderLineId": line["id"], "quantity": quantity} for quantity in (1, 2)]
    found = engine.admin.run(_REFUND, order=placed.id, lines=wanted)["bundleRefund"]
    assert found["amount"] == paid(line)
    with pytest.raises(AssertionError, match=f"Line {line['id']} has only 0 unrefunded units"):
        engine.admin.run(_REFUND, order=placed.id, lines=[*wanted, wanted[0]])


def test_more_units_than_were_paid_cannot_be_refunded(placed: Placed) -> None:
    line, _ = placed.lines()
    with pytest.raises(AssertionError, match=f"Line {line['id']} has only 2 unrefunded units"):
        placed.refund(line, 3)


def test_refund_of_no_units_or_of_an_unknown_line_is_refused(placed: Placed) -> None:
    line, _ = placed.lines()
    for quantity in (0, -1):
        with pytest.raises(AssertionError, match=f"The quantity of line {line['id']} is below 1"):
            placed.refund(line, quantity)
    with pytest.raises(AssertionError, match="The order has no line 999999"):
        placed.refund({**line, "id": "999999"}, 1)


def test_lines_that_are_left_keep_their_prices_after_a_cancellation(placed: Placed, bundles: Goods) -> None:
    first, second = placed.lines()
    assert paid(first) + paid(second) == bundles.box.promised * 100
    placed.cancel(first, 2)
    assert [paid(line) for line in placed.lines()][1] == paid(second)
    assert placed.shown()["subTotalWithTax"] == paid(second)


@pytest.mark.parametrize("cancelled", [1, 2])
def test_lines_that_are_left_keep_their_prices_after_a_modification(placed: Placed, cancelled: int) -> None:
    """Remaining lines keep their prices when an administrator adds an item, even though the order is priced again and its bundle
    is no longer complete."""
    first, second = placed.lines()
    placed.cancel(first, cancelled)
    before = [paid(line) for line in placed.lines()]
    refund = placed.refund(first, cancelled)
    placed.modify(addItems=[{"productVariantId": "10111", "quantity": 1}], refund=None)
    after = placed.lines()
    assert [paid(line) for line in after[:2]] == before
    assert {line["bundle"]["reason"] for line in after[:2]} == {None}
    assert placed.refund(first, cancelled) == refund
    assert placed.refund(second, 3) == paid(second)


def test_bundle_is_charged_in_full_when_units_are_added_to_it(placed: Placed, bundles: Goods) -> None:
    first, _ = placed.lines()
    placed.modify(adjustOrderLines=[{"orderLineId": first["id"], "quantity": 3}])
    assert {line["bundle"]["reason"] for line in placed.lines()} == {"quantity_changed"}
    assert placed.shown()["subTotalWithTax"] == bundles.box.original * 100 + 990


def test_refunds_of_a_bundle_with_a_free_unit_add_up_to_what_was_paid(
    engine: DemoEngine, storefront: Storefront
) -> None:
    """A card that is free because of conditions is allocated a share of its bundle's discount, and the refunds add up to the
    amount paid."""
    units = [*[(10013, 1001, 1)] * 3, (10351, 1035, 3)]
    box = storefront.configured(110, *units)
    placed = Placed(engine, box.answer)
    refunds = [placed.refund(line, line["quantity"]) for line in placed.lines()]
    assert Decimal(sum(refunds)) == box.promised * 100
