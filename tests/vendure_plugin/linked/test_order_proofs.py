"""Orders placed in the engine, as judged by the service: each bundle is charged as promised, or the cause of the difference is
stated."""

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from tests.vendure.admin import Admin
from tests.vendure.seeding import add_administrator
from tests.vendure_plugin.catalogue import set_price
from tests.vendure_plugin.connected_shop import run
from tests.vendure_plugin.linked.linked_shop import LinkedShop
from tests.vendure_plugin.linked.test_webhooks import BOX, BUNDLE, PRICE, VARIANT, buy
from tests.vendure_plugin.linked.webhook_gate import AWAY, OPEN, until
from tests.vendure_plugin.operating.test_commands import connected_with
from tests.vendure_plugin.operating.test_diagnosis import disabled_promotion
from tests.vendure_plugin.orders.random_orders import MARKETS, shopper
from tests.vendure_plugin.shopper import Json, Shopper

pytestmark = pytest.mark.process

_REFUND = """mutation ($input: RefundOrderInput!) {
  refundOrder(input: $input) { ... on Refund { id total state } ... on ErrorResult { errorCode message } }
}"""
_CANCEL = """mutation ($input: CancelOrderInput!) {
  cancelOrder(input: $input) { ... on Order { id } ... on ErrorResult { errorCode message } }
}"""


@pytest.fixture
def buyer(linked: LinkedShop) -> Shopper:
    """A shopper whose order contains the box."""
    buyer = shopper(linked.engine, None)
    buyer.add(linked.storefront.configured(BUNDLE, *BOX).answer)
    return buyer


def verdict(linked: LinkedShop, placed: Json) -> Json:
    (found,) = linked.order(placed["id"])["bundles"]
    return dict(found)


@pytest.mark.parametrize("country", MARKETS)
def test_order_was_charged_as_promised(linked: LinkedShop, country: str | None) -> None:
    placed = buy(linked, country)
    order = linked.order(placed["id"])
    assert order["name"] == placed["code"]
    assert order["currency"] == placed["currencyCode"]
    (verdict,) = order["bundles"]
    assert verdict["verdict"] == "equal"
    assert Decimal(verdict["promised"]) == Decimal(verdict["charged"]) > 0
    assert order["countryCode"] == (country or "DE")


def test_refund_arrives(linked: LinkedShop) -> None:
    placed = buy(linked)
    assert linked.order(placed["id"])["refunds"] == []
    first = placed["lines"][0]
    admin = linked.engine.admin
    payment = admin.run("query ($id: ID!) { order(id: $id) { payments { id } } }", id=placed["id"])["order"][
        "payments"
    ][0]
    lines = [{"orderLineId": first["id"], "quantity": 1}]
    query = (
        "query ($order: ID!, $lines: [OrderLineInput!]!) { bundleRefund(orderId: $order, lines: $lines) { amount } }"
    )
    amount = admin.run(query, order=placed["id"], lines=lines)["bundleRefund"]["amount"]
    given = {"lines": lines, "paymentId": payment["id"], "amount": amount, "shipping": 0, "adjustment": 0}
    admin.run(_REFUND, input={**given, "reason": "test"})
    order = until(lambda: (found := linked.order(placed["id"])) and found["refunds"] and found)
    (refund,) = order["refunds"]
    assert (refund["line"], refund["quantity"], Decimal(refund["amount"])) == (first["id"], 1, Decimal(amount) / 100)
    assert Decimal(refund["tax"]) > 0
    assert order["bundles"][0]["verdict"] == "equal"


def test_cancelled_units_without_a_refund_are_an_edit(linked: LinkedShop) -> None:
    placed = buy(linked)
    first = placed["lines"][0]
    lines = [{"orderLineId": first["id"], "quantity": 1}]
    linked.engine.admin.run(
        _CANCEL, input={"orderId": placed["id"], "lines": lines, "reason": "test", "cancelShipping": False}
    )
    order = until(lambda: (found := linked.order(placed["id"])) and found["edits"] and found)
    (edit,) = order["edits"]
    assert (edit["line"], edit["quantity"]) == (first["id"], -1)
    assert Decimal(edit["amount"]) < 0
    assert order["bundles"][0]["cause"] == "edited"


def test_earlier_orders_are_imported(linked: LinkedShop) -> None:
    day = str(datetime.now(UTC).date())
    linked.gate.state = AWAY
    try:
        placed = buy(linked)
        printed = run(linked.folder, linked.settings, "orders", "import", "--shop", "demo", "--since", day)
        assert verdict(linked, placed)["verdict"] == "equal"
    finally:
        linked.gate.state = OPEN
    assert re.search(r"demo: \d+ orders? read, \d+ with a bundle\.", printed), printed


def test_order_waits_until_the_key_may_read_it(linked: LinkedShop) -> None:
    name = "catalogue@shop.example"
    add_administrator(linked.engine.admin, name, "ReadCatalog")
    with connected_with(linked, Admin(linked.engine.address, name, name).token):
        placed = buy(linked)
        until(lambda: linked.waiting_orders() == 1)
    assert verdict(linked, placed)["verdict"] == "equal"


def test_disabled_promotion_is_the_cause(linked: LinkedShop, buyer: Shopper) -> None:
    with disabled_promotion(linked.engine):
        buyer.add_units(10111, 1)
        placed = buyer.place()
    found = verdict(linked, placed)
    assert (found["cause"], found["difference"]) == ("function_inactive", "1.49")


def test_changed_price_is_the_cause(linked: LinkedShop, buyer: Shopper) -> None:
    set_price(linked.engine, VARIANT, PRICE + 100)
    try:
        buyer.add_units(10111, 1)
        placed = buyer.place()
    finally:
        set_price(linked.engine, VARIANT, PRICE)
    found = verdict(linked, placed)
    assert (found["cause"], found["reason"]) == ("price_changed", "prices_changed")


def test_missing_unit_is_the_cause(linked: LinkedShop, buyer: Shopper) -> None:
    buyer.adjust(buyer.order()["lines"][0], 1)
    found = verdict(linked, buyer.place())
    assert (found["cause"], found["reason"]) == ("quantity_changed", "quantity_changed")
