"""Random bundles as configured by the service."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from random import Random
from typing import Any

from cryptography.fernet import Fernet

from bundlesvc.domain.checkout.discount_claims import variants_digest
from bundlesvc.domain.money import presentment_units, round_presentment
from tests.cart_transform.carts import Line

Json = dict[str, Any]

NOW = 1_800_000_000
KEYS = [base64.urlsafe_b64encode(bytes([number]) * 32).decode() for number in range(3)]
"""The newest key, the previous one, and one that is not in the function's usual configuration."""
TITLES = ["Box", "", 'Quote " \\ slash', "Wärme 東京 😀", "\x00\x1f\n\t\x7f", "x" * 300]


@dataclass(frozen=True)
class Market:
    """A country, its currency, and the amount of this currency per unit of the shop's currency."""

    country: str
    currency: str
    rate: str

    def price(self, home: Decimal) -> Decimal:
        """Convert a price in the shop's currency to this market's currency, as the platform does."""
        return round_presentment(home * Decimal(self.rate), self.currency)


HOME = Market("DE", "EUR", "1.0")
MARKETS = [
    Market("US", "USD", "1.0837"),
    Market("JP", "JPY", "163.42"),
    Market("CH", "CHF", "0.9371"),
    Market("KW", "KWD", "0.33259918734512"),
]


@dataclass
class Bundle:
    """A configured bundle: its claims, its entry in `_bundles`, the key that encrypts its discount, and its lines."""

    configured: int
    claims: Json
    entry: Json
    key: str
    lines: list[Line]


def random_bundle(random: Random, configured: int, largest: int, market: Market) -> Bundle:
    """A random bundle for a cart in this market. Most of these bundles are also configured for this market.

    It usually has at most `largest` variants, and sometimes too many for a discount string to list individually."""
    count = random.choice([1, 2, largest, 21])
    units = {11 + number * random.choice([1, 10_000_000_000]): random.choice([1, 1, 2, 7]) for number in range(count)}
    prices = {
        variant: Decimal(random.choice([0, 1, 999, 1000, 123_456, random.randrange(10_000)])) / 100 for variant in units
    }
    original = sum((prices[variant] * units[variant] for variant in units), Decimal(0))
    cents = int(original * 100)
    discounted = Decimal(random.choice([cents, cents * 9 // 10, 0, random.randrange(cents + 1)])) / 100
    fees = {6001: 2} if random.random() < 0.2 else {}
    percentage = random.choice([None, None, None, "5.00", "5.00", "33.33", "100.00"])
    unique, parent = f"{random.randrange(16**8):032x}", random.choice([9001, 9002])
    part = discounted / original if original else Decimal(1)
    claims: Json = {
        "v": random.choice([3, 3, 3, 2]),
        "shop": "demo",
        "bundle": 42,
        "bundleType": "native",
        "configured": configured,
        "parent": parent,
        "type": "percentage",
        "value": random.choice(["10.00", "0.00", "33.33", "100.00"]),
        "original": f"{original:.2f}",
        "discounted": f"{discounted:.2f}",
        "currency": HOME.currency,
        "market": _market_claim(random, market, prices, units, part),
        "anywhere": random.random() < 0.3,
        "variants": {str(variant): units[variant] for variant in sorted(units)}
        if count <= 20
        else variants_digest(units),
        "fees": {str(variant): number for variant, number in fees.items()},
        "subscription": percentage and {"group": 1, "frequency": 1, "unit": "week", "percentage": percentage},
        "unique": unique,
        "test": False,
        "iat": NOW - random.choice([0] * 20 + [29, 31]) * 86_400,
    }
    entry: Json = {
        "configuredBundleId": configured,
        "title": random.choice(TITLES),
        "items": [{"variantId": variant, "count": number} for variant, number in units.items()],
        "image": random.choice(["https://cdn.example/a.png", "", "/a.png"]),
        "id": random.choice([42, 42, None]),
    }
    data = {"_bundle_data": f"{configured}#{parent}#{unique}"}
    lines = [
        Line(f"u{variant}", variant, units[variant], str(market.price(prices[variant])), data) for variant in units
    ]
    lines += [Line(f"f{variant}", variant, fees[variant], "3.50", data | {"_bundle_fee": "1"}) for variant in fees]
    if random.random() < (0.4 if percentage else 0.02):
        lines = subscribed(lines, percentage or "10.00", market.currency)
    return Bundle(configured, claims, entry, random.choice(KEYS[:2]), lines)


def _market_claim(
    random: Random, cart: Market, prices: Mapping[int, Decimal], units: Mapping[int, int], part: Decimal
) -> Json:
    """Return a claim about the promised price, usually for the cart's market."""
    market = random.choice([cart, cart, cart, cart, HOME, random.choice(MARKETS)])
    original = sum((market.price(prices[variant]) * units[variant] for variant in units), Decimal(0))
    return {
        "country": market.country if market is not HOME or random.random() < 0.5 else None,
        "currency": market.currency,
        "original": presentment_units(original, market.currency),
        "discounted": presentment_units(original * part, market.currency),
    }


def subscribed(lines: Sequence[Line], percentage: str, currency: str = HOME.currency) -> list[Line]:
    """Return these lines with a selling plan, at the reduced prices that the platform computes. Lines of fees are unchanged."""
    left = (100 - Decimal(percentage)) / 100
    return [
        line
        if "_bundle_fee" in line.properties
        else replace(
            line,
            selling_plan=True,
            unit_price=str(round_presentment(Decimal(line.unit_price) * left, currency)),
        )
        for line in lines
    ]


def sealed_entry(bundle: Bundle) -> Json:
    """The bundle's entry in `_bundles`, with the encrypted discount string."""
    if "discount" in bundle.entry:
        return bundle.entry
    content = json.dumps(bundle.claims, separators=(",", ":"), ensure_ascii=False).encode()
    token = Fernet(bundle.key)._encrypt_from_parts(content, NOW, bytes(16))
    return bundle.entry | {"discount": token.decode()}
