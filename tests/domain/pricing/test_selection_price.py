"""The price of a selection (docs/contract.md#prices), tested with tables whose columns are the discount, the lines, the applied
discount and the price."""

from collections.abc import Sequence
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Discount
from bundlesvc.domain.conditions.graph import GraphDiscount, Outcome
from bundlesvc.domain.line import Line, total_amount
from bundlesvc.domain.money import round_amount
from bundlesvc.domain.pricing.selection_price import (
    PricedSelection,
    Pricing,
    adjusted,
    line_reductions,
    price_selection,
)
from tests.domain.builders import BOUNDARIES, EUR, JPY, bundle, flat, line, line_of, product, tier, tiered, variant
from tests.domain.strategies import PROPERTY, currencies, discounts, percentages, selections

Named = tuple[str, str]
NONE: Named = ("none", "0.00")


def price(
    discount: Discount | None,
    paid: Sequence[Line],
    *,
    currency: str = EUR,
    granted: Sequence[Line] = (),
    graph: Named | None = None,
    subscription: str | None = None,
) -> PricedSelection:
    graph_discount = GraphDiscount("a1", graph[0], Decimal(graph[1])) if graph else None
    outcome = Outcome(tuple(paid), tuple(granted), graph_discount)
    percentage = None if subscription is None else Decimal(subscription)
    return price_selection(bundle(discount=discount), outcome, currency, percentage)


def pricing(original: str, discounted: str, named: Named, currency: str = EUR) -> Pricing:
    return Pricing(Decimal(original), Decimal(discounted), named[0], Decimal(named[1]), currency)


@pytest.mark.parametrize(
    ("discount", "amount", "discounted", "named"),
    [
        pytest.param(None, "30.00", "30.00", NONE, id="no discount"),
        pytest.param(flat("percentage", "10.00"), "30.00", "27.00", ("percentage", "10.00"), id="percentage"),
        pytest.param(flat("percentage", "0.00"), "30.00", "30.00", NONE, id="percentage of nothing"),
        pytest.param(flat("percentage", "100.00"), "30.00", "0.00", ("percentage", "100.00"), id="percentage, all"),
        pytest.param(flat("percentage", "150.00"), "30.00", "0.00", ("percentage", "100.00"), id="percentage, capped"),
        pytest.param(
            flat("percentage", "33.33"), "99.99", "66.66", ("percentage", "33.33"), id="percentage, 33.326667"
        ),
        pytest.param(flat("percentage", "50.00"), "0.05", "0.02", ("percentage", "50.00"), id="percentage, 0.025 up"),
        pytest.param(flat("percentage", "50.00"), "0.01", "0.00", ("percentage", "50.00"), id="percentage, 0.005 up"),
        pytest.param(flat("percentage", "49.99"), "0.01", "0.01", NONE, id="percentage, rounds to nothing"),
        pytest.param(flat("percentage", "10.00"), "0.00", "0.00", NONE, id="percentage of no amount"),
        pytest.param(flat("fixed", "5.00"), "30.00", "25.00", ("fixed", "5.00"), id="fixed"),
        pytest.param(flat("fixed", "0.00"), "30.00", "30.00", NONE, id="fixed, nothing"),
        pytest.param(flat("fixed", "30.00"), "30.00", "0.00", ("fixed", "30.00"), id="fixed, all"),
        pytest.param(flat("fixed", "40.00"), "30.00", "0.00", ("fixed", "40.00"), id="fixed, more than all"),
        pytest.param(flat("fixed", "5.00"), "0.00", "0.00", NONE, id="fixed off no amount"),
        pytest.param(flat("price", "25.00"), "30.00", "25.00", ("price", "25.00"), id="price"),
        pytest.param(flat("price", "29.99"), "30.00", "29.99", ("price", "29.99"), id="price, just below"),
        pytest.param(flat("price", "30.00"), "30.00", "30.00", NONE, id="price, equal"),
        pytest.param(flat("price", "35.00"), "30.00", "30.00", NONE, id="price, dearer"),
        pytest.param(flat("price", "0.00"), "30.00", "0.00", ("price", "0.00"), id="price, for nothing"),
        pytest.param(flat("price", "0.00"), "0.00", "0.00", NONE, id="price of no amount"),
        pytest.param(
            flat("percentage", "10.00", tiers=[tier("total_products", "gte", "1", "50.00")]),
            "30.00",
            "27.00",
            ("percentage", "10.00"),
            id="flat reads no tiers",
        ),
    ],
)
def test_flat_discounts(discount: Discount | None, amount: str, discounted: str, named: Named) -> None:
    assert price(discount, [line(price=amount)]).pricing == pricing(amount, discounted, named)


