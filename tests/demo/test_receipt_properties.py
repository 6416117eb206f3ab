"""The receipt of a cart: its charges add up to the promised price, and a subscription never makes a one-time purchase cheaper."""

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.demo.receipt import FEE, Amount, Currencies, Goods, Receipt, receipt
from bundlesvc.domain.bundle import Discount
from bundlesvc.domain.checkout.cart import CartLine
from bundlesvc.domain.checkout.cart_bundles import Step
from bundlesvc.domain.checkout.cart_payload import bundles_entry, entry_items
from bundlesvc.domain.checkout.cart_transform import transform
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.configured import ConfiguredBundle, PendingSubscription, configured_items, variant_counts
from bundlesvc.domain.line import Line
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.pricing.selection_price import Pricing, price_selection
from tests.domain.builders import bundle
from tests.domain.configured_bundles import PARENT, cart_lines_of, claims_of, configured
from tests.domain.strategies import PROPERTY, currencies, discounts, percentages, selections

FEE_VARIANT = 6001
FEE_PRICE = Decimal(4)


class Purchase(NamedTuple):
    """The price of a bundle as configured, its price without a subscription, and the receipt of its cart."""

    configured: Pricing
    one_time: Pricing
    receipt: Receipt


def bought(
    lines: Sequence[Line], currency: str, discount: Discount | None, percentage: Decimal | None, lettered: int = 0
) -> Purchase:
    """Configure the lines, and buy them without a selling plan. If `percentage` is given, they are configured as for a
    subscriber.

    Each unit of the first `lettered` items has a fee."""
    outcome, of = Outcome(tuple(lines)), bundle(discount=discount)
    one_time = price_selection(of, outcome, currency).pricing
    subscription = percentage and PendingSubscription(7, 1, "month", "", None, percentage)
    items = [
        replace(item, fee_variant_ids=(FEE_VARIANT,) if index < lettered else ())
        for index, item in enumerate(configured_items(of, lines))
    ]
    pricing = price_selection(of, outcome, currency, percentage).pricing
    made = configured(*items, pricing=pricing, subscription=subscription or None)
    prices = {line.variant.id: line.unit_price for line in lines}
    return Purchase(pricing, one_time, _checked_out(made, one_time, prices))


def _checked_out(made: ConfiguredBundle, one_time: Pricing, prices: dict[int, Decimal]) -> Receipt:
    prices = prices | {FEE_VARIANT: FEE_PRICE, PARENT: ZERO}
    cart = [
        CartLine(str(index), line["id"], line["quantity"], prices[line["id"]], line["properties"])
        for index, line in enumerate(cart_lines_of(made))
    ]
    claims = claims_of(made, one_time=one_time)
    attribute = json.dumps(
        bundles_entry(made, bundle(id=made.bundle_id), entry_items(variant_counts(made.items)), "token")
    )
    transformed = transform(cart, attribute, Step("demo", {"token": claims}.get, made.configured_at))
    assert transformed.refusals == ()
    goods = {variant: Goods("", "", "", Amount(price, price)) for variant, price in prices.items()}
    return receipt(cart, transformed, goods, Currencies(one_time.currency, one_time.currency))


@PROPERTY
@given(data=st.data(), currency=currencies, discount=discounts, percentage=st.none() | percentages)
def test_merged_lines_and_fees_add_up_to_the_one_time_price(
    data: st.DataObject, currency: str, discount: Discount | None, percentage: Decimal | None
) -> None:
    lines = data.draw(selections(currency))
    lettered = data.draw(st.integers(0, len(lines)))

    purchase = bought(lines, currency, discount, percentage, lettered)

    fees = [charge.amount.shop for charge in purchase.receipt.charges if charge.kind == FEE]
    assert sum(fees) == FEE_PRICE * sum(line.count for line in lines[:lettered])
    assert purchase.receipt.total.shop == purchase.one_time.discounted + sum(fees)


@PROPERTY
@given(data=st.data(), currency=currencies, discount=discounts, percentage=percentages)
def test_subscription_never_reduces_a_purchase(
    data: st.DataObject, currency: str, discount: Discount | None, percentage: Decimal
) -> None:
    lines = data.draw(selections(currency))

    as_subscriber = bought(lines, currency, discount, percentage)
    as_anybody = bought(lines, currency, discount, None)

    assert as_subscriber.receipt.total == as_anybody.receipt.total
    assert as_subscriber.configured.discounted <= as_subscriber.receipt.total.shop
