"""Orders and promises in the form that the judging code expects."""

import json
from decimal import Decimal
from fractions import Fraction

from bundlesvc.domain.orders.order import Edit, LineDiscount, Order, OrderLine, Refund
from bundlesvc.domain.orders.promises import Promises, StoredPromise
from tests.orders.accidents import Purchase
from tests.orders.ghosts import GhostPromise
from tests.orders.sales import DECIMALS, Item, Sale, half_up


def promises_of(purchase: Purchase) -> Promises:
    native = {sale.id: stored_promise(sale, purchase) for sale in purchase.sales if sale.is_stored}
    ghosts = {
        (sale.item.variant, sale.item.plan): [_ghost_promise(promise, purchase.home) for promise in sale.promises]
        for sale in purchase.ghosts
    }
    return Promises(native, ghosts)


def stored_promise(sale: Sale, purchase: Purchase) -> StoredPromise:
    """Build the stored promise of a sale. Its amounts are in the shop's currency, as the API outputs them, and its discounted
    amount excludes the subscription's saving."""
    saving = half_up(Fraction(sale.discounted) * (sale.subscription or 0) / 100)
    return StoredPromise(
        sale.id,
        sale.id + 1000,
        sale.country,
        _at_home(sale.original, sale, purchase),
        _at_home(sale.discounted - saving, sale, purchase),
        dict(sale.units),
    )


def _ghost_promise(promise: GhostPromise, home: str) -> StoredPromise:
    price = Decimal(promise.discounted).scaleb(-min(DECIMALS[home], 2))
    return StoredPromise(promise.configured_id, 42, promise.country, price * 2, price, {1: promise.units})


def _at_home(amount: int, sale: Sale, purchase: Purchase) -> Decimal:
    written = min(DECIMALS[sale.home], 2)
    rate = Fraction(1) if sale.currency == sale.home else purchase.rate
    units = half_up(Fraction(amount, 10 ** DECIMALS[sale.currency]) / rate * 10**written)
    return Decimal(units).scaleb(-written)


def order_of(purchase: Purchase) -> Order:
    lines = [_line(item, {"_bundle_data": f"{sale.id}#9001#u1"}) for sale in purchase.sales for item in sale.items]
    return Order(
        "1",
        1,
        "#1001",
        purchase.placed_at,
        purchase.currency,
        (
            *lines,
            *(_line(sale.item, {}) for sale in purchase.ghosts),
            *(_line(item, {}) for item in purchase.neighbours),
        ),
        purchase.country,
        Decimal(purchase.rate.numerator) / purchase.rate.denominator,
        bundles=purchase.attribute if purchase.is_attribute_lost else _attribute(purchase),
        edits=tuple(Edit(edit.line, edit.quantity, edit.amount) for edit in purchase.edits),
        refunds=tuple(Refund(refund.line, refund.quantity, refund.amount) for refund in purchase.refunds),
    )


def _line(item: Item, properties: dict[str, str]) -> OrderLine:
    discounts = [("bundle", "Bundle", item.own), ("code", "SUMMER", item.other)]
    return OrderLine(
        item.id,
        item.variant,
        item.quantity,
        item.price,
        discounts=tuple(LineDiscount(*each) for each in discounts if each[2]),
        properties=properties,
        selling_plan="plan" if item.plan else None,
    )


def _attribute(purchase: Purchase) -> str:
    return json.dumps(
        {str(sale.id): {"discount": sale.token, "id": sale.id + 1000} for sale in purchase.sales if sale.token}
    )