@pytest.mark.parametrize(
    ("discount", "amount", "discounted", "named"),
    [
        pytest.param(flat("percentage", "50.00"), "101", "50", ("percentage", "50.00"), id="50.5 off, up"),
        pytest.param(flat("percentage", "49.00"), "101", "52", ("percentage", "49.00"), id="49.49 off, down"),
        pytest.param(flat("percentage", "50.00"), "5", "2", ("percentage", "50.00"), id="2.5 off, up from even"),
        pytest.param(flat("percentage", "49.00"), "1", "1", NONE, id="0.49 off is nothing"),
        pytest.param(flat("fixed", "30.00"), "101", "71", ("fixed", "30.00"), id="fixed"),
        pytest.param(flat("fixed", "5.50"), "100", "94", ("fixed", "5.50"), id="fixed, 5.5 up"),
        pytest.param(flat("price", "90.00"), "100", "90", ("price", "90.00"), id="price"),
    ],
)
def test_yen_are_rounded_to_whole_units(discount: Discount, amount: str, discounted: str, named: Named) -> None:
    assert price(discount, [line(price=amount)], currency=JPY).pricing == pricing(amount, discounted, named, JPY)


@pytest.mark.parametrize(
    ("discount", "lines", "original", "discounted"),
    [
        pytest.param(
            flat("percentage", "25.00"), [line(2, price="0.05")], "0.10", "0.07", id="0.025 once, not 2 x 0.01"
        ),
        pytest.param(
            flat("percentage", "10.00"),
            [line(price="0.33", variant_id=11), line(price="0.33", variant_id=21), line(price="0.33", variant_id=31)],
            "0.99",
            "0.89",
            id="0.099 once, not 3 x 0.03",
        ),
        pytest.param(
            tiered(
                "percentage",
                tier("total_products", "gte", "1", "1.00"),
                tier("total_price", "gte", "0.50", "1.00"),
                operator="cumulative",
            ),
            [line(price="0.50")],
            "0.50",
            "0.49",
            id="0.01 once, not 2 x 0.005 up",
        ),
    ],
)
def test_the_reduction_is_rounded_once(discount: Discount, lines: list[Line], original: str, discounted: str) -> None:
    answer = price(discount, lines).pricing

    assert (answer.original, answer.discounted) == (Decimal(original), Decimal(discounted))


@pytest.mark.parametrize(
    ("minimum", "applies"),
    [
        pytest.param(None, True, id="none"),
        pytest.param("0.00", True, id="zero"),
        pytest.param("29.99", True, id="below the amount"),
        pytest.param("30.00", True, id="at the amount"),
        pytest.param("30.01", False, id="above the amount"),
    ],
)
@pytest.mark.parametrize(
    ("type_", "value", "discounted"),
    [("percentage", "10.00", "27.00"), ("fixed", "5.00", "25.00"), ("price", "20.00", "20.00")],
    ids=["percentage", "fixed", "price"],
)
@pytest.mark.parametrize("kind", ["flat", "tiered"])
def test_discount_needs_its_minimum(
    kind: str, type_: str, value: str, discounted: str, minimum: str | None, applies: bool
) -> None:
    step = tier("total_products", "gte", "3", value)
    discount = flat(type_, value, minimum=minimum) if kind == "flat" else tiered(type_, step, minimum=minimum)
    expected = pricing("30.00", discounted, (type_, value)) if applies else pricing("30.00", "30.00", NONE)

    assert price(discount, [line(3)]).pricing == expected


TIER_MEASURES = {
    "total_products": {
        "below": [line(1, variant_id=11), line(1, variant_id=21)],
        "at": [line(2, variant_id=11), line(1, variant_id=21, section=2)],
        "above": [line(2, variant_id=11), line(2, variant_id=21)],
    },
    "bulk_buy": {
        "below": [line(2, variant_id=11), line(2, variant_id=21)],
        "at": [line(2, variant_id=11, section=1), line(1, variant_id=11, section=2), line(1, variant_id=21)],
        "above": [line(1, variant_id=11), line(3, variant_id=12, section=2), line(3, variant_id=21)],
    },
    "total_price": {
        "below": [line(price="1.00"), line(price="1.99", variant_id=21)],
        "at": [line(2, price="1.00"), line(price="1.00", variant_id=21)],
        "above": [line(3, price="1.00"), line(price="0.01", variant_id=21)],
    },
}
"""Selections that measure below, at and above 3: items, units of one product, price."""


