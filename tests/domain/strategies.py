"""Strategies for property tests: selections, discounts and limit rules."""

from decimal import Decimal

from hypothesis import strategies as st

from bundlesvc.domain.bundle import (
    CUMULATIVE,
    DISCOUNT_TYPES,
    FLAT,
    MAX,
    TIER_TYPES,
    TIERED,
    Discount,
    LimitRule,
    Tier,
)
from bundlesvc.domain.line import Line
from bundlesvc.domain.measures import COMPARISONS
from bundlesvc.domain.money import exponent
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from tests.domain.builders import EUR, JPY, line_of, product, variant
from tests.running.properties import examples

PROPERTY = examples(100)
"""Settings of property tests. There is no deadline, because a slow example is not a failure."""

CATALOGUE = {
    owner: product(owner, *(variant(owner * 10 + place, grams=owner * 170 + place) for place in (1, 2)))
    for owner in (1, 2, 3, 4)
}
"""Products 1 to 4 with two variants each: 11, 12, 21, 22, …"""
VARIANT_IDS = [variant_id for owner in CATALOGUE.values() for variant_id in owner.variants_by_id]
SECTION_IDS = [0, 1, 2, 3]

OPERATIONS = st.sampled_from(sorted(COMPARISONS))
NUMBERS = st.sampled_from(["0", "0.9", "1", "2", "2.5", "3", "3.00", "4", "6", "9.99", "25", "100.00"])
"""Thresholds as merchants write them."""

currencies = st.sampled_from([EUR, JPY])
percentages = st.decimals(0, 100, places=2)


@st.composite
def amounts(draw: st.DrawFn, currency: str, most: int = 9999) -> Decimal:
    """A strategy for amounts from zero to `most` minor units."""
    return Decimal(draw(st.integers(0, most))).scaleb(-exponent(currency))


@st.composite
def selections(draw: st.DrawFn, currency: str = EUR) -> list[Line]:
    """A strategy for selections of one to eight distinct lines. A variant has the same price in all sections."""
    pair = st.tuples(st.sampled_from(VARIANT_IDS), st.sampled_from(SECTION_IDS))
    places = draw(st.lists(pair, min_size=1, max_size=8, unique=True))
    prices = {variant_id: draw(amounts(currency)) for variant_id, _ in places}
    return [
        _at_price(
            line_of(CATALOGUE[variant_id // 10], variant_id, draw(st.integers(1, 6)), section=section, first=first),
            prices[variant_id],
        )
        for first, (variant_id, section) in enumerate(places)
    ]


def _at_price(line: Line, price: Decimal) -> Line:
    return Line(line.product, line.variant, line.section_id, line.count, price, line.first)


tiers = st.builds(
    Tier,
    st.sampled_from(TIER_TYPES),
    OPERATIONS,
    NUMBERS,
    st.decimals(0, 150, places=2),
)

discounts = st.none() | st.builds(
    Discount,
    st.sampled_from(DISCOUNT_TYPES),
    st.decimals(0, 150, places=2),
    st.sampled_from([FLAT, TIERED]),
    st.none() | st.decimals(0, 100, places=2),
    st.sampled_from([None, MAX, CUMULATIVE]),
    st.lists(tiers, max_size=4).map(tuple),
)

limit_rules = st.builds(
    LimitRule,
    st.sampled_from(sorted(RULE_TYPES)),
    OPERATIONS,
    NUMBERS,
    st.sampled_from([None, 1, 2]),
)
