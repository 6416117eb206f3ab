"""From the cart to the verdict: a bundle is bought in the platform's checkout, and a webhook makes the service read and judge the
order."""

import asyncio
from collections.abc import Sequence
from random import Random

import pytest

from bundlesvc.domain.orders.standing import standing_lines
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.orders.inbox import SqlOrderInbox
from bundlesvc.storage.shoppers.subscriptions import SqlSubscriptions
from tests.api.conftest import Api
from tests.api.live.conftest import Deliver
from tests.api.live.ordering import (
    MUG,
    SHIRT_M,
    SHIRT_S,
    SHOP,
    WEEKLY,
    cart_of,
    configured,
    inbox_is_empty,
    ordering_shop,
    stored,
    verdicts,
)
from tests.cli.installed_function import install_function
from tests.cli.live_shop import DOMAIN
from tests.conftest import LoadShop
from tests.fakes import FakeClock
from tests.standin.app.webhooks import SECRET, Webhook, order_webhook
from tests.standin.data.carts import CartLine
from tests.standin.data.generated import product
from tests.standin.data.orders import Order
from tests.standin.data.shop import Shop
from tests.standin.faults import graphql_errors, server_error
from tests.standin.server import Standin
from tests.standin.storefront.buying import buy

EQUAL = ("equal", None)


@pytest.fixture
def standin_shop() -> Shop:
    shop = ordering_shop()
    install_function(shop)
    return shop


@pytest.fixture
async def api(apis: list[Api], load_shop: LoadShop) -> Api:
    await load_shop(SHOP)
    for api in apis:
        await api.refresh()
    return apis[0]


async def told(deliver: Deliver, api: Api, order: Order, *topics: str) -> None:
    for topic in topics or ("orders/create",):
        assert await deliver(api, order_webhook(topic, order, DOMAIN)) == 200


@pytest.mark.parametrize("in_full", [False, True])
@pytest.mark.parametrize("country", ["DE", "CH", None])
async def test_bought_as_configured(
    country: str | None,
    in_full: bool,
    api: Api,
    standin: Standin,
    deliver: Deliver,
    clock: FakeClock,
    database: Database,
) -> None:
    """A bundle that was bought as configured gets the verdict `equal`, however the platform reports the lines of a merged
    bundle."""
    standin.shop.states_merged_discounts = in_full
    answers = [await configured(api, (SHIRT_S, 3), (MUG, 2), bundle=bundle, country=country) for bundle in (42, 43)]
    order = buy(standin.shop, cart_of(*answers, country=country), clock.now())
    assert {line.group is not None for line in order.lines} == {True}
    await told(deliver, api, order)

    assert await verdicts(database, order.number) == [EQUAL, EQUAL]
    found = await stored(database, order.number)
    assert found is not None
    assert (found.order.currency, found.order.country) == (order.currency, country)
    assert sum(line.charged for line in standing_lines(found.order)) == order.total * 100
    assert {line.net for line in found.order.lines} == {country is None and not in_full}


