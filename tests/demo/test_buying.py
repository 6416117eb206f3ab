"""Buying in the demo: each cart becomes a test order whose charges are checked against the promises, and units of the order can
be returned."""

from collections.abc import Callable
from decimal import Decimal

import orjson
import pytest

from bundlesvc.demo.buying.routes import ORDERS_PATH
from bundlesvc.domain.orders.refunds.refund_quote import POLICIES
from tests.api.conftest import Response
from tests.api.selection import Json
from tests.demo.orders import BREAKFAST, EACH_ORDER, FLIGHT, ORDERS, Order
from tests.demo.service import Demo, cart_of
from tests.demo.test_promises import RATES

VISITOR = "00000000-0000-4000-8000-000000000001"


async def call(demo: Demo, method: str, path: str = "", body: object = None, key: str | None = None) -> Response:
    """Call one of the demo's order routes, by default with the demo's key."""
    headers = {"Authorization": f"Bearer {key or demo.key}"}
    async with demo.client.request(method, f"{ORDERS_PATH}{path}", json=body, headers=headers) as response:
        return Response(response.status, response.headers, await response.read())


async def bought(demo: Demo, cart: Json) -> Json:
    """Buy the contents of a cart, and return the order."""
    order: Json = (await call(demo, "POST", body=cart)).held().json["order"]
    return order


@EACH_ORDER
async def test_every_bundle_is_charged_as_promised_in_every_market(demo: Demo, order: Order) -> None:
    """Every bundle is charged as promised in every market, except that a ghost variant's price in a market may be rounded."""
    for country in RATES:
        result = await demo.configured(order, country)
        placed = await bought(demo, cart_of(result, country))
        (bundle,) = placed["bundles"]
        assert (bundle["bundleId"], placed["countryCode"], placed["test"]) == (order.bundle, country, True)
        if result["cart"]:
            assert bundle["verdict"] == "equal"
        else:
            assert (bundle["verdict"], bundle["cause"]) in (("equal", None), ("differs", "rounding"))


async def test_promise_and_charge_are_those_of_configure_and_of_the_receipt(demo: Demo) -> None:
    result = await demo.configured(BREAKFAST, "US")
    cart = cart_of(result, "US")

    placed = await bought(demo, cart)

    (bundle,) = placed["bundles"]
    assert bundle["promised"] == result["presentment"]["discountedPrice"]
    assert bundle["charged"] == (await demo.receipt(cart))["marketTotal"]
    assert (placed["currency"], Decimal(placed["rate"])) == ("USD", Decimal("1.10"))
    assert sum(Decimal(line["charged"]) for line in placed["lines"]) == Decimal(bundle["charged"])
    assert {line["group"] for line in placed["lines"]} == {f"bundle-{result['configured_bundle_id']}"}


async def test_lines_show_what_was_bought(demo: Demo) -> None:
    box, flight = cart_of(await demo.configured(BREAKFAST)), cart_of(await demo.configured(FLIGHT))

    placed = await bought(demo, {**box, "items": box["items"] + flight["items"], "visitorId": VISITOR})

    shown = [(line["title"], line["variantTitle"], len(line["contents"])) for line in placed["lines"]]
    assert shown[0] == ("First Light", "250 g / Whole bean", 0)
    assert shown[-1] == ("Tasting Flight", "", 3)
    assert all(line["imageUrl"] for line in placed["lines"])
    assert [bundle["verdict"] for bundle in placed["bundles"]] == ["equal", "equal"]
    assert placed["visitorId"] == VISITOR
    assert (await call(demo, "GET", f"/{placed['id']}")).held().json == placed


def _lost(cart: Json) -> None:
    cart["attributes"] = {}


def _changed_discount(cart: Json) -> None:
    entries = orjson.loads(cart["attributes"]["_bundles"])
    (entry,) = entries.values()
    place = len(entry["discount"]) // 2
    other = "A" if entry["discount"][place] == "B" else "B"
    entry["discount"] = entry["discount"][:place] + other + entry["discount"][place + 1 :]
    cart["attributes"]["_bundles"] = orjson.dumps(entries).decode()


def _one_more(cart: Json) -> None:
    cart["items"][0]["quantity"] += 1


def _one_line_less(cart: Json) -> None:
    del cart["items"][0]