@pytest.mark.parametrize("value", ["3", "3.00"])
@pytest.mark.parametrize(("operation", "side", "held"), BOUNDARIES)
@pytest.mark.parametrize("type_", TIER_MEASURES)
def test_tier_thresholds(type_: str, operation: str, side: str, held: bool, value: str) -> None:
    discount = tiered("percentage", tier(type_, operation, value, "10.00"))

    answer = price(discount, TIER_MEASURES[type_][side]).pricing

    assert answer.discount_type == ("percentage" if held else "none")


@pytest.mark.parametrize(
    ("operation", "value", "count", "held"),
    [
        pytest.param("gte", "2.5", 2, False, id="gte, below"),
        pytest.param("gte", "2.5", 3, True, id="gte, above"),
        pytest.param("lt", "2.5", 2, True, id="lt, below"),
        pytest.param("lt", "2.5", 3, False, id="lt, above"),
        pytest.param("eq", "2.5", 2, False, id="eq, never"),
    ],
)
def test_tier_thresholds_may_have_decimals(operation: str, value: str, count: int, held: bool) -> None:
    discount = tiered("fixed", tier("total_products", operation, value, "1.00"))

    assert price(discount, [line(count)]).pricing.discount_type == ("fixed" if held else "none")


def steps(*discounts: str) -> list[tuple[str, str, str, str]]:
    """Return one tier for each discount, in order; the tiers begin at 1, 2, 3 … items."""
    return [("total_products", "gte", str(least), value) for least, value in enumerate(discounts, 1)]


@pytest.mark.parametrize(
    ("type_", "operator", "tiers", "discounted", "named"),
    [
        # 30.00 for 3 items at 10.00; tiers for 4 or more items do not apply
        pytest.param("percentage", "max", steps("5", "10", "20", "90"), "24.00", "20", id="percentage, max"),
        pytest.param("percentage", "max", steps("20", "10", "5"), "24.00", "20", id="percentage, max, listed first"),
        pytest.param("percentage", None, steps("5", "10", "20", "90"), "24.00", "20", id="percentage, null is max"),
        pytest.param(
            "percentage", "cumulative", steps("5", "10", "20", "90"), "19.50", "35", id="percentage, cumulative"
        ),
        pytest.param("percentage", "cumulative", steps("60", "70"), "0.00", "100", id="percentage, cumulative, capped"),
        pytest.param("percentage", "cumulative", steps("60", "40"), "0.00", "100", id="percentage, cumulative, at cap"),
        pytest.param("percentage", "cumulative", steps("60", "39.99"), "0.00", "99.99", id="percentage, 0.003 left"),
        pytest.param("percentage", "max", steps("120", "90"), "0.00", "100", id="percentage, max, capped"),
        pytest.param("fixed", "max", steps("5", "12", "7", "20"), "18.00", "12", id="fixed, max"),
        pytest.param("fixed", None, steps("5", "12", "7", "20"), "18.00", "12", id="fixed, null is max"),
        pytest.param("fixed", "cumulative", steps("5", "12", "7", "20"), "6.00", "24", id="fixed, cumulative"),
        pytest.param("fixed", "cumulative", steps("20", "20"), "0.00", "40", id="fixed, cumulative, more than all"),
        pytest.param("price", "max", steps("28", "25", "27", "1"), "25.00", "25", id="price, max is the lowest"),
        pytest.param("price", None, steps("28", "25", "27", "1"), "25.00", "25", id="price, null is max"),
        pytest.param("price", "cumulative", steps("28", "25", "27", "1"), "25.00", "25", id="price, cumulative is max"),
        pytest.param("price", "cumulative", steps("10", "12"), "10.00", "10", id="price, cumulative, nothing added"),
        pytest.param("percentage", "cumulative", steps("10"), "27.00", "10", id="cumulative of one"),
        pytest.param("percentage", "cumulative", steps("0", "10"), "27.00", "10", id="cumulative with a zero"),
        pytest.param("percentage", "max", steps("0", "10"), "27.00", "10", id="max with a zero"),
        pytest.param("price", "max", steps("35", "20"), "20.00", "20", id="max with a dearer price"),
        pytest.param("price", "max", steps("0"), "0.00", "0", id="price of nothing"),
    ],
)
def test_matching_tiers(
    type_: str, operator: str | None, tiers: list[tuple[str, str, str, str]], discounted: str, named: str
) -> None:
    discount = tiered(type_, *(tier(*one) for one in tiers), operator=operator)

    assert price(discount, [line(3)]).pricing == pricing("30.00", discounted, (type_, named))