async def test_tampered_cart_has_a_named_cause(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    cart = cart_of(await configured(api, (SHIRT_S, 2), (MUG, 1)))
    cart.lines[0].quantity = 3
    order = buy(standin.shop, cart, clock.now())
    await told(deliver, api, order)
    assert await verdicts(database, order.number) == [("differs", "quantity_changed")]


async def test_cart_without_the_attribute_has_a_named_cause(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    cart = cart_of(await configured(api, (SHIRT_S, 2), (MUG, 1)))
    cart.attributes["_bundles"] = "{}"
    order = buy(standin.shop, cart, clock.now())
    await told(deliver, api, order)
    assert await verdicts(database, order.number) == [("differs", "attributes_lost")]


async def test_inactive_function_and_a_code_have_named_causes(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    cart = cart_of(await configured(api, (SHIRT_S, 2), (MUG, 1)))
    with_code = buy(standin.shop, cart, clock.now(), ("SUMMER", 5))
    standin.shop.functions.cart_transforms.clear()
    in_full = buy(standin.shop, cart, clock.now())
    for order in (with_code, in_full):
        await told(deliver, api, order)
    assert await verdicts(database, with_code.number) == [("differs", "other_discount")]
    assert await verdicts(database, in_full.number) == [("differs", "function_inactive")]


async def test_prices_that_changed_before_the_order_was_read(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    """Prices that changed before the order was read do not matter: the promise is known, and the promised amount was charged.

    The prices of the parts of a merged bundle are no longer known."""
    answer = await configured(api, (SHIRT_S, 2), (MUG, 1), country="DE")
    order = buy(standin.shop, cart_of(answer), clock.now())
    standin.shop.products[1].variants[0].price += 7
    await told(deliver, api, order)
    assert await verdicts(database, order.number) == [EQUAL]
    found = await stored(database, order.number)
    assert found is not None
    assert all(line.net for line in found.order.lines)


async def test_subscription_has_the_discount_on_its_lines(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    """The lines of a subscription order contain the bundle's discount, which is recognised even though the merchant has renamed
    it."""
    standin.shop.functions.discounts[0].title = "Boxes"
    answer = await configured(api, (SHIRT_S, 2), (MUG, 1), country="DE", weekly=True)
    order = buy(standin.shop, cart_of(answer, plan=WEEKLY), clock.now())
    await told(deliver, api, order)
    found = await stored(database, order.number)
    assert found is not None
    assert {(line.selling_plan, line.contract) for line in found.order.lines} == {
        (str(WEEKLY), str(order.lines[0].contract))
    }
    assert [verdict.outcome for verdict in found.verdicts] == ["equal"]
    assert {each.title for line in found.order.lines for each in line.discounts} == {"Boxes"}


async def test_edits_refunds_and_cancellation(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    standin.shop.tax_rate = standin.shop.tax_rate.from_float(0.25)
    order = buy(standin.shop, cart_of(await configured(api, (SHIRT_S, 2), (MUG, 2), country="DE")), clock.now())
    shirt, mug = order.lines
    await told(deliver, api, order)
    assert await verdicts(database, order.number) == [EQUAL]

    order.edit(mug, -1)
    await told(deliver, api, order, "orders/edited")
    assert await verdicts(database, order.number) == [("differs", "edited")]
    order.refund(shirt, 1, restock=False)
    await told(deliver, api, order, "refunds/create")
    order.refund(shirt, 1)
    order.cancel()
    await told(deliver, api, order, "orders/cancelled", "refunds/create")

    found = await stored(database, order.number)
    assert found is not None
    assert found.order.cancelled
    assert [(edit.line_id, edit.quantity, edit.amount) for edit in found.order.edits] == [(str(mug.number), -1, -990)]
    assert [(each.line_id, each.quantity, each.amount, each.restocked) for each in found.order.refunds] == [
        (str(shirt.number), 1, 990, False),
        (str(shirt.number), 1, 990, True),
    ]
    assert [line.quantity for line in found.order.lines] == [2, 2]
    standing = standing_lines(found.order)
    assert [(line.units, line.returned, line.charged) for line in standing] == [(2, 2, 1980), (1, 0, 990)]
    assert [line.tax for line in standing] == [396, 396]


async def test_line_that_an_edit_adds(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    answer = await configured(api, (SHIRT_S, 2), country="DE")
    cart = cart_of(answer)
    cart.add(CartLine(SHIRT_M, 1))
    order = buy(standin.shop, cart, clock.now())
    bundle, other = order.lines
    order.edit(other, 2)
    await told(deliver, api, order, "orders/edited")
    found = await stored(database, order.number)
    assert found is not None
    assert [(line.id, line.quantity) for line in found.order.lines] == [(str(bundle.number), 2), (str(other.number), 1)]
    assert [(edit.quantity, edit.amount) for edit in found.order.edits] == [(2, 2400)]
    assert [(verdict.outcome, verdict.cause) for verdict in found.verdicts] == [EQUAL]


async def test_large_order_is_read_in_pages(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    many = [product(number) for number in range(100, 498)]
    standin.shop.add(*many)
    cart = cart_of(await configured(api, (SHIRT_S, 2), (MUG, 1), country="DE"))
    for each in many:
        cart.add(CartLine(each.variants[0].id, 1))
    order = buy(standin.shop, cart, clock.now())
    assert len(order.lines) == 400
    standin.calls.clear()
    await told(deliver, api, order)
    found = await stored(database, order.number)
    assert found is not None
    assert len(found.order.lines) == 400
    assert [(verdict.outcome, verdict.cause) for verdict in found.verdicts] == [EQUAL]
    assert standin.calls["OrderLines"] == 4


async def test_order_that_changes_while_it_is_read_is_read_again(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    many = [product(number) for number in range(100, 300)]
    standin.shop.add(*many)
    cart = cart_of(await configured(api, (SHIRT_S, 2), country="DE"))
    for each in many:
        cart.add(CartLine(each.variants[0].id, 1))
    order = buy(standin.shop, cart, clock.now())
    await told(deliver, api, order)
    async with asyncio.timeout(10):
        while not standin.calls["OrderLines"]:  # noqa: ASYNC110 - the stand-in has no event for it
            await asyncio.sleep(0)
    order.refund(order.lines[0], 1)
    await told(deliver, api, order, "refunds/create")
    found = await stored(database, order.number)
    assert found is not None
    assert [refund.quantity for refund in found.order.refunds] == [1]


async def test_platform_that_is_away_loses_no_order(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    """A platform outage loses no order: the webhook is acknowledged, and the order is read once the platform works again."""
    answer = await configured(api, (SHIRT_S, 2), country="DE")
    order = buy(standin.shop, cart_of(answer), clock.now())
    standin.fail_next(server_error(503), "Order", times=None)
    await told(deliver, api, order)
    async with asyncio.timeout(10):
        while standin.calls["Order"] < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert (await SqlOrderInbox(database).counts())[0] == 1
    standin.heal()
    async with asyncio.timeout(10):
        while (await SqlOrderInbox(database).counts())[0]:
            clock.move(20)
            await asyncio.sleep(0.05)
    assert await verdicts(database, order.number) == [EQUAL]


async def test_without_the_scope_for_orders_the_notice_waits(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    answer = await configured(api, (SHIRT_S, 2), country="DE")
    order = buy(standin.shop, cart_of(answer), clock.now())
    standin.missing_scopes.add("read_orders")
    await told(deliver, api, order)
    async with asyncio.timeout(10):
        while not standin.calls["Order"]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    (await api.get("/bundles/42")).held()
    assert (await SqlOrderInbox(database).counts())[0] == 1


@pytest.mark.parametrize("scope", ["read_own_subscription_contracts", "read_discounts"])
async def test_without_optional_scopes_orders_are_read(
    scope: str, api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    answer = await configured(api, (SHIRT_S, 2), (MUG, 1), country="DE", weekly=True)
    order = buy(standin.shop, cart_of(answer, plan=WEEKLY), clock.now())
    standin.missing_scopes.add(scope)
    await told(deliver, api, order)
    assert await verdicts(database, order.number) == [EQUAL]


async def test_country_that_the_app_may_not_see(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    """If the app is not allowed to see the country of an order, because customers' addresses are protected data, the order is
    judged in the market of its promise."""
    denied = {"message": "Access denied", "extensions": {"code": "ACCESS_DENIED"}, "path": ["order", "displayAddress"]}
    answer = await configured(api, (SHIRT_S, 2), (MUG, 1), bundle=43, country="CH")
    order = buy(standin.shop, cart_of(answer, country="CH"), clock.now())
    standin.fail_next(graphql_errors(denied, data={"order": {"displayAddress": None}}), "OrderCountry")
    await told(deliver, api, order)
    assert await verdicts(database, order.number) == [EQUAL]


async def test_order_without_a_bundle_or_not_shown_is_let_go(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    cart = cart_of(await configured(api, (SHIRT_S, 2), country="DE"))
    cart.lines.clear()
    cart.add(CartLine(SHIRT_M, 1))
    other = buy(standin.shop, cart, clock.now())
    old = buy(standin.shop, cart_of(await configured(api, (SHIRT_S, 2), country="DE")), clock.now() - 90 * 86_400)
    standin.shop.orders_shown_from = other.created_at
    for order in (other, old):
        await told(deliver, api, order)
        assert await stored(database, order.number) is None


@pytest.mark.parametrize(
    "body", [{}, {"id": None}, {"id": "x"}, {"id": -1}, {"id": []}, {"id": "9" * 40}, {"order_id": {}}], ids=str
)
async def test_webhook_that_names_no_order(body: object, api: Api, deliver: Deliver, database: Database) -> None:
    """A webhook without an order id is accepted and ignored.

    The webhooks of a subscription that an earlier version of the service created contain only the order's lines, and refusing
    these webhooks would end the subscription."""
    for topic in ("orders/create", "orders/paid", "orders/edited", "refunds/create"):
        assert await deliver(api, Webhook(topic, body, DOMAIN)) == 200
    assert await SqlOrderInbox(database).counts() == (0, None)


async def test_forged_webhook_names_nothing(api: Api, deliver: Deliver, database: Database) -> None:
    assert await deliver(api, Webhook("orders/create", {"id": 1}, DOMAIN, SECRET + "x")) == 403
    assert await SqlOrderInbox(database).counts() == (0, None)


async def test_nothing_of_the_shopper_is_read_or_stored(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    cart = cart_of(await configured(api, (SHIRT_S, 2), country="DE"))
    cart.lines[0].attributes = {**cart.lines[0].attributes, "Gift note": "For Mira"}
    cart.attributes["Note"] = "Leave it with Mira"
    order = buy(standin.shop, cart, clock.now())
    await told(deliver, api, order)
    found = await stored(database, order.number)
    assert found is not None
    assert "Mira" not in str(found)
    asked = "".join(request.document for request in standin.requests)
    for name in ("email", "phone", "customer ", "firstName", "address1", "shippingAddress", "note"):
        assert name not in asked


async def test_any_order_of_delivery_ends_in_the_same_state(
    apis: list[Api], api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    """Webhooks lead to the same state in any order, even when they are late, repeated, received by two processes, or sent within
    the same second as a change."""
    answer = await configured(api, (SHIRT_S, 4), (MUG, 4), country="DE")
    for seed in range(12):
        chance = Random(seed)
        order = buy(standin.shop, cart_of(answer), clock.now())
        waiting = [order_webhook("orders/create", order, DOMAIN), order_webhook("orders/paid", order, DOMAIN)]
        for _ in range(chance.randint(1, 4)):
            waiting.append(_changed(order, chance))
            chance.shuffle(waiting)
            for _ in range(chance.randint(0, 2)):
                assert await deliver(chance.choice(apis), chance.choice(waiting)) == 200
            if chance.random() < 0.3:
                await inbox_is_empty(database)
        chance.shuffle(waiting)
        for webhook in waiting:
            assert await deliver(chance.choice(apis), webhook) == 200
        found = await stored(database, order.number)
        assert found is not None
        assert _state(found.order) == _expected(order), seed


def _changed(order: Order, chance: Random) -> Webhook:
    line, seconds = chance.choice(order.lines), chance.randint(0, 1)
    if chance.random() < 0.5:
        order.edit(line, -1, seconds)
        return order_webhook("orders/edited", order, DOMAIN)
    order.refund(line, 1, seconds=seconds)
    return order_webhook("refunds/create", order, DOMAIN)


def _state(order: object) -> Sequence[tuple[int, int]]:
    return sorted((line.units, line.returned) for line in standing_lines(order))  # type: ignore[arg-type]


def _expected(order: Order) -> Sequence[tuple[int, int]]:
    changed: dict[int, list[int]] = {line.number: [line.quantity, 0] for line in order.lines}
    for agreement in order.agreements[1:]:
        for sale in agreement.sales:
            if sale.line is not None:
                changed[sale.line.number][agreement.reason == "REFUND"] += (
                    -sale.quantity if agreement.reason == "REFUND" else sale.quantity
                )
    return sorted((units, returned) for units, returned in changed.values())


async def test_subscription_from_its_order_to_the_end_of_its_contract(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    async def state() -> tuple[str, str | None, str | None]:
        await inbox_is_empty(database)
        (one,) = await SqlSubscriptions(database).all()
        return one.status, one.order_id, one.contract

    answer = await configured(api, (SHIRT_S, 2), (MUG, 1), country="DE", weekly=True)
    cart = cart_of(answer, plan=WEEKLY)
    assert await state() == ("pending", None, None)
    order = buy(standin.shop, cart, clock.now())
    (contract,) = standin.shop.contracts.values()
    renewal = buy(standin.shop, cart, clock.now() + 7 * 86_400)
    for line in renewal.lines:
        line.contract = contract.id

    await told(deliver, api, renewal)
    assert await state() == ("active", str(renewal.number), str(contract.id))
    await told(deliver, api, order)
    assert await state() == ("active", str(order.number), str(contract.id))
    for each, expected in ((order, "first"), (renewal, "renewal")):
        found = await stored(database, each.number)
        assert found is not None
        assert [(one.outcome, one.delivery) for one in found.verdicts] == [("equal", expected)]

    contract.status = "CANCELLED"
    assert await deliver(api, Webhook("subscription_contracts/cancel", {"id": contract.id}, DOMAIN)) == 200
    assert await state() == ("cancelled", str(order.number), str(contract.id))
    contract.status = "ACTIVE"
    assert await deliver(api, Webhook("subscription_contracts/activate", {"id": contract.id}, DOMAIN)) == 200
    assert await state() == ("active", str(order.number), str(contract.id))


async def test_contracts_that_the_app_may_not_see(
    api: Api, standin: Standin, deliver: Deliver, clock: FakeClock, database: Database
) -> None:
    standin.missing_scopes.add("read_own_subscription_contracts")
    assert await deliver(api, Webhook("subscription_contracts/cancel", {"id": 7}, DOMAIN)) == 200
    await inbox_is_empty(database)
