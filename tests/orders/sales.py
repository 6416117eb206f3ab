"""Bundles that a shopper configured and added to a cart, each with its price promise and its cart lines."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from random import Random
from typing import Any

from bundlesvc.domain.checkout.discount_claims import variants_digest

DECIMALS = {"EUR": 2, "CHF": 2, "JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3}
MOST_NAMED = 20
DAY = 86_400
MADE_AT = 1_790_000_000


def half_up(amount: Fraction) -> int:
    """Round an amount to whole minor units, with halves rounded up."""
    return floor(amount + Fraction(1, 2))


@dataclass
class Item:
    """A line of the cart, with amounts in minor units. `own` is the bundle's discount, `other` the sum of all other discounts."""

    id: str
    variant: int
    quantity: int
    price: int
    plan: bool = False
    own: int = 0
    other: int = 0

    @property
    def listed(self) -> int:
        return self.price * self.quantity

    @property
    def charged(self) -> int:
        """The amount charged at the time of purchase."""
        return self.listed - self.own - self.other


@dataclass
class Sale:
    """A configured bundle in a cart. `original` and `discounted` are the amounts of the signed promise, in minor units of
    `currency`; `anywhere` is the percentage that is valid in every market, `subscription` the percentage of the chosen purchase
    option. `refused` is the reason why the checkout function refuses the discount, if there is one; `squeezed` is set when the
    function applies no discount although there is no such reason."""

    id: int
    country: str | None
    currency: str
    home: str
    original: int
    discounted: int
    anywhere: Fraction | None
    subscription: Fraction | None
    items: list[Item]
    units: Mapping[int, int]
    made_at: int = MADE_AT
    token: str | None = None
    refused: str | None = None
    cut: bool = False
    squeezed: bool = False
    nearly_expired: bool = False
    is_stored: bool = True
    claims: dict[str, Any] = field(default_factory=dict)

    @property
    def listed(self) -> int:
        return sum(item.listed for item in self.items)

    @property
    def refusal(self) -> str | None:
        """The reason why the discount was refused. A nearly expired discount counts as expired if nothing was deducted."""
        return "expired" if self.nearly_expired and not any(item.own for item in self.items) else self.refused

    @property
    def planned(self) -> bool:
        return any(item.plan for item in self.items)

    @property
    def bought_units(self) -> dict[int, int]:
        units: dict[int, int] = {}
        for item in self.items:
            units[item.variant] = units.get(item.variant, 0) + item.quantity
        return units


def random_sale(random: Random, id_: int, country: str | None, currency: str, home: str) -> Sale:
    """Generate a bundle as it was configured for a country, or at the shop's own prices if there is no country."""
    kinds = random.choice([1, 2, 3, 3, 4, 4, random.randrange(5, 13)])
    if random.random() < 0.02:
        kinds = random.randrange(21, 24)
    items = [
        Item(f"{id_}-{index}", id_ * 100 + index, random.choice([1, 1, 2, 3]), random.choice(_PRICES)(random))
        for index in range(kinds)
    ]
    original = sum(item.listed for item in items)
    percentage = Fraction(random.choice(["0", "1", "5", "10", "15", "33", "50", "100", "12.5", "7.77"]))
    anywhere = percentage if random.random() < 0.5 else None
    off = half_up(original * percentage / 100) if anywhere is not None else min(random.randrange(3000), original)
    subscription = Fraction(random.choice(["5", "10", "12.5"])) if random.random() < 0.2 else None
    units = {item.variant: item.quantity for item in items}
    sale = Sale(id_, country, currency, home, original, original - off, anywhere, subscription, items, units)
    if subscription is not None:
        for item in items:
            item.plan = True
            item.price = half_up(item.price * (100 - subscription) / 100)
    sale.token = f"token-{id_}"
    sale.claims = _claims(sale)
    return sale


_PRICES = (
    lambda random: random.randrange(100, 5000),
    lambda random: random.randrange(100, 5000),
    lambda random: random.randrange(1, 30),
    lambda random: random.choice([0, 1, 999, 1000, 12_345_678]),
)


def _claims(sale: Sale) -> dict[str, Any]:
    named: Any = {str(variant): count for variant, count in sale.units.items()}
    return {
        "v": 3,
        "shop": "demo",
        "bundle": sale.id + 1000,
        "bundleType": "fixed",
        "configured": sale.id,
        "parent": 9001,
        "type": "percentage",
        "value": f"{float(sale.anywhere or 0):.2f}",
        "original": "10.00",
        "discounted": "9.00",
        "currency": sale.home,
        "market": {
            "country": sale.country,
            "currency": sale.currency,
            "original": sale.original,
            "discounted": sale.discounted,
        },
        "anywhere": sale.anywhere is not None,
        "variants": named if len(named) <= MOST_NAMED else variants_digest(sale.units),
        "fees": {},
        "subscription": None if sale.subscription is None else _chosen(sale.subscription),
        "unique": "u1",
        "test": False,
        "iat": sale.made_at,
    }


def _chosen(percentage: Fraction) -> dict[str, Any]:
    return {"group": 1, "frequency": 1, "unit": "month", "percentage": f"{float(percentage):.2f}"}