@pytest.mark.parametrize("operator", ["max", "cumulative", None])
@pytest.mark.parametrize(
    ("type_", "tiers"),
    [
        pytest.param("percentage", [], id="no tiers"),
        pytest.param("percentage", [("total_products", "gte", "4", "10")], id="no tier holds"),
        pytest.param("percentage", [("total_products", "gte", "1", "0")], id="zero percent"),
        pytest.param("fixed", [("total_products", "gte", "1", "0"), ("bulk_buy", "gte", "1", "0")], id="zero off"),
        pytest.param("price", [("total_products", "gte", "1", "30")], id="equal price"),
        pytest.param(
            "price", [("total_products", "gte", "1", "31"), ("bulk_buy", "gte", "1", "32")], id="dearer prices"
        ),
    ],
)
def test_tiers_without_effect_are_not_applied(
    operator: str | None, type_: str, tiers: list[tuple[str, str, str, str]]
) -> None:
    discount = tiered(type_, *(tier(*one) for one in tiers), operator=operator, value="10.00")

    assert price(discount, [line(3)]).pricing == pricing("30.00", "30.00", NONE)


@pytest.mark.parametrize(
    ("type_", "amount", "tiers", "named"),
    [
        pytest.param("percentage", "1.00", steps("10.00", "10.40"), "10.00", id="0.100 and 0.104"),
        pytest.param("percentage", "1.00", steps("10.40", "10.00"), "10.40", id="0.104 and 0.100"),
        pytest.param("percentage", "1.00", steps("10.00", "10.50"), "10.50", id="0.100 and 0.105: no tie"),
        pytest.param("percentage", "0.10", steps("99.00", "100.00"), "99.00", id="0.099 and 0.100"),
        pytest.param("fixed", "10.00", steps("15.00", "20.00"), "15.00", id="both more than all"),
        pytest.param("fixed", "10.00", steps("20.00", "15.00"), "20.00", id="both more than all, the other way"),
        pytest.param("price", "10.00", steps("5.00", "5.00"), "5.00", id="equal prices"),
    ],
)
def test_ties_after_rounding_go_to_the_first_listed(
    type_: str, amount: str, tiers: list[tuple[str, str, str, str]], named: str
) -> None:
    discount = tiered(type_, *(tier(*one) for one in tiers))
    lines = [line(price=amount), line(price="0.00", variant_id=21)]

    assert price(discount, lines).pricing.discount_value == Decimal(named)


@pytest.mark.parametrize(
    ("own", "graph", "discounted", "named"),
    [
        pytest.param(None, ("percentage", "15"), "25.50", ("percentage", "15"), id="no own discount"),
        pytest.param(flat("percentage", "50"), ("percentage", "15"), "25.50", ("percentage", "15"), id="own is better"),
        pytest.param(flat("percentage", "5"), ("fixed", "7"), "23.00", ("fixed", "7"), id="fixed"),
        pytest.param(flat("fixed", "5"), ("price", "12"), "12.00", ("price", "12"), id="price"),
        pytest.param(
            flat("fixed", "5", minimum="99"), ("fixed", "7"), "23.00", ("fixed", "7"), id="own minimum does not matter"
        ),
        pytest.param(flat("fixed", "5"), ("percentage", "150"), "0.00", ("percentage", "100"), id="percentage, capped"),
        pytest.param(flat("fixed", "5"), ("percentage", "0"), "30.00", NONE, id="takes nothing off, still replaces"),
        pytest.param(flat("fixed", "5"), ("price", "30"), "30.00", NONE, id="equal price, still replaces"),
    ],
)
def test_the_graphs_discount_replaces_the_bundles_own(
    own: Discount | None, graph: Named, discounted: str, named: Named
) -> None:
    assert price(own, [line(3)], graph=graph).pricing == pricing("30.00", discounted, named)