@pytest.mark.parametrize(
    ("damage", "cause", "reason"),
    [
        (_lost, "attributes_lost", "attribute_missing"),
        (_changed_discount, "discount_refused", "discount_broken"),
        (_one_more, "quantity_changed", "quantity_changed"),
        (_one_line_less, "quantity_changed", "lines_missing"),
    ],
)
async def test_damaged_cart_is_bought_and_the_cause_is_named(
    demo: Demo, damage: Callable[[Json], None], cause: str, reason: str
) -> None:
    cart = cart_of(await demo.configured(BREAKFAST))
    damage(cart)

    (bundle,) = (await bought(demo, cart))["bundles"]

    assert (bundle["verdict"], bundle["cause"], bundle["reason"]) == ("differs", cause, reason)
    assert bundle["charged"] == (await demo.receipt(cart))["total"]


async def test_promise_of_another_market_is_named(demo: Demo) -> None:
    """When a cart is charged differently because the promise is for another market, the diagnosis names this cause: this bundle's
    tiers depend on an amount, so its promise is valid only in the market for which it was made."""
    cart = cart_of(await demo.configured(ORDERS["tiers that add up"]))
    (bundle,) = (await bought(demo, {**cart, "countryCode": "US"}))["bundles"]
    assert (bundle["cause"], bundle["reason"]) == ("market_changed", "market_changed")


async def test_cart_without_a_bundle_places_no_order(demo: Demo) -> None:
    card = {"id": 10351, "quantity": 1, "properties": {}}
    for items in ([card], [{**card, "id": 4040}], []):
        assert (await call(demo, "POST", body={"items": items})).held().json == {"order": None}


async def returned(demo: Demo, placed: Json, *lines: Json) -> dict[str, Json]:
    """Send these lines of a placed order back, and return the quoted refunds by policy."""
    answer = await call(demo, "POST", f"/{placed['id']}/returns", {"lines": lines})
    return {quote["policy"]: quote for quote in answer.held().json["quotes"]}


async def test_one_part_comes_back_under_every_policy(demo: Demo) -> None:
    """One unit is returned under every policy, and the tiers take less off the remaining units."""
    placed = await bought(demo, cart_of(await demo.configured(ORDERS["second tier"])))
    first, *_ = placed["lines"]

    quotes = await returned(demo, placed, {"line": first["id"], "quantity": 1})

    assert list(quotes) == list(POLICIES)
    amounts = {policy: Decimal(quote["amount"]) for policy, quote in quotes.items()}
    assert amounts["proportional"] >= amounts["keep-rules"] >= amounts["remainder-full"] >= 0
    assert len(set(amounts.values())) == 3
    assert {quote["currency"] for quote in quotes.values()} == {"EUR"}


async def test_everything_comes_back_for_what_was_paid(demo: Demo) -> None:
    placed = await bought(demo, cart_of(await demo.configured(BREAKFAST, "JP"), "JP"))
    lines = [{"line": line["id"], "quantity": line["quantity"]} for line in placed["lines"]]
    amounts = {quote["amount"] for quote in (await returned(demo, placed, *lines)).values()}
    assert amounts == {placed["bundles"][0]["charged"]}


async def test_impossible_returns_are_refused_with_every_fault(demo: Demo) -> None:
    placed = await bought(demo, cart_of(await demo.configured(BREAKFAST)))
    path = f"/{placed['id']}/returns"

    wrong = await call(demo, "POST", path, {"lines": [{"line": "0", "quantity": 99}, {"line": "x", "quantity": 1}]})
    assert (wrong.held(400).code, [each["code"] for each in wrong.json["details"]]) == (
        "refund_invalid",
        ["too_many_units", "unknown_line"],
    )
    malformed: list[Json] = [{}, {"lines": []}, {"lines": [{"line": "0", "quantity": 0}]}]
    for body in malformed:
        assert (await call(demo, "POST", path, body)).held(400).code == "invalid_request"
    assert (await call(demo, "POST", "/demo-none/returns", {"lines": [{"line": "0", "quantity": 1}]})).status == 404


async def test_orders_need_the_demo_s_key(demo: Demo) -> None:
    for method, path in (("POST", ""), ("GET", "/1"), ("POST", "/1/returns")):
        assert (await call(demo, method, path, {"items": []}, key="bnd_live_unknown")).status == 403
    assert (await call(demo, "GET", "/1")).status == 404


@pytest.mark.parametrize("changes", [{"items": {}}, {"visitorId": "me"}, {"countryCode": "XX"}])
async def test_malformed_purchase_is_a_400(demo: Demo, changes: Json) -> None:
    answer = await call(demo, "POST", body={"items": [], **changes})
    assert (answer.held(400).code, answer.paths) == ("invalid_request", list(changes))
