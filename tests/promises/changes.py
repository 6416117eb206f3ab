"""Changes to a purchase after its bundles were configured: only changes that shoppers and shops can make without forgery."""

import copy
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from tests.promises.amounts import DECIMALS, written
from tests.promises.markets import Json, market_in
from tests.promises.purchases import Plan, Purchase
from tests.promises.shops import OTHER_PARENT, PARENT, PER_EURO, PLANS, UNSERVED

Change = Callable[[Random, Purchase], Purchase]


def _country(random: Random, purchase: Purchase) -> Purchase:
    """Change the country of the buyer."""
    countries = [market["countryCode"] for market in purchase.file["markets"]] + list(UNSERVED)
    return replace(purchase, country=random.choice([each for each in countries if each != purchase.country]))


def _currency(random: Random, purchase: Purchase) -> Purchase:
    """Sell to the buyer's country in another currency, at converted prices."""
    file = copy.deepcopy(purchase.file)
    market = market_in(file, purchase.country)
    home = file["shop"]["currency"]
    now = market["currency"] if market else home
    currency = random.choice([each for each in sorted(PER_EURO) if each != now])
    rate = Fraction(PER_EURO[currency]) / Fraction(PER_EURO[home])
    file["markets"] = [each for each in file["markets"] if each is not market]
    file["markets"].append(
        {
            "countryCode": purchase.country,
            "currency": currency,
            "exchangeRate": "1" if currency == home else f"{float(rate):.6g}",
            "priceAdjustment": "0",
            "prices": {},
        }
    )
    return replace(purchase, file=file)


def _parent(random: Random, purchase: Purchase) -> Purchase:
    """Make the lines of a bundle refer to another parent variant, into which they would be merged."""
    one = random.choice(purchase.bought)
    other = random.choice([OTHER_PARENT, 1001, PARENT + 10**6])
    return replace(purchase, parents={**purchase.parents, one.id: other})


def _plan(random: Random, purchase: Purchase) -> Purchase:
    """Buy a bundle with another selling plan, with a plan on its first line only, or without one."""
    one = random.choice(purchase.bought)
    plans = dict(purchase.plans)
    before = plans.pop(one.id, None)
    percentage = Fraction(random.choice(["0", "1", "50", *PLANS.values()]))
    after = random.choice([None, Plan(percentage), Plan(percentage, whole=False)])
    if after == before:
        after = None if before else Plan(Fraction(30))
    if after:
        plans[one.id] = after
    return replace(purchase, plans=plans, neighbours=1, beside=random.random() < 0.5)


def _prices(random: Random, purchase: Purchase) -> Purchase:
    """Change one of the shop's prices, in the shop's currency or in the buyer's market."""
    file = copy.deepcopy(purchase.file)
    market = market_in(file, purchase.country)
    one = random.choice(purchase.bought)
    variant = str(random.choice(sorted(one.wish.counts)))
    if market and variant in market["prices"]:
        market["prices"][variant] = _moved(random, market["prices"][variant], market["currency"])
    else:
        for product in file["products"]:
            for each in product["variants"]:
                if each["id"] == variant:
                    each["price"] = _moved(random, each["price"], file["shop"]["currency"])
    return replace(purchase, file=file)


def _rate(random: Random, purchase: Purchase) -> Purchase:
    """Change the exchange rate of the buyer's market."""
    file = copy.deepcopy(purchase.file)
    market: Json | None = market_in(file, purchase.country)
    if market and market["currency"] != file["shop"]["currency"]:
        factor = Fraction(random.choice(["0.5", "0.97", "1.01", "1.4"]))
        market["exchangeRate"] = f"{float(Fraction(market['exchangeRate']) * factor):.6g}"
    return replace(purchase, file=file)


def _moved(random: Random, price: str, currency: str) -> str:
    unit = Fraction(1, 10 ** min(DECIMALS[currency], 2))
    units = int(Fraction(price) / unit)
    moved = random.choice([units + 1, max(units - 1, 0), units * 2, units // 2, units + random.randrange(500)])
    return written(moved * unit)


CHANGES: dict[str, Change] = {
    "country": _country,
    "currency": _currency,
    "parent": _parent,
    "plan": _plan,
    "prices": _prices,
    "rate": _rate,
}

REASONS = {
    "country": {"market_changed", "prices_changed"},
    "currency": {"market_changed", "prices_changed"},
    "parent": {"other_parent"},
    "plan": {"prices_changed"},
    "prices": {"prices_changed"},
    "rate": {"prices_changed"},
}
"""The possible reasons for a refusal after each change."""

HARMLESS = {"country", "currency", "prices", "rate"}
"""Changes that do not affect a percentage off lines without a selling plan."""


def changed(random: Random, purchase: Purchase) -> tuple[Purchase, tuple[str, ...]]:
    """Apply one or two random changes to the purchase. Returns the changed purchase and the names of the changes."""
    names = tuple(random.sample(sorted(CHANGES), random.choice([1, 1, 1, 2])))
    for name in names:
        purchase = CHANGES[name](random, purchase)
    return purchase, names