@pytest.mark.parametrize(
    ("discount", "graph", "discounted", "named"),
    [
        # paid: 2 at 10.00; free: 3 at 5.00, of the same product
        pytest.param(None, None, "20.00", NONE, id="no discount"),
        pytest.param(flat("percentage", "10"), None, "18.00", ("percentage", "10"), id="percentage of what is left"),
        pytest.param(flat("fixed", "25"), None, "0.00", ("fixed", "25"), id="fixed, at most what is left"),
        pytest.param(flat("price", "20"), None, "20.00", NONE, id="price against what is left"),
        pytest.param(flat("fixed", "5", minimum="20"), None, "15.00", ("fixed", "5"), id="minimum reached"),
        pytest.param(flat("fixed", "5", minimum="20.01"), None, "20.00", NONE, id="minimum, granted do not count"),
        pytest.param(
            tiered("fixed", tier("total_products", "gte", "3", "5")),
            None,
            "20.00",
            NONE,
            id="items, granted do not count",
        ),
        pytest.param(
            tiered("fixed", tier("bulk_buy", "gte", "3", "5")), None, "20.00", NONE, id="bulk, granted do not count"
        ),
        pytest.param(
            tiered("fixed", tier("total_price", "gt", "20", "5")), None, "20.00", NONE, id="price, granted do not count"
        ),
        pytest.param(
            tiered("fixed", tier("total_products", "eq", "2", "5")),
            None,
            "15.00",
            ("fixed", "5"),
            id="items that are paid",
        ),
        pytest.param(flat("fixed", "5"), ("percentage", "50"), "10.00", ("percentage", "50"), id="graph's percentage"),
    ],
)
def test_granted_units_come_off_first(
    discount: Discount | None, graph: Named | None, discounted: str, named: Named
) -> None:
    granted = [line(3, price="5.00", section=0)]

    answer = price(discount, [line(2)], granted=granted, graph=graph)

    assert answer.pricing == pricing("35.00", discounted, named)
    assert answer.amount == Decimal("20.00")
    assert answer.reduction == Decimal("20.00") - Decimal(discounted)


def test_a_selection_of_granted_units_alone_costs_nothing() -> None:
    answer = price(flat("percentage", "10"), [], granted=[line(1)], subscription="5")

    assert answer.pricing == pricing("10.00", "0.00", NONE)


@pytest.mark.parametrize(
    ("discount", "amount", "currency", "subscription", "discounted", "named"),
    [
        pytest.param(
            flat("percentage", "10"), "30.00", EUR, "5", "25.65", ("percentage", "10"), id="5 percent of 27.00"
        ),
        pytest.param(None, "30.00", EUR, "5", "28.50", NONE, id="alone it is not named"),
        pytest.param(flat("fixed", "5"), "30.00", EUR, None, "25.00", ("fixed", "5"), id="none"),
        pytest.param(flat("fixed", "5"), "30.00", EUR, "0", "25.00", ("fixed", "5"), id="zero"),
        pytest.param(flat("fixed", "5"), "30.00", EUR, "100", "0.00", ("fixed", "5"), id="all of it"),
        pytest.param(None, "0.50", EUR, "1", "0.49", NONE, id="0.005 up"),
        pytest.param(flat("percentage", "10"), "0.05", EUR, "20", "0.03", ("percentage", "10"), id="rounded twice"),
        pytest.param(flat("percentage", "10"), "999", JPY, "5", "854", ("percentage", "10"), id="yen: 100, then 45"),
        pytest.param(flat("fixed", "30"), "30.00", EUR, "5", "0.00", ("fixed", "30"), id="nothing left"),
        pytest.param(
            flat("fixed", "5", minimum="29"),
            "30.00",
            EUR,
            "50",
            "12.50",
            ("fixed", "5"),
            id="minimum sees no subscription",
        ),
    ],
)
def test_subscription_percentage_applies_after_the_discount(
    discount: Discount | None, amount: str, currency: str, subscription: str | None, discounted: str, named: Named
) -> None:
    answer = price(discount, [line(price=amount)], currency=currency, subscription=subscription)

    assert answer.pricing == pricing(amount, discounted, named, currency)
    assert answer.reduction == Decimal(amount) - Decimal(discounted)


