"""Prices in the market's currency (docs/contract.md#presentment), tested with tables of discounts, prices and results, and with
property-based tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import floor
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Discount
from bundlesvc.domain.conditions.graph import GraphDiscount, Outcome
from bundlesvc.domain.line import Line
from bundlesvc.domain.money import exponent, presentment_exponent
from bundlesvc.domain.pricing.presentment import Presentment, converted, market_total, presentment_of
from bundlesvc.domain.pricing.selection_price import PricedSelection, Pricing, price_selection
from bundlesvc.domain.product import MarketPrice, market_price, unit_price
from bundlesvc.domain.shop import Market
from tests.domain.builders import EUR, bundle, flat, line, tier, tiered
from tests.domain.strategies import PROPERTY, currencies, discounts, percentages, selections

D = Decimal
RATES = {"CHF": D("0.95"), "JPY": D("162.5"), "KWD": D("0.335")}


def prices_of(
    lines: Sequence[Line], currency: str, shop_currency: str = EUR, rate: Decimal | None = None
) -> Mapping[int, MarketPrice]:
    """Market prices as the embedded platform computes them."""
    market = Market("XX", currency, RATES[currency] if rate is None else rate, D(0))
    return {line.variant.id: market_price(line.variant, market, shop_currency) for line in lines}


def by_day_rate(prices: Mapping[int, MarketPrice]) -> Mapping[int, MarketPrice]:
    """Return these prices as in a market without a fixed exchange rate."""
    return {
        variant: MarketPrice(
            one.presentment_price, one.presentment_currency, one.price_in_shop_currency, one.available_for_sale
        )
        for variant, one in prices.items()
    }


def at_market(lines: Sequence[Line], prices: Mapping[int, MarketPrice], currency: str = EUR) -> list[Line]:
    return [
        Line(
            one.product,
            one.variant,
            one.section_id,
            one.count,
            unit_price(one.variant, prices.get(one.variant.id), currency),
            one.first,
        )
        for one in lines
    ]


def present(
    discount: Discount | None,
    prices: Mapping[int, MarketPrice],
    paid: Sequence[Line],
    *,
    granted: Sequence[Line] = (),
    graph: GraphDiscount | None = None,
    subscription: Decimal | None = None,
    currency: str = EUR,
) -> tuple[PricedSelection, Presentment | None]:
    outcome = Outcome(tuple(at_market(paid, prices, currency)), tuple(at_market(granted, prices, currency)), graph)
    priced = price_selection(bundle(discount=discount), outcome, currency, subscription)
    total = market_total(outcome, prices, currency)
    return priced, None if total is None else presentment_of(total, priced, subscription)


def shown(presentment: Presentment | None) -> str:
    assert presentment
    return f"{presentment.original} {presentment.discounted} {presentment.currency}"


THREE = [line(2, variant_id=11, price="9.90"), line(variant_id=21, price="6.20")]
"""26.00 EUR. In the markets: 2 x 9.41 and 5.89 CHF, 2 x 1609 and 1008 JPY, 2 x 3.32 and 2.08 KWD."""

# fmt: off
ROWS = [
    ("no discount", None, {
        "CHF": "24.71 24.71 CHF", "JPY": "4226 4226 JPY", "KWD": "8.720 8.720 KWD"}),
    ("percentage, rounded once", flat("percentage", "12.50"), {
        "CHF": "24.71 21.62 CHF",                                                      # 3.08875
        "JPY": "4226 3698 JPY",                                                        # 528.25
        "KWD": "8.720 7.630 KWD"}),                                                    # 1.09
    ("percentage of a half", flat("percentage", "50.00"), {
        "CHF": "24.71 12.35 CHF", "JPY": "4226 2113 JPY", "KWD": "8.720 4.360 KWD"}),  # 12.355, rounded half up
    ("percentage with a third decimal", flat("percentage", "33.33"), {
        "CHF": "24.71 16.47 CHF", "JPY": "4226 2817 JPY", "KWD": "8.720 5.814 KWD"}),  # 8.235843, 1408.5258, 2.906376
    ("all of it", flat("percentage", "100.00"), {
        "CHF": "24.71 0.00 CHF", "JPY": "4226 0 JPY", "KWD": "8.720 0.000 KWD"}),
    ("fixed amount at the market's rate", flat("fixed", "5.01"), {
        "CHF": "24.71 19.95 CHF",                                                      # 4.7595
        "JPY": "4226 3412 JPY",                                                        # 814.125
        "KWD": "8.720 7.042 KWD"}),                                                    # 1.67835
    ("fixed amount of more than it costs", flat("fixed", "40.00"), {
        "CHF": "24.71 0.00 CHF", "JPY": "4226 0 JPY", "KWD": "8.720 0.000 KWD"}),
    ("fixed price at the market's rate", flat("price", "20.01"), {
        "CHF": "24.71 19.01 CHF",                                                      # 19.0095
        "JPY": "4226 3252 JPY",                                                        # 3251.625
        "KWD": "8.720 6.703 KWD"}),                                                    # 6.70335
    ("fixed price above what it costs", flat("price", "40.00"), {
        "CHF": "24.71 24.71 CHF", "JPY": "4226 4226 JPY", "KWD": "8.720 8.720 KWD"}),
    ("fixed price of nothing", flat("price", "0.00"), {
        "CHF": "24.71 0.00 CHF", "JPY": "4226 0 JPY", "KWD": "8.720 0.000 KWD"}),
    ("best tier, measured in the shop's currency",
        tiered("fixed", tier("total_price", "gte", "24.75", "5.00"), tier("total_price", "gte", "100", "50.00")), {
        "CHF": "24.71 19.96 CHF", "JPY": "4226 3413 JPY", "KWD": "8.720 7.045 KWD"}),  # 4.75, 812.5, 1.675
    ("tiers that add up",
        tiered("percentage", tier("total_products", "gte", "3", "10"), tier("bulk_buy", "gte", "2", "2.5"),
               operator="cumulative"), {
        "CHF": "24.71 21.62 CHF", "JPY": "4226 3698 JPY", "KWD": "8.720 7.630 KWD"}),
    ("minimum in the shop's currency", flat("percentage", "50.00", minimum="26.03"), {
        "CHF": "24.71 24.71 CHF", "JPY": "4226 4226 JPY", "KWD": "8.720 4.360 KWD"}),  # 26.02, 26.00 and 26.03 EUR
]
# fmt: on


@pytest.mark.parametrize("currency", RATES)
@pytest.mark.parametrize(("discount", "expected"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_each_discount_in_each_currency(discount: Discount | None, expected: Mapping[str, str], currency: str) -> None:
    _, presentment = present(discount, prices_of(THREE, currency), THREE)

    assert shown(presentment) == expected[currency]


@pytest.mark.parametrize(
    ("currency", "expected"),
    [("CHF", "24.71 20.02 CHF"), ("JPY", "4226 3423 JPY"), ("KWD", "8.720 7.063 KWD")],
)
def test_subscription_percentage_is_taken_off_what_is_left(currency: str, expected: str) -> None:
    """The subscription's percentage is deducted from the discounted price. Here, 10% of the full price and then 10% of the
    discounted price are 2.471 and 2.224 CHF, 422.6 and 380.3 JPY, or 0.872 and 0.7848 KWD, each of which is rounded."""
    _, presentment = present(flat("percentage", "10.00"), prices_of(THREE, currency), THREE, subscription=D(10))

    assert shown(presentment) == expected


def test_free_units_are_in_the_original_price_alone() -> None:
    free = [line(variant_id=31, price="3.50")]
    prices = prices_of([*THREE, *free], "CHF")

    _, presentment = present(flat("percentage", "10.00"), prices, THREE, granted=free)

    assert shown(presentment) == "28.04 22.24 CHF"  # 24.71 + 3.33


def test_discount_of_the_conditions_replaces_the_bundles() -> None:
    graph = GraphDiscount("a1", "fixed", D("2.00"))

    _, presentment = present(flat("percentage", "50.00"), prices_of(THREE, "CHF"), THREE, graph=graph)

    assert shown(presentment) == "24.71 22.81 CHF"


def test_discount_that_takes_nothing_off_in_the_shops_currency_takes_nothing_off() -> None:
    cheap = [line(price="0.01")]

    _, presentment = present(flat("percentage", "49.00"), prices_of(cheap, "JPY"), cheap)

    assert shown(presentment) == "2 2 JPY"


def test_selection_that_costs_nothing() -> None:
    free = [line(3, price="0.00")]
    for prices in (prices_of(free, "CHF"), by_day_rate(prices_of(free, "CHF"))):
        _, presentment = present(flat("fixed", "5.00"), prices, free)

        assert shown(presentment) == "0.00 0.00 CHF"


@pytest.mark.parametrize(
    ("discount", "expected"),
    [
        pytest.param(flat("fixed", "10.00"), "4226 2601 JPY", id="fixed amount"),  # 1625.38 at 4226 / 26.00
        pytest.param(flat("price", "10.00"), "4226 1625 JPY", id="fixed price"),
        pytest.param(flat("percentage", "12.50"), "4226 3698 JPY", id="percentage"),
    ],
)
def test_without_a_set_rate_amounts_are_converted_as_the_prices_were(discount: Discount, expected: str) -> None:
    _, presentment = present(discount, by_day_rate(prices_of(THREE, "JPY")), THREE)

    assert shown(presentment) == expected


def test_rate_of_the_prices_counts_free_units_too() -> None:
    free = [line(variant_id=31, price="0.02")]  # 3 yen, at 150 to the euro
    prices = by_day_rate(prices_of([*THREE, *free], "JPY"))

    _, presentment = present(flat("fixed", "10.00"), prices, THREE, granted=free)

    assert shown(presentment) == "4229 2601 JPY"  # 10 EUR at 4229 / 26.02


def test_fixed_price_of_a_third_decimal() -> None:
    prices = {11: MarketPrice(D("9.905"), "KWD", D("29.57"), available_for_sale=True, exchange_rate=D("0.335"))}

    _, presentment = present(flat("percentage", "10.00"), prices, [line(3)])

    assert shown(presentment) == "29.715 26.743 KWD"  # 2.9715


@pytest.mark.parametrize(
    "prices",
    [
        pytest.param({}, id="no country"),
        pytest.param({11: MarketPrice(D(9), EUR, D(9), available_for_sale=True)}, id="no market, or the same currency"),
        pytest.param({21: MarketPrice(D(9), "CHF", D(9), available_for_sale=True)}, id="a price is not known"),
        pytest.param(
            {
                11: MarketPrice(D(9), "CHF", D(9), available_for_sale=True),
                21: MarketPrice(D(9), EUR, D(9), available_for_sale=True),
            },
            id="two currencies",
        ),
    ],
)
def test_no_presentment(prices: Mapping[int, MarketPrice]) -> None:
    _, presentment = present(None, prices, THREE)

    assert presentment is None


def test_price_that_the_market_converts() -> None:
    """If the market converts a bundle's price from the shop's currency, the bundle costs the converted price, but never more than
    the total price of its units."""
    total = market_total(Outcome(tuple(THREE)), prices_of(THREE, "JPY"), EUR)
    assert total

    def in_yen(discounted: str) -> str:
        return shown(converted(total, Pricing(D("26.00"), D(discounted), "percentage", D(10), EUR)))

    assert in_yen("23.40") == "4226 3803 JPY"  # 3802.5
    assert in_yen("99.00") == "4226 4226 JPY"


@st.composite
def markets(draw: st.DrawFn, lines: Sequence[Line], shop_currency: str) -> Mapping[int, MarketPrice]:
    """A strategy for prices of variants in a currency that is not the shop's."""
    currency = draw(st.sampled_from([one for one in RATES if one != shop_currency]))
    rate = draw(st.sampled_from([D("0.0067"), D("0.335"), D(1), D("1.10"), D("162.5"), D("16250")]))
    prices = prices_of(lines, currency, shop_currency, rate)
    return draw(st.sampled_from([prices, by_day_rate(prices)]))


