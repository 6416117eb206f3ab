"""A shopper configures a bundle as a subscriber, and buys it once, without a selling plan.

A one-time purchase gets neither the subscription's percentage nor a discount that the shop's conditions give only to
subscribers."""

import pytest

from tests.api.conftest import Api, MakeApi
from tests.api.discount_strings import claims
from tests.api.selection import Json, configure_body
from tests.demo.orders import NATIVE, Order
from tests.demo.orders import order as ordered
from tests.demo.service import Demo, cart_of, loaded_database

__all__ = ["loaded_database"]  # the demo shop

ONCE = ordered(101, NATIVE, "10011@1*3")
SUBSCRIBED = ordered(
    101, NATIVE, "10011@1*3", subscription={"id": 7, "frequency": 2, "unit": "week", "email": "mira@mail.example"}
)
HALF_OFF = {"id": 7, "frequency": 1, "unit": "month", "email": "mira@mail.example"}
SHOP = """
shop: {handle: demo, currency: EUR, headlessEnabled: true, activeFeatures: [subscriptions, conditions]}
products:
  - {id: '100', title: Tea, variants: [{id: '1001', price: '20.00'}]}
  - {id: '900', title: Box, variants: [{id: '9001', price: '0'}]}
bundles:
  - id: 1
    name: Sold as a ghost variant
    type: multiple-products
    platformProductId: '900'
    sections: &sections [{id: 1, products: [{bundleItemId: 1, platformProductId: '100'}]}]
    discount: {type: percentage, value: '10.00'}
    subscription: &half {mode: optional, groups: [{id: 7, name: Half, options: [{frequency: 1, unit: month, discount: '50'}]}]}
  - id: 2
    name: Conditions give subscribers more
    type: native
    platformProductId: '900'
    parentVariantId: '9001'
    sections: *sections
    discount: {type: percentage, value: '10.00'}
    subscription: *half
    conditions:
      - {id: c1, kind: condition, type: subscription-chosen}
      - {id: a1, kind: action, type: discount, when: c1, discount: {type: percentage, value: '40.00'}}
"""


async def charged(demo: Demo, order: Order) -> str:
    """The price that the checkout charges for a one-time purchase of the configured bundle."""
    receipt = await demo.receipt(cart_of(await demo.configured(order)))
    assert receipt["refusals"] == []
    return str(receipt["total"])


async def test_a_subscribers_token_gives_a_plain_purchase_its_own_discount_only(demo: Demo) -> None:
    assert await charged(demo, SUBSCRIBED) == await charged(demo, ONCE)


async def test_the_response_still_has_the_price_for_subscribers(demo: Demo) -> None:
    once, subscribed = await demo.configured(ONCE), await demo.configured(SUBSCRIBED)
    assert (once["pricing"]["discountedPrice"], subscribed["pricing"]["discountedPrice"]) == ("28.21", "26.80")


@pytest.fixture
async def shop(make_api: MakeApi) -> Api:
    return await make_api(SHOP)


async def configured(api: Api, bundle: int, type_: str, **more: object) -> Json:
    body = configure_body("1001@1", type=type_, **more)
    result: Json = (await api.post(f"/bundles/{bundle}/configure", body)).held().json
    return result


async def test_a_subscriber_gets_the_ghost_variant_of_a_plain_purchase(shop: Api) -> None:
    once = await configured(shop, 1, "multiple-products")
    subscribed = await configured(shop, 1, "multiple-products", subscription=HALF_OFF)

    assert (once["pricing"]["discountedPrice"], subscribed["pricing"]["discountedPrice"]) == ("18.00", "9.00")
    assert once["variant_id"] == subscribed["variant_id"]


async def test_a_discount_for_subscribers_only_is_not_promised_to_others(shop: Api) -> None:
    subscribed = await configured(shop, 2, "native", subscription=HALF_OFF)

    assert subscribed["pricing"]["discountedPrice"] == "6.00"
    found = claims(subscribed["discount"])
    assert (found["value"], found["discounted"]) == ("10.00", "18.00")