@pytest.mark.parametrize(
    ("lines", "fixed", "currency", "reductions"),
    [
        pytest.param(
            [line(price="10.00", variant_id=11), line(price="20.00", variant_id=21)],
            "1.00",
            EUR,
            ["0.33", "0.67"],
            id="the largest fraction first",
        ),
        pytest.param(
            [line(price="20.00", variant_id=11), line(price="10.00", variant_id=21)],
            "1.00",
            EUR,
            ["0.67", "0.33"],
            id="in the order of the lines",
        ),
        pytest.param(
            [line(variant_id=101), line(variant_id=21), line(variant_id=91)],
            "0.10",
            EUR,
            ["0.03", "0.04", "0.03"],
            id="a tie: the smaller variant",
        ),
        pytest.param(
            [line(variant_id=1001), line(variant_id=101), line(variant_id=91)],
            "0.11",
            EUR,
            ["0.03", "0.04", "0.04"],
            id="a tie: ids are numbers, not texts",
        ),
        pytest.param(
            [line(section=10), line(section=2), line(section=9)],
            "0.10",
            EUR,
            ["0.03", "0.04", "0.03"],
            id="a tie: the smaller section",
        ),
        pytest.param(
            [line(variant_id=21, section=1), line(variant_id=11, section=2)],
            "0.01",
            EUR,
            ["0.00", "0.01"],
            id="a tie: variant before section",
        ),
        pytest.param(
            [line(price="1.00", variant_id=11), line(price="2.00", variant_id=21)],
            "0.01",
            EUR,
            ["0.00", "0.01"],
            id="a fraction before an id",
        ),
        pytest.param(
            [line(2, price="5.00", variant_id=11), line(1, price="30.00", variant_id=21)],
            "4.00",
            EUR,
            ["1.00", "3.00"],
            id="lines weigh by amount, not by count",
        ),
        pytest.param(
            [line(price="100", variant_id=11), line(price="100", variant_id=21), line(price="100", variant_id=31)],
            "100",
            JPY,
            ["34", "33", "33"],
            id="yen",
        ),
        pytest.param(
            [line(price="0.00", variant_id=11), line(price="10.00", variant_id=21)],
            "3.00",
            EUR,
            ["0.00", "3.00"],
            id="a line that costs nothing",
        ),
        pytest.param(
            [line(price="0.01", variant_id=11), line(price="0.02", variant_id=21)],
            "0.03",
            EUR,
            ["0.01", "0.02"],
            id="all of it",
        ),
        pytest.param([line(price="0.00")], "3.00", EUR, ["0.00"], id="nothing to take off"),
        pytest.param([line(2), line(variant_id=21)], "0.00", EUR, ["0.00", "0.00"], id="no reduction"),
        pytest.param([], "3.00", EUR, [], id="no lines"),
    ],
)
def test_reduction_of_lines(lines: list[Line], fixed: str, currency: str, reductions: list[str]) -> None:
    priced = price(flat("fixed", fixed), lines, currency=currency)

    assert line_reductions(priced) == [Decimal(part) for part in reductions]


def test_reduction_is_not_allocated_to_granted_units() -> None:
    paid = [line(1, variant_id=11), line(1, variant_id=21)]
    priced = price(flat("fixed", "4.00"), paid, granted=[line(1, variant_id=11), line(5, variant_id=31)])

    assert line_reductions(priced) == [Decimal("2.00"), Decimal("2.00")]


def test_allocated_reduction_includes_the_subscription() -> None:
    priced = price(flat("fixed", "10.00"), [line(2, variant_id=11), line(1, variant_id=21)], subscription="10")

    # 30.00 - 10.00 = 20.00, minus another 2.00: a reduction of 12.00, allocated to lines of 20.00 and 10.00
    assert line_reductions(priced) == [Decimal("8.00"), Decimal("4.00")]


def test_variants_of_one_product_count_together_for_bulk_buy() -> None:
    shirt = product(1, variant(11), variant(12, price="20.00"))
    lines = [line_of(shirt, 11), line_of(shirt, 12)]

    priced = price(tiered("fixed", tier("bulk_buy", "gte", "2", "3.00")), lines)

    assert line_reductions(priced) == [Decimal("1.00"), Decimal("2.00")]


SUBSCRIPTIONS = st.none() | percentages