@dataclass(frozen=True)
class Case:
    """A selection in a market, with a discount and a subscription's percentage."""

    shop_currency: str
    paid: list[Line]
    free: list[Line]
    prices: Mapping[int, MarketPrice]
    discount: Discount | None
    subscription: Decimal | None

    def present(self) -> tuple[PricedSelection, Presentment]:
        priced, presentment = present(
            self.discount,
            self.prices,
            self.paid,
            granted=self.free,
            subscription=self.subscription,
            currency=self.shop_currency,
        )
        assert presentment
        return priced, presentment


@st.composite
def cases(draw: st.DrawFn) -> Case:
    shop_currency = draw(currencies)
    lines = draw(selections(shop_currency))
    free = draw(st.integers(0, len(lines)))
    prices = draw(markets(lines, shop_currency))
    return Case(shop_currency, lines[free:], lines[:free], prices, draw(discounts), draw(st.none() | percentages))


@PROPERTY
@given(case=cases())
def test_price_is_between_zero_and_the_original(case: Case) -> None:
    priced, presentment = case.present()

    assert 0 <= presentment.discounted <= presentment.original
    if priced.pricing.discount_type == "none" and not case.subscription and not case.free:
        assert presentment.discounted == presentment.original


@PROPERTY
@given(case=cases(), random=st.randoms(use_true_random=False))
def test_order_of_the_items_does_not_matter(case: Case, random: Random) -> None:
    shuffled = replace(
        case,
        paid=random.sample(case.paid, len(case.paid)),
        free=random.sample(case.free, len(case.free)),
        prices=dict(random.sample(list(case.prices.items()), len(case.prices))),
    )

    assert case.present()[1] == shuffled.present()[1]


