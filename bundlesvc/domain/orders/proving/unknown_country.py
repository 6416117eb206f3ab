"""Orders whose country is unknown, because the app is not allowed to read addresses."""

from dataclasses import replace

from bundlesvc.domain.checkout.cart import BundlesAttribute
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.proving.promised_price import market_of
from bundlesvc.domain.orders.proving.shop_checkout import ShopCheckout, signed_promise


def with_promised_country(order: Order, checkout: ShopCheckout) -> Order:
    """If the order's country is unknown, set it to the country of its first promise in the same currency. A change of market
    without a change of currency cannot be detected in the order."""
    if order.country is not None:
        return order
    attribute = BundlesAttribute.read(order.bundles)
    marks = (line.bundle_data for line in order.lines)
    for configured_id in dict.fromkeys(mark.configured_id for mark in marks if mark is not None):
        signed = signed_promise(configured_id, attribute, checkout)
        if signed is not None and market_of(signed).currency == order.currency:
            return replace(order, country=market_of(signed).country)
    return order
