"""Random carts: bundles as the service configures them, then whatever happens to carts."""

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random

from hypothesis import strategies as st

from bundlesvc.domain.money import round_amount
from tests.cart_transform.cart_changes import ATTRIBUTE_CHANGES, BUNDLE_CHANGES, LINE_CHANGES, unchanged
from tests.cart_transform.carts import Cart, Json, Line
from tests.cart_transform.random_bundles import HOME, KEYS, Bundle, random_bundle, sealed_entry

MARKETS = [("USD", "1.0837"), ("JPY", "163.42"), ("CHF", "0.9371"), ("KWD", "0.33259918734512")]


def carts(largest: int = 5) -> st.SearchStrategy[Cart]:
    """Carts of up to three bundles, of up to `largest` variants each, or a few more than are named one by one."""
    return st.randoms(use_true_random=False).map(lambda random: random_cart(random, largest))


def random_cart(random: Random, largest: int = 5, most: int | None = None) -> Cart:
    """A cart that is most often almost as configured, of up to three bundles, or up to `most`."""
    market = random.choice([None, None, random.choice(MARKETS)])
    count = random.choice([0, 1, 1, 1, 2, 3]) if most is None else random.randrange(most // 4, most + 1)
    bundles = [random_bundle(random, 7001 + number, largest) for number in range(count)]
    for change in random.choices(BUNDLE_CHANGES, k=random.choice([0, 0, 0, 1, 1, 2])) if bundles else ():
        change(random, random.choice(bundles))
    lines = [line for bundle in bundles for line in bundle.lines]
    lines += [Line(f"other-{number}", 5, 1, "3.5") for number in range(random.choice([0, 0, 2]))]
    for change_lines in random.choices(LINE_CHANGES, k=random.choice([0, 0, 0, 1, 1, 2])):
        lines = change_lines(random, lines) if lines else lines
    currency, rate = market or (HOME, "1.0")
    if market:
        lines = [replace(line, unit_price=_converted(line.unit_price, currency, rate)) for line in lines]
    lines = [replace(line, id=f"{number}-{line.id}") for number, line in enumerate(lines)]
    return Cart(lines, _attribute(random, bundles), _config(random), currency, rate)


def _converted(price: str, currency: str, rate: str) -> str:
    """As the platform converts it; a price that no platform has stays as it is."""
    converted = round_amount(Decimal(price) * Decimal(rate), currency)
    return str(converted if converted < 10**11 else price)


def _config(random: Random) -> Json | None:
    usual: Json = {"shop": "demo", "keys": KEYS[:2]}
    return random.choice(
        [
            *[usual] * 16,
            *[usual | {"checkMarketPrices": True}] * 8,
            usual | {"maxAgeDays": random.choice([1, 60, 0, -1, "3", 10**15, 2**60, True])},
            {"shop": "demo", "keys": [5, "key", "", *KEYS[1:2]]},
            {"shop": random.choice(["other", None, 5]), "keys": KEYS},
            None,
        ]
    )


def _attribute(random: Random, bundles: Sequence[Bundle]) -> str | None:
    entries = {str(bundle.configured): sealed_entry(bundle) for bundle in bundles}
    text = json.dumps(entries, ensure_ascii=random.random() < 0.5)
    return (
        random.choice([unchanged] * 20 + ATTRIBUTE_CHANGES)(random, text)
        if bundles
        else random.choice([None, "", text])
    )
