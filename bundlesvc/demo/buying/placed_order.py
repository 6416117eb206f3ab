"""The order that a simulated checkout places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.demo.receipt import BUNDLE, Charge
from bundlesvc.demo.simulate_checkout import Cart, CheckedOut
from bundlesvc.domain.checkout.cart import CartLine
from bundlesvc.domain.money import allocate, presentment_units
from bundlesvc.domain.orders.order import BUNDLE_DISCOUNT, LineDiscount, Order, OrderLine


@dataclass(frozen=True, slots=True)
class Placing:
    """The data that an order contains besides its cart: an id, the time in seconds since 1970 (UTC), and the visitor."""

    order_id: str
    placed_at: int
    visitor_id: str | None


def placed_order(cart: Cart, checked_out: CheckedOut, placing: Placing) -> Order:
    """Build a test order from what a checkout charged. Spreads a bundle's discount over its lines, as a platform does."""
    currency = checked_out.receipt.currencies.market
    discounts = _discounts(checked_out, currency)
    groups = _groups(checked_out.receipt.charges)
    return Order(
        placing.order_id,
        1,
        f"#{placing.order_id[-6:].upper()}",
        placing.placed_at,
        currency,
        tuple(_line(line, currency, discounts.get(line.id, ()), groups.get(line.id)) for line in checked_out.lines),
        cart.country,
        test=True,
        visitor_id=placing.visitor_id,
        bundles=cart.bundles,
    )


def _line(line: CartLine, currency: str, discounts: tuple[LineDiscount, ...], group: str | None) -> OrderLine:
    price = presentment_units(line.unit_price, currency)
    properties = dict(line.properties)
    return OrderLine(
        line.id, line.variant_id, line.quantity, price, discounts=discounts, properties=properties, group=group
    )


def _discounts(checked_out: CheckedOut, currency: str) -> Mapping[str, tuple[LineDiscount, ...]]:
    """Return the bundle discounts of a checked-out cart, by line id."""
    amounts = {line.id: presentment_units(line.amount, currency) for line in checked_out.lines}
    return {
        line_id: (LineDiscount(BUNDLE_DISCOUNT, charge.title, amount),)
        for charge in checked_out.receipt.charges
        for line_id, amount in zip(charge.line_ids, _shares(charge, amounts, currency), strict=True)
        if amount
    }


def _shares(charge: Charge, amounts: Mapping[str, int], currency: str) -> Sequence[int]:
    """Split the discount of a charge among its lines."""
    off = presentment_units(charge.original.market - charge.amount.market, currency)
    return allocate(off, [amounts[line_id] for line_id in charge.line_ids])


def _groups(charges: Sequence[Charge]) -> Mapping[str, str]:
    """Return the group of each line that was merged into a bundle, by line id."""
    return {
        line_id: f"bundle-{charge.configured_id}"
        for charge in charges
        if charge.kind == BUNDLE
        for line_id in charge.line_ids
    }
