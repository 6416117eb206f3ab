"""Changes in the engine reach the service through webhooks: each becomes visible soon, nothing else is fetched again, and no
failure loses or duplicates anything."""

from collections.abc import Iterator

import pytest

from tests.process.serving import BASE
from tests.vendure_plugin.catalogue import set_price, set_stock
from tests.vendure_plugin.linked.linked_shop import LinkedShop
from tests.vendure_plugin.linked.webhook_gate import AWAY, DEAF, OPEN, REFUSING, Attempt, until
from tests.vendure_plugin.orders.random_orders import shopper
from tests.vendure_plugin.shopper import Json

pytestmark = pytest.mark.process

BUNDLE, PRODUCT, VARIANT, PRICE = 110, 1001, "10011", 990
OTHER_PRODUCT, OTHER_VARIANT = 1002, "10021"
BOX = [(10011, 1001, 1), (10011, 1001, 1), (10012, 1001, 1)]

_RENAME = "mutation ($id: ID!, $enabled: Boolean!) { updateProduct(input: {id: $id, enabled: $enabled}) { id } }"
_PRICES = "mutation ($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }"
_CHANNEL = """mutation ($id: ID!, $level: Int!) { updateChannel(input: {id: $id, outOfStockThreshold: $level}) {
  ... on Channel { id } ... on ErrorResult { errorCode message }
} }"""


@pytest.fixture(autouse=True)
def quiet(linked: LinkedShop) -> Iterator[None]:
    """Begin and end each test with the webhook gate open, and with no webhook pending."""
    until(linked.is_quiet)
    linked.gate.clear()
    yield
    linked.gate.state = OPEN
    until(linked.is_quiet)


def merged(attempts: list[Attempt]) -> Json:
    """Collect the ids in accepted webhooks. An id is repeated for every webhook that contained it."""
    bodies = [one.body for one in attempts if one.status == 200]
    return {name: sorted(id_ for body in bodies for id_ in body[name]) for name in ("products", "stock", "orders")}


def shown_price(linked: LinkedShop) -> str:
    products = linked.server.get(f"{BASE}/bundles/{BUNDLE}/products", linked.key).json["products"]
    return str(
        next(
            variant["price"]
            for product in products
            for variant in product["variants"]
            if variant["platformVariantId"] == VARIANT
        )
    )


def buy(linked: LinkedShop, country: str | None = None) -> Json:
    """Place an order for a box, at current prices."""
    buyer = shopper(linked.engine, country)
    buyer.add(linked.storefront.configured(BUNDLE, *BOX, country=country).answer)
    return buyer.place()


def test_price_shows_soon_and_only_its_product_is_fetched_again(linked: LinkedShop) -> None:
    assert shown_price(linked) == "9.90"
    before = linked.calls()
    set_price(linked.engine, VARIANT, PRICE + 100)
    try:
        until(lambda: shown_price(linked) == "10.90")
        linked.gate.wait_for(lambda found: merged(found) == {"products": [PRODUCT], "stock": [], "orders": []})
        assert linked.calls() - before == {"BundleProducts": 1}
    finally:
        set_price(linked.engine, VARIANT, PRICE)
    until(lambda: shown_price(linked) == "9.90")


def test_product_that_is_disabled_shows_soon(linked: LinkedShop) -> None:
    linked.engine.admin.run(_RENAME, id=OTHER_PRODUCT, enabled=False)
    try:
        linked.gate.wait_for(lambda attempts: OTHER_PRODUCT in merged(attempts)["products"])
    finally:
        linked.engine.admin.run(_RENAME, id=OTHER_PRODUCT, enabled=True)


def test_changes_of_many_products_are_one_webhook(linked: LinkedShop) -> None:
    found = linked.engine.admin.run("{ productVariants(options: {take: 60}) { items { id product { id } } } }")
    variants = found["productVariants"]["items"]
    linked.engine.admin.run(_PRICES, input=[{"id": one["id"], "enabled": True} for one in variants])
    products = sorted({int(one["product"]["id"]) for one in variants})
    assert len(products) > 20
    attempts = linked.gate.wait_for(lambda attempts: {*products} <= {*merged(attempts)["products"]})
    assert products in [sorted(one.body["products"]) for one in attempts]


def test_stock_is_named_by_its_variant(linked: LinkedShop) -> None:
    set_stock(linked.engine, OTHER_VARIANT, 7)
    set_stock(linked.engine, OTHER_VARIANT, 1_000_000)
    attempts = linked.gate.wait_for(lambda attempts: merged(attempts)["stock"])
    assert int(OTHER_VARIANT) in merged(attempts)["stock"]


def test_change_of_a_channel_concerns_the_shop(linked: LinkedShop) -> None:
    channel = linked.engine.admin.run("{ activeChannel { id } }")["activeChannel"]["id"]
    linked.engine.admin.run(_CHANNEL, id=channel, level=0)
    linked.gate.wait_for(lambda attempts: any(one.body["shop"] for one in attempts if one.status == 200))


def test_order_without_a_bundle_is_not_sent(linked: LinkedShop) -> None:
    buyer = shopper(linked.engine, None)
    buyer.add_units(int(OTHER_VARIANT), 1)
    buyer.place()
    attempts = linked.gate.wait_for(lambda attempts: merged(attempts)["stock"])
    until(linked.is_quiet)
    assert merged(attempts)["orders"] == []


@pytest.mark.parametrize("state", [REFUSING, AWAY, DEAF])
def test_nothing_is_lost_or_doubled_while_webhooks_fail(linked: LinkedShop, state: str) -> None:
    """No change is lost or duplicated while webhooks fail. Even if a response is lost, the service recognises the repeated
    webhook."""
    before = linked.taken_orders()
    linked.gate.state = state
    placed = [buy(linked) for _ in range(3)]
    set_price(linked.engine, OTHER_VARIANT, 1290)
    linked.gate.wait_for(lambda attempts: len(attempts) >= 2)
    linked.gate.state = OPEN
    orders = {linked.order(one["id"])["id"] for one in placed}
    assert orders == {one["id"] for one in placed}
    until(linked.is_quiet)
    accepted = linked.gate.arrived
    assert len({one.id for one in accepted}) == len(accepted)
    assert {int(one["id"]) for one in placed} <= {*merged(accepted)["orders"]}
    assert OTHER_PRODUCT in merged(accepted)["products"]
    assert linked.taken_orders() == before + len(placed)
