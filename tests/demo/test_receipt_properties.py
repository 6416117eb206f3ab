"""The receipt of a cart: its charges add up to the promised price, and a subscription never makes a one-time purchase cheaper."""

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.demo.receipt import FEE, Amount, Currencies, Goods, Receipt, receipt
from bundlesvc.domain.bundle import Discount
from bundlesvc.domain.checkout.cart import CartLine
from bundlesvc.domain.checkout.cart_bundles import Step
from bundlesvc.domain.checkout.cart_payload import bundles_entry, cart_lines
from bundlesvc.domain.checkout.cart_transform import transform
from bundlesvc.domain.checkout.discount_claims import discount_claims
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.configured import ConfiguredBundle, PendingSubscription, configured_items
from bundlesvc.domain.line import Line
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.pricing.selection_price import price_selection
from tests.domain.builders import bundle
from tests.domain.configured_bundles import at_shop_prices, configured
from tests.domain.strategies import PROPERTY, currencies, discounts, percentages, selections

PARENT, FEE_VARIANT = 9001, 6001
FEE_PRICE = Decimal(4)


def bought(
    lines: Sequence[Line], currency: str, discount: Discount | None, percentage: Decimal | None, lettered: int = 0
) -> tuple[ConfiguredBundle, Receipt]:
    """Configure the lines, and buy them without a selling plan. If `percentage` is given, they are configured as for a
    subscriber.

    Each unit of the first `lettered` items has a fee."""
    outcome, of = Outcome(tuple(lines)), bundle(discount=discount)
    one_time = price_selection(of, outcome, currency).pricing
    subscription = percentage and PendingSubscription(7, 1, "month", "", None, percentage, one_time)
    items = [
        replace(item, fee_variant_ids=(FEE_VARIANT,) if index < lettered else ())
        for index, item in enumerate(configured_items(of, lines))
    ]
    pricing = price_selection(of, outcome, currency, percentage).pricing
    made = configured(*items, pricing=pricing, subscription=subscription or None)
    return made, _checked_out(made, {line.variant.id: line.unit_price for line in lines}, currency)


def _checked_out(made: ConfiguredBundle, prices: dict[int, Decimal], currency: str) -> Receipt:
    prices = prices | {FEE_VARIANT: FEE_PRICE, PARENT: ZERO}
    cart = [
        CartLine(str(index), line["id"], line["quantity"], prices[line["id"]], line["properties"])
        for index, line in enumerate(cart_lines(made, PARENT))
    ]
    claims = discount_claims(made, "demo", at_shop_prices(made))
    attribute = json.dumps(bundles_entry(made, bundle(id=made.bundle_id), "token"))
    transformed = transform(cart, attribute, Step("demo", {"token": claims}.get, made.configured_at))
    assert transformed.refusals == ()
    goods = {variant: Goods("", "", "", Amount(price, price)) for variant, price in prices.items()}
    return receipt(cart, transformed, goods, Currencies(currency, currency))


@PROPERTY
@given(data=st.data(), currency=currencies, discount=discounts, percentage=st.none() | percentages)
def test_merged_lines_and_fees_add_up_to_the_one_time_price(
    data: st.DataObject, currency: str, discount: Discount | None, percentage: Decimal | None
) -> None:
    lines = data.draw(selections(currency))
    lettered = data.draw(st.integers(0, len(lines)))

    made, charged = bought(lines, currency, discount, percentage, lettered)

    fees = [charge.amount.shop for charge in charged.charges if charge.kind == FEE]
    assert sum(fees) == FEE_PRICE * sum(line.count for line in lines[:lettered])
    assert charged.total.shop == made.one_time.discounted + sum(fees)


@PROPERTY
@given(data=st.data(), currency=currencies, discount=discounts, percentage=percentages)
def test_subscription_never_reduces_a_purchase(
    data: st.DataObject, currency: str, discount: Discount | None, percentage: Decimal
) -> None:
    lines = data.draw(selections(currency))

    subscribed, as_subscriber = bought(lines, currency, discount, percentage)
    _, as_anybody = bought(lines, currency, discount, None)

    assert as_subscriber.total == as_anybody.total
    assert subscribed.pricing.discounted <= as_subscriber.total.shop