def half_up(amount: Fraction, currency: str) -> Fraction:
    steps = 10 ** {"JPY": 0, "CHF": 2, "KWD": 3}[currency]
    return Fraction(floor(amount * steps + Fraction(1, 2)), steps)


def computed_apart(priced: Pricing, case: Case) -> tuple[Fraction, Fraction]:
    """The original and the discounted price, computed with exact fractions, as the contract describes."""
    units = [
        (index, case.prices[one.variant.id])
        for index, lines in enumerate((case.paid, case.free))
        for one in lines
        for _ in range(one.count)
    ]
    currency = units[0][1].presentment_currency
    charged = sum((Fraction(price.presentment_price) for index, price in units if index == 0), Fraction(0))
    original = sum((Fraction(price.presentment_price) for _, price in units), Fraction(0))
    at_home = sum((Fraction(price.price_in_shop_currency) for index, price in units if index == 0), Fraction(0))
    worth = sum((Fraction(price.price_in_shop_currency) for _, price in units), Fraction(0))
    set_rate, value = units[0][1].exchange_rate, Fraction(priced.discount_value)
    rate = Fraction(set_rate) if set_rate is not None else original / worth if worth else Fraction(0)
    left = {
        "none": charged,
        "percentage": charged - half_up(charged * value / 100, currency),
        "fixed": Fraction(0) if value >= at_home else max(charged - half_up(value * rate, currency), Fraction(0)),
        "price": min(half_up(value * rate, currency), charged),
    }[priced.discount_type]
    return original, left - half_up(left * Fraction(case.subscription or 0) / 100, currency)


