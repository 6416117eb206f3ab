"""A bundle is added to an order in the engine once and completely. As soon as one of its lines changes, the bundle is charged at
full price, and its lines show the reason."""

from concurrent.futures import ThreadPoolExecutor
from decimal import ROUND_HALF_UP, Decimal
from itertools import count

import pytest

from tests.vendure_plugin.catalogue import add_coupon, set_stock
from tests.vendure_plugin.orders.attacks import Goods, Tampered, goods
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DemoEngine
from tests.vendure_plugin.shopper import Json, Shopper, lines_of

pytestmark = pytest.mark.process

SCARCE = 10022
PASSWORD = "correct horse"
_NUMBERS = count(1)
_CUSTOMER = """mutation ($mail: String!, $password: String!) {
  createCustomer(input: {firstName: "Ada", lastName: "Shopper", emailAddress: $mail}, password: $password) { __typename }
}"""
_LOGIN = """mutation ($mail: String!, $password: String!) {
  login(username: $mail, password: $password, rememberMe: false) { __typename ... on ErrorResult { message } }
}"""


@pytest.fixture(scope="module")
def bundles(storefront: Storefront) -> Goods:
    return goods(storefront)


@pytest.fixture
def shopper(engine: DemoEngine) -> Shopper:
    return Shopper(engine.address, engine.home)


def cents(order: Json, configured: str) -> int:
    return sum(line["discountedLinePriceWithTax"] for line in lines_of(order, configured))


def reasons(order: Json) -> set[str | None]:
    return {line["bundle"] and line["bundle"]["reason"] for line in order["lines"]}


def coupon(engine: DemoEngine, action: str, arguments: list[dict[str, str]]) -> str:
    """Create a coupon, and return its code."""
    code = f"COUPON-{next(_NUMBERS)}"
    add_coupon(engine, code, action, arguments)
    return code


def test_bundle_is_added_once(shopper: Shopper, bundles: Goods) -> None:
    first = shopper.add(bundles.box.answer)
    assert shopper.add(bundles.box.answer) == first
    assert cents(first, bundles.box.id) == bundles.box.promised * 100


def test_bundle_that_is_added_at_once_several_times_is_added_once(shopper: Shopper, bundles: Goods) -> None:
    shopper.add_units(10111, 1)
    with ThreadPoolExecutor(4) as threads:
        orders = [*threads.map(lambda _: shopper.add(bundles.box.answer), range(4))]
    assert {order["subTotalWithTax"] for order in [*orders, shopper.order()]} == {int(bundles.box.promised * 100) + 590}


def test_two_equal_bundles_are_two_bundles(shopper: Shopper, storefront: Storefront) -> None:
    boxes = [storefront.configured(110, *[(10011, 1001, 1)] * 3) for _ in range(2)]
    for box in boxes:
        order = shopper.add(box.answer)
    assert [cents(order, box.id) for box in boxes] == [box.promised * 100 for box in boxes]


def test_rest_is_charged_in_full_at_once_when_a_line_changes(shopper: Shopper, bundles: Goods) -> None:
    order = shopper.add(bundles.box.answer)
    changed = shopper.adjust(order["lines"][0], 3)
    assert reasons(changed) == {"quantity_changed"}
    assert changed["subTotalWithTax"] == 3 * 990 + 3 * 890
    repaired = shopper.adjust(order["lines"][0], 2)
    assert cents(repaired, bundles.box.id) == bundles.box.promised * 100
    removed = shopper.remove(order["lines"][0])
    assert (reasons(removed), removed["subTotalWithTax"]) == ({"lines_missing"}, 3 * 890)


def test_line_shows_its_bundle(shopper: Shopper, bundles: Goods) -> None:
    shopper.add_units(10111, 1)
    order = shopper.add(bundles.mug.answer)
    loose, *marked = order["lines"]
    assert loose["bundle"] is None
    shown = [line["bundle"] for line in marked]
    assert {(one["configured"], one["bundle"], one["title"], one["isIntact"], one["reason"]) for one in shown} == {
        (bundles.mug.id, 109, "Name Mug", True, None)
    }
    mug = next(one for one in shown if one["answers"])
    assert mug["answers"] == {"Lettering": "Mira", "Hand": "Script"}
    (fee,) = [line for line in marked if line["bundle"]["isFee"]]
    assert fee["discountedLinePriceWithTax"] == 400
    assert mug["mark"] == bundles.mug.answer["cart"]["line_items"][0]["properties"]["_bundle_data"]


def test_bundle_without_enough_stock_is_not_added_at_all(
    engine: DemoEngine, shopper: Shopper, storefront: Storefront
) -> None:
    box = storefront.configured(110, (10011, 1001, 1), (10011, 1001, 1), (10012, 1001, 1))
    before = shopper.add_units(10111, 1)
    set_stock(engine, "10012", 0)
    try:
        answer = shopper.try_to_add(box.answer)
    finally:
        set_stock(engine, "10012", 1000)
    assert (answer["errorCode"], answer["quantityAvailable"]) == ("INSUFFICIENT_STOCK_ERROR", 0)
    assert answer["order"] == shopper.order() == before
    assert cents(shopper.add(box.answer), box.id) == box.promised * 100


@pytest.mark.parametrize(
    "response",
    [
        7,
        "text",
        [],
        {},
        {"cart": None},
        {"cart": {"line_items": [None]}},
        {"cart": {"line_items": [{"id": 10011, "quantity": 1, "properties": {}}]}},
    ],
)
def test_response_that_cannot_be_read_is_refused(shopper: Shopper, response: object) -> None:
    before = shopper.add_units(10111, 1)
    assert shopper.try_to_add(response)["errorCode"] == "BUNDLE_NOT_ADDED_ERROR"
    assert shopper.order() == before