@PROPERTY
@given(data=st.data(), currency=currencies, discount=discounts, subscription=SUBSCRIPTIONS)
def test_price_is_between_zero_and_the_original(
    data: st.DataObject, currency: str, discount: Discount | None, subscription: Decimal | None
) -> None:
    lines, granted = data.draw(selections(currency)), data.draw(st.just([]) | selections(currency))
    outcome = Outcome(tuple(lines), tuple(granted))

    answer = price_selection(bundle(discount=discount), outcome, currency, subscription).pricing

    assert answer.original == total_amount([*lines, *granted])
    assert 0 <= answer.discounted <= total_amount(lines) <= answer.original
    assert answer.discounted == round_amount(answer.discounted, currency)


@PROPERTY
@given(data=st.data(), currency=currencies, discount=discounts)
def test_discount_is_named_only_if_it_takes_something_off(
    data: st.DataObject, currency: str, discount: Discount | None
) -> None:
    answer = price(discount, data.draw(selections(currency)), currency=currency).pricing

    assert (answer.discount_type == "none") is (answer.discounted == answer.original)
    assert answer.discount_type != "none" or answer.discount_value == 0
    assert answer.discount_type != "percentage" or 0 < answer.discount_value <= 100


@PROPERTY
@given(data=st.data(), currency=currencies, discount=discounts, subscription=SUBSCRIPTIONS)
def test_the_reductions_of_lines_add_up(
    data: st.DataObject, currency: str, discount: Discount | None, subscription: Decimal | None
) -> None:
    lines = data.draw(selections(currency))
    priced = price_selection(bundle(discount=discount), Outcome(tuple(lines)), currency, subscription)

    parts = line_reductions(priced)

    assert sum(parts) == priced.reduction == priced.pricing.original - priced.pricing.discounted
    assert all(0 <= part <= one.amount for part, one in zip(parts, lines, strict=True))


@PROPERTY
@given(
    data=st.data(),
    currency=currencies,
    discount=discounts,
    subscription=SUBSCRIPTIONS,
    order=st.randoms(use_true_random=False),
)
def test_order_of_items_does_not_change_the_price(
    data: st.DataObject, currency: str, discount: Discount | None, subscription: Decimal | None, order: Random
) -> None:
    lines = data.draw(selections(currency))
    shuffled = order.sample(lines, len(lines))

    def priced(these: Sequence[Line]) -> tuple[Pricing, dict[tuple[int, int], Decimal]]:
        answer = price_selection(bundle(discount=discount), Outcome(tuple(these)), currency, subscription)
        parts = zip(answer.paid, line_reductions(answer), strict=True)
        return answer.pricing, {(one.variant.id, one.section_id): part for one, part in parts}

    assert priced(lines) == priced(shuffled)


@PROPERTY
@given(data=st.data(), currency=currencies, pair=st.tuples(percentages, percentages), subscription=SUBSCRIPTIONS)
def test_higher_percentage_never_costs_more(
    data: st.DataObject, currency: str, pair: tuple[Decimal, Decimal], subscription: Decimal | None
) -> None:
    lines = data.draw(selections(currency))

    def paid(percentage: Decimal) -> Decimal:
        discount = flat("percentage", str(percentage))
        outcome = Outcome(tuple(lines))
        return price_selection(bundle(discount=discount), outcome, currency, subscription).pricing.discounted

    assert paid(max(pair)) <= paid(min(pair))


@PROPERTY
@given(data=st.data(), currency=currencies, discount=discounts, pair=st.tuples(percentages, percentages))
def test_better_subscription_never_costs_more(
    data: st.DataObject, currency: str, discount: Discount | None, pair: tuple[Decimal, Decimal]
) -> None:
    outcome = Outcome(tuple(data.draw(selections(currency))))

    def paid(percentage: Decimal) -> Decimal:
        return price_selection(bundle(discount=discount), outcome, currency, percentage).pricing.discounted

    assert paid(max(pair)) <= paid(min(pair))


@pytest.mark.parametrize(
    ("percentage", "original", "discounted"),
    [("0", "20.00", "18.00"), ("5", "21.00", "18.90"), ("-100", "0.00", "0.00")],
)
def test_adjusted_prices_and_their_reduction_agree(percentage: str, original: str, discounted: str) -> None:
    priced = price_selection(bundle(discount=flat("percentage", "10.00")), Outcome((line(2),)), EUR)
    found = adjusted(priced, Decimal(percentage), EUR)
    assert (found.pricing.original, found.pricing.discounted) == (Decimal(original), Decimal(discounted))
    assert found.amount - found.reduction == found.pricing.discounted
    assert (found.pricing.discount_type, found.pricing.discount_value) == ("percentage", Decimal("10.00"))