@PROPERTY
@given(case=cases())
def test_price_is_what_the_contract_says(case: Case) -> None:
    priced, presentment = case.present()

    expected = computed_apart(priced.pricing, case)
    assert (Fraction(presentment.original), Fraction(presentment.discounted)) == expected


@PROPERTY
@given(case=cases())
def test_checkout_charges_it_within_the_bounds_of_the_contract(case: Case) -> None:
    """The checkout charges the presentment price within the bounds of the contract.

    For a native bundle, the charge is the sum of the market's prices less a percentage; for a ghost variant, it is the promised
    price, converted at the market's rate."""
    priced, presentment = case.present()
    original, discounted = Fraction(priced.pricing.original), Fraction(priced.pricing.discounted)
    in_market, charged_for = Fraction(presentment.original), Fraction(presentment.discounted)
    set_rate = next(iter(case.prices.values())).exchange_rate
    if not original:
        return
    rate = Fraction(set_rate) if set_rate else in_market / original
    unit = Fraction(1, 10 ** presentment_exponent(presentment.currency))
    worth = rate / 10 ** exponent(case.shop_currency)
    count = sum(one.count for one in (*case.paid, *case.free))

    native = half_up(in_market * discounted / original, presentment.currency)
    ghost = half_up(discounted * rate, presentment.currency)

    bound = (count + 1) * worth + 2 * unit
    assert abs(native - charged_for) <= bound
    assert abs(ghost - charged_for) <= bound
    if priced.pricing.discount_type in ("none", "percentage") and not case.subscription and not case.free:
        assert abs(native - charged_for) <= worth + unit
        assert priced.pricing.discount_type != "none" or native == in_market
