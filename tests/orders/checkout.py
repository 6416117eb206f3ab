"""Computes the charge at checkout: applies discounts as a checkout function that honours the promises does."""

from fractions import Fraction

from tests.orders.accidents import Purchase
from tests.orders.sales import Sale, half_up


def check_out(purchase: Purchase) -> None:
    """Apply the discounts that the checkout grants to the lines of a purchase."""
    for sale in purchase.sales:
        if purchase.active and sale.refused is None and not sale.squeezed:
            _take_off(sale, due(sale))


def due(sale: Sale) -> int:
    """Return the discount that is due for an accepted bundle."""
    return sale.listed - min(promised(sale), sale.listed)


def promised(sale: Sale) -> int:
    """Return the promised price of a bundle's current lines, provided that the checkout function accepts the cart."""
    if sale.anywhere is not None and not sale.planned:
        return sale.listed - half_up(sale.listed * sale.anywhere / 100)
    return _subscribed(sale, Fraction(sale.discounted))


def expected_of_refused(sale: Sale, purchase: Purchase) -> int:
    """Return the amount with which the charge for a refused bundle is compared: the promised amount if the units and the currency
    are unchanged, otherwise the same fraction of the current price of the lines."""
    if purchase.currency == sale.currency and sale.bought_units == sale.units:
        return _subscribed(sale, Fraction(sale.discounted))
    if not sale.original:
        return 0
    return _subscribed(sale, Fraction(sale.listed * sale.discounted, sale.original))


def _subscribed(sale: Sale, amount: Fraction) -> int:
    if sale.subscription is None or not all(item.plan for item in sale.items):
        return half_up(amount)
    return half_up(amount - half_up(amount * sale.subscription / 100))


def _take_off(sale: Sale, amount: int) -> None:
    """Distribute a discount over the lines of a sale, without taking any line below zero."""
    left, weight = amount, sale.listed
    for item in sale.items:
        item.own = min(item.listed, -(-left * item.listed // weight)) if weight else 0
        left -= item.own
        weight -= item.listed