def test_bundle_that_is_not_native_is_refused(shopper: Shopper) -> None:
    ghost = {"configured_bundle_id": 1, "variant_id": "10011", "cart": None}
    assert shopper.try_to_add(ghost)["errorCode"] == "BUNDLE_NOT_ADDED_ERROR"


def test_one_log_line_says_why_a_bundle_is_charged_in_full(
    engine: DemoEngine, shopper: Shopper, bundles: Goods
) -> None:
    broken = Tampered(bundles.box)
    broken.entry["discount"] = "garbage"
    order = shopper.add(broken.written())
    shopper.add_units(10111, 1)
    shopper.add_units(10111, 1)
    assert reasons(order) == {"discount_broken"}
    assert order["subTotalWithTax"] == bundles.box.original * 100
    said = [line for line in engine.log if order["code"] in line]
    assert len(said) == 1
    assert f"Order {order['code']}: bundle {bundles.box.id} is charged at full price: discount_broken" in said[0]


def test_bundle_of_a_guest_stays_intact_at_login(engine: DemoEngine, shopper: Shopper, bundles: Goods) -> None:
    mail = f"ada-{next(_NUMBERS)}@shop.example"
    engine.admin.run(_CUSTOMER, mail=mail, password=PASSWORD)
    home = shopper.again()
    home.run(_LOGIN, mail=mail, password=PASSWORD)
    home.add(bundles.mug.answer)
    shopper.add(bundles.box.answer)
    shopper.run(_LOGIN, mail=mail, password=PASSWORD)
    merged = shopper.order()
    for one in (bundles.box, bundles.mug):
        assert cents(merged, one.id) == one.promised * 100


def test_coupon_of_an_order_comes_off_the_promised_price(engine: DemoEngine, shopper: Shopper, bundles: Goods) -> None:
    code = coupon(engine, "order_percentage_discount", [{"name": "discount", "value": "10"}])
    shopper.add(bundles.box.answer)
    order = shopper.apply_coupon(code)
    promised = int(bundles.box.promised * 100)
    assert cents(order, bundles.box.id) == promised
    assert order["subTotalWithTax"] == promised - round(promised / 10)
    assert shopper.place()["subTotalWithTax"] == order["subTotalWithTax"]


def test_coupon_of_items_does_not_change_the_promised_amount(
    engine: DemoEngine, shopper: Shopper, bundles: Goods
) -> None:
    """A coupon reduces the items' prices by its own percentage. The bundle's discount applies as well, and no price falls below
    zero."""
    code = coupon(engine, "products_percentage_discount", _of_products("100", "10011"))
    shopper.add(bundles.box.answer)
    order = shopper.apply_coupon(code)
    free, other = order["lines"]
    assert (free["discountedLinePriceWithTax"], other["bundle"]["reason"]) == (0, None)
    assert other["discountedLinePriceWithTax"] < other["linePriceWithTax"]


def _of_products(percentage: str, variant: str) -> list[dict[str, str]]:
    return [
        {"name": "discount", "value": percentage},
        {"name": "productVariantIds", "value": f'["{variant}"]'},
    ]


def test_fee_whose_bundle_was_removed_says_so(shopper: Shopper, bundles: Goods) -> None:
    order = shopper.add(bundles.mug.answer)
    for line in order["lines"]:
        if not line["bundle"]["isFee"]:
            order = shopper.remove(line)
    (fee,) = order["lines"]
    assert (fee["bundle"]["configured"], fee["bundle"]["reason"]) == (bundles.mug.id, "lines_missing")
    assert fee["discountedLinePriceWithTax"] == 400


def test_order_that_waits_for_its_payment_takes_no_bundle(shopper: Shopper, bundles: Goods) -> None:
    shopper.add(bundles.mug.answer)
    shopper.place_in("ArrangingPayment")
    before = shopper.order()
    assert shopper.try_to_add(bundles.box.answer)["errorCode"] == "ORDER_MODIFICATION_ERROR"
    assert shopper.order() == before


@pytest.mark.parametrize("country", ["US", "CH", "JP"])
def test_promise_for_home_is_not_valid_in_another_currency(engine: DemoEngine, bundles: Goods, country: str) -> None:
    order = Shopper(engine.address, engine.tokens[country.lower()]).add(bundles.winter_box.answer)
    assert reasons(order) == {"market_changed"}
    assert all(line["discountedLinePriceWithTax"] == line["linePriceWithTax"] for line in order["lines"])


@pytest.mark.parametrize("country", ["US", "CH", "JP"])
def test_percentage_that_nothing_in_a_market_can_change_is_valid_everywhere(
    engine: DemoEngine, bundles: Goods, country: str
) -> None:
    order = Shopper(engine.address, engine.tokens[country.lower()]).add(bundles.box.answer)
    assert reasons(order) == {None}
    net = country == "CH"
    charged = sum(line["discountedLinePrice" if net else "discountedLinePriceWithTax"] for line in order["lines"])
    original = sum(line["linePrice" if net else "linePriceWithTax"] for line in order["lines"])
    decimals = 0 if country == "JP" else 2
    off = (Decimal(original) / 10).scaleb(decimals - 2).quantize(Decimal(1), ROUND_HALF_UP).scaleb(2 - decimals)
    assert charged == original - off
