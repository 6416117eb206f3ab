"""What the checkout charges: the discounts of a function that does as promised."""

from fractions import Fraction

from tests.orders.accidents import Purchase
from tests.orders.sales import Sale, half_up


def check_out(purchase: Purchase) -> None:
    """Take the discounts off the lines."""
    for sale in purchase.sales:
        if purchase.active and sale.refused is None and not sale.squeezed:
            _take_off(sale, due(sale))


def due(sale: Sale) -> int:
    """The discount of a bundle that is accepted."""
    return sale.listed - min(promised(sale), sale.listed)


def promised(sale: Sale) -> int:
    """The price that was promised for the lines as they are, in a cart that the function accepts."""
    if sale.anywhere is not None and not sale.planned:
        return sale.listed - half_up(sale.listed * sale.anywhere / 100)
    return _subscribed(sale, Fraction(sale.discounted))


def expected_of_refused(sale: Sale, purchase: Purchase) -> int:
    """The promise that a refused bundle is compared with: the promised amount for the same units in the same currency, else the
    same share of what the lines cost."""
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
    """Spread a discount over lines, none below zero."""
    left, weight = amount, sale.listed
    for item in sale.items:
        item.own = min(item.listed, -(-left * item.listed // weight)) if weight else 0
        left -= item.own
        weight -= item.listed
