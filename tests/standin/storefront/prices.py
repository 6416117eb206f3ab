"""The lines of a cart with their prices: first the price in the market, then the price under the selling plan."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.money import HUNDRED, round_amount
from tests.standin.data.carts import Cart, CartLine
from tests.standin.data.market_prices import contextual
from tests.standin.data.shop import Market, Product, SellingPlan, Shop, Variant


@dataclass(frozen=True)
class PricedLine:
    """A line with its prices per unit, in the cart's currency: `regular` is without the selling plan, `unit_price` with it."""

    line: CartLine
    product: Product
    variant: Variant
    plan: SellingPlan | None
    regular: Decimal
    unit_price: Decimal
    compare_at: Decimal | None

    @property
    def amount(self) -> Decimal:
        return self.unit_price * self.line.quantity


def priced_lines(shop: Shop, cart: Cart) -> list[PricedLine]:
    """Return the lines that can still be bought, with their prices."""
    return list(_priced(shop, cart))


def currency_of(shop: Shop, cart: Cart) -> str:
    market = shop.market_of(cart.country)
    return market.currency if market else shop.currency


def is_sold(market: Market | None, product: Product, variant: Variant) -> bool:
    """Whether buyers in a market can buy a variant."""
    published = variant.published and product.status in ("ACTIVE", "UNLISTED")
    return published and (market is None or market.id not in variant.unpublished_from | product.unpublished_from)


def _priced(shop: Shop, cart: Cart) -> Iterator[PricedLine]:
    market = shop.market_of(cart.country)
    for line in cart.lines:
        found = shop.variant(line.variant_id)
        if found is None or not is_sold(market, *found):
            continue
        product, variant = found
        plan = shop.plan(line.plan_id, product)
        price = contextual(shop, market, variant)
        unit = price.price if plan is None else _plan_price(plan, price.price, price.currency)
        compare_at = price.compare_at_price if plan is None else price.price
        yield PricedLine(line, product, variant, plan, price.price, unit, compare_at)


def _plan_price(plan: SellingPlan, price: Decimal, currency: str) -> Decimal:
    """Return the price of a unit under a selling plan. The price of each unit is rounded."""
    return round_amount(price * (1 - (plan.percentage or Decimal(0)) / HUNDRED), currency)
