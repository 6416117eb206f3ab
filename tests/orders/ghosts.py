"""Bundles sold as ghost variants: the price of the variant, the promises behind it, and what is known to have happened to the
price since the promise."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from random import Random

from tests.orders.sales import DECIMALS, Item, half_up

MOST_RAISED = 2000
"""The maximum number of minor units by which a price is raised above what rounding explains."""

REPRICED = "repriced"
"""The price of the variant was changed after the promise. The cause that is reported depends on the country of the promise."""


@dataclass(frozen=True)
class GhostPromise:
    """A promise behind a ghost variant. `discounted` is the price of one unit of the variant, in the smallest steps in which the
    API outputs amounts of the shop's currency."""

    configured_id: int
    country: str | None
    discounted: int
    units: int


@dataclass
class GhostSale:
    """A ghost variant in a cart. The first of its promises was made for the bundle that was bought. `happened` is what is known
    to have happened to the variant's price in the market, or None."""

    item: Item
    promises: list[GhostPromise]
    happened: str | None = None

    @property
    def id(self) -> int:
        return self.promises[0].configured_id

    @property
    def items(self) -> list[Item]:
        return [self.item]


@dataclass(frozen=True)
class Market:
    """The market in which a variant is bought: its currency, the shop's currency, and the exchange rate between them."""

    country: str | None
    currency: str
    home: str
    rate: Fraction

    def price(self, promise: GhostPromise) -> Fraction:
        """Return the promised price in the market's currency, in minor units."""
        return promise.discounted * self.written

    def hidden(self, promise: GhostPromise) -> Fraction:
        """Return the largest possible rounding error in the price of a promise, in minor units (the contract's bound)."""
        if self.currency != self.home:
            return (promise.units + 1) * self.written + 2
        return self.written if DECIMALS[self.home] > _written_decimals(self.home) else Fraction(0)

    @property
    def written(self) -> Fraction:
        """The smallest step between the amounts that the API outputs, in minor units of the market's currency."""
        return self.rate * Fraction(10 ** DECIMALS[self.currency], 10 ** _written_decimals(self.home))


def _written_decimals(currency: str) -> int:
    return min(DECIMALS[currency], 2)


def random_ghost(random: Random, id_: int, market: Market) -> GhostSale:
    """Generate a ghost variant with its promises. The variant's price may deviate from the promise, either because of rounding or
    because the price was changed."""
    countries = [market.country, random.choice(["DE", "CH", "US", None])]
    discounted, units = random.randrange(1, 5000), random.randrange(1, 9)
    promises = [GhostPromise(id_, random.choice(countries), discounted, units)]
    if random.random() < 0.4:
        far = 100 * discounted + ceil((4 * MOST_RAISED + 4 * market.hidden(promises[0])) / market.written)
        # The second promised price is so high that no price is close to both promised prices.
        promises.append(GhostPromise(id_ + 500, "JP", far, units))
    plan = random.random() < 0.2
    sale = GhostSale(Item(f"ghost-{id_}", 8000 + id_, random.choice([1, 1, 2, 5]), 0, plan=plan), promises)
    _set_price(random, sale, market)
    return sale


def _set_price(random: Random, sale: GhostSale, market: Market) -> None:
    promise = sale.promises[0]
    exact, hidden = market.price(promise), market.hidden(promise)
    price = half_up(exact)
    most = floor(hidden + (Fraction(promise.units, 2) if sale.item.plan else 0))
    chance = random.random()
    if chance < 0.2 and most:
        price = max(price + random.choice([-1, 1]) * random.randrange(1, most + 1), 0)
        sale.happened = "rounding" if market.currency != market.home or not sale.item.plan else "subscription_rounding"
    elif chance < 0.4:
        price = price + most + random.randrange(1, MOST_RAISED)
        sale.happened = REPRICED
    sale.item.price = price


def expected_of_ghost(sale: GhostSale, market: Market, edited: int) -> str:
    """Derive the expected verdict on a ghost variant from what is known to have happened."""
    item, price = sale.item, half_up(market.price(sale.promises[0])) * sale.item.quantity
    paid = item.listed - item.other
    if paid + edited == price:
        return "equal"
    if paid == price:
        return "edited"
    if sale.happened == REPRICED:
        return "price_changed" if sale.promises[0].country == market.country else "market_changed"
    return "other_discount" if item.other else sale.happened or "nothing"
