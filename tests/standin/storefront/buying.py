"""Turns a cart into an order."""

from collections.abc import Iterator
from decimal import Decimal

from bundlesvc.domain.money import ZERO, round_presentment
from tests.standin.data.carts import Cart
from tests.standin.data.orders import AUTOMATIC, Allocation, Group, Order, OrderedLine, distributed, now_text, with_code
from tests.standin.data.shop import Contract, SellingPlan, Shop
from tests.standin.storefront.checkout import Checkout, check_out
from tests.standin.storefront.inputs import InputLine
from tests.standin.storefront.operations import Charge


def buy(shop: Shop, cart: Cart, now: float, code: tuple[str, int] | None = None) -> Order:
    """Check out a cart and place the order. `code` is an optional discount code with its percentage."""
    checkout = check_out(shop, cart, now)
    assert not checkout.blocked
    market = shop.market_of(cart.country)
    lines = [line for charge in checkout.charges for line in _lines(shop, charge, checkout)]
    contract = Contract(shop.new_id())
    for line in lines:
        if code is not None:
            with_code(line, code[0], code[1], checkout.currency)
        if line.plan is not None:
            line.contract = contract.id
            shop.contracts[contract.id] = contract
        line.tax = _tax(shop, line, checkout.currency)
    order = Order(
        checkout.currency,
        shop.currency,
        market.rate if market else Decimal(1),
        cart.country,
        lines,
        dict(cart.attributes),
        shop.taxes_included,
        now_text(now),
        now_text(now),
    )
    shop.orders[order.number] = order
    contract.origin_order = order.number
    return order


def _lines(shop: Shop, charge: Charge, checkout: Checkout) -> Iterator[OrderedLine]:
    if not charge.parts:
        title = shop.functions.discounts[0].title if shop.functions.discounts else ""
        off = [Allocation(AUTOMATIC, message or title, amount) for message, amount in charge.off if amount]
        yield _line(charge.line, charge.line.amount, off)
        return
    group = Group(charge.title, charge.line.attributes, charge.line.variant.id)
    shares = distributed(charge.amount, [part.amount for part in charge.parts], checkout.currency)
    for part, share in zip(charge.parts, shares, strict=True):
        if shop.states_merged_discounts:
            yield _line(part, part.amount, [Allocation(AUTOMATIC, charge.title, part.amount - share)], group)
        else:
            line = _line(part, share, [], group)
            line.unit_price = round_presentment(share / part.quantity, checkout.currency)
            yield line


def _line(line: InputLine, total: Decimal, discounts: list[Allocation], group: Group | None = None) -> OrderedLine:
    return OrderedLine(
        line.variant.id,
        line.quantity,
        line.unit_price,
        total,
        dict(line.attributes),
        [each for each in discounts if each.amount],
        group=group,
        plan=_plan(line.plan),
    )


def _plan(plan: SellingPlan | None) -> tuple[int, str] | None:
    return None if plan is None else (plan.id, plan.name)


def _tax(shop: Shop, line: OrderedLine, currency: str) -> Decimal:
    if not shop.tax_rate:
        return ZERO
    part = shop.tax_rate / (1 + shop.tax_rate) if shop.taxes_included else shop.tax_rate
    return round_presentment(line.charged * part, currency)
