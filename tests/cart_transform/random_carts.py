"""Random carts: bundles as configured by the service, then changed at random."""

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from tests.cart_transform.cart_changes import ATTRIBUTE_CHANGES, BUNDLE_CHANGES, LINE_CHANGES, unchanged
from tests.cart_transform.carts import Cart, Json, Line
from tests.cart_transform.random_bundles import HOME, KEYS, MARKETS, Bundle, random_bundle, sealed_entry


def carts(largest: int = 5) -> st.SearchStrategy[Cart]:
    """A strategy for carts of up to three bundles, each with up to `largest` variants, or with slightly more variants than a
    discount string lists individually."""
    return st.randoms(use_true_random=False).map(lambda random: random_cart(random, largest))


def random_cart(random: Random, largest: int = 5, most: int | None = None) -> Cart:
    """A random cart with up to three bundles, or with up to `most` bundles if it is given. The cart usually differs little from
    what was configured."""
    market = random.choice([HOME, HOME, random.choice(MARKETS)])
    count = random.choice([0, 1, 1, 1, 2, 3]) if most is None else random.randrange(most // 4, most + 1)
    bundles = [random_bundle(random, 7001 + number, largest, market) for number in range(count)]
    for change in random.choices(BUNDLE_CHANGES, k=random.choice([0, 0, 0, 1, 1, 2])) if bundles else ():
        change(random, random.choice(bundles))
    lines = [line for bundle in bundles for line in bundle.lines]
    lines += [Line(f"other-{number}", 5, 1, "3.5") for number in range(random.choice([0, 0, 2]))]
    for change_lines in random.choices(LINE_CHANGES, k=random.choice([0, 0, 0, 1, 1, 2])):
        lines = change_lines(random, lines) if lines else lines
    lines = [replace(line, id=f"{number}-{line.id}") for number, line in enumerate(lines)]
    country = random.choice([market.country] * 9 + ["AT"])
    return Cart(lines, _attribute(random, bundles), _config(random), market.currency, market.rate, country=country)


def _config(random: Random) -> Json | None:
    usual: Json = {"shop": "demo", "keys": KEYS[:2]}
    return random.choice(
        [
            *[usual] * 24,
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
