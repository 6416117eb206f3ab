"""When the service or Vendure is unavailable, or refuses requests from the other, shoppers are served and charged as promised,
and orders arrive later."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.process.serving import BASE
from tests.vendure_plugin.connected_shop import run
from tests.vendure_plugin.linked.linked_shop import LinkedShop
from tests.vendure_plugin.linked.test_webhooks import BOX, BUNDLE, buy
from tests.vendure_plugin.linked.webhook_gate import until
from tests.vendure_plugin.orders.random_orders import charge, shopper

pytestmark = pytest.mark.process

PRODUCTS = f"{BASE}/bundles/{BUNDLE}/products"


@pytest.fixture(autouse=True)
def both_run(linked: LinkedShop) -> Iterator[None]:
    """Wait before each test until no webhook is in flight, and afterwards restart whatever the test has stopped."""
    until(linked.is_quiet)
    yield
    linked.restore()


def without_stock(content: Any) -> Any:
    """Return a JSON value without the numbers of units in stock. An earlier test may have changed the stock, and the service may
    fetch the new stock at any time."""
    if isinstance(content, list):
        return [without_stock(each) for each in content]
    if isinstance(content, dict):
        return {name: without_stock(value) for name, value in content.items() if name != "inventoryQuantity"}
    return content


def test_storefronts_are_served_while_the_engine_is_away(linked: LinkedShop) -> None:
    shown = linked.server.get(PRODUCTS, linked.key).json
    before = linked.storefront.configured(BUNDLE, *BOX)
    linked.stop_engine()
    assert without_stock(linked.server.get(PRODUCTS, linked.key).json) == without_stock(shown)
    away = linked.storefront.configured(BUNDLE, *BOX)
    assert away.promised == before.promised


def test_orders_placed_while_the_service_is_away_come_in_when_it_is_back(linked: LinkedShop) -> None:
    """Orders that are placed while the service is down reach it once it is up again, even if the engine is killed immediately
    after an order, while sending a webhook."""
    earlier = {order["id"] for order in linked.orders()}
    linked.gate.clear()
    boxes = [linked.storefront.configured(BUNDLE, *BOX) for _ in range(3)]
    linked.stop_service()
    placed = []
    for box in boxes:
        buyer = shopper(linked.engine, None)
        buyer.add(box.answer)
        placed.append(buyer.place())
        found = charge(placed[-1], box, None)
        assert found.is_as_promised, found
    linked.gate.wait_for(len)
    linked.stop_engine()
    linked.start_engine()
    linked.start_service()
    for order in placed:
        assert linked.order(order["id"])["bundles"][0]["verdict"] == "equal"
    assert {order["id"] for order in linked.orders()} - earlier == {order["id"] for order in placed}
    until(linked.is_quiet)
    assert {one.id for one in linked.gate.attempts} == {one.id for one in linked.gate.arrived}


def test_webhook_secret_is_rotated(linked: LinkedShop) -> None:
    assert "webhooks are sent to" in linked.check()
    linked.secret = secret(linked, "add")
    assert "the plugin signs webhooks with the old secret" in linked.check()
    assert linked.order(buy(linked)["id"])["bundles"], "the old secret is still valid"
    secret(linked, "drop")
    assert "the plugin signs webhooks with another secret, so they are refused" in linked.check()
    placed = buy(linked)
    linked.gate.wait_for(lambda attempts: any(one.status == 403 for one in attempts))
    linked.stop_engine()
    linked.restore()
    assert linked.order(placed["id"])["bundles"], "it waited for the new secret"
    assert "No problems found" in linked.check()


def secret(linked: LinkedShop, command: str) -> str:
    """Run a command of `platform secret`, and return the last word that it prints."""
    return (
        run(linked.folder, linked.settings, "platform", "secret", command, "--shop", "demo").rpartition(" ")[2].strip()
    )
