"""The chart in the discount editor shows the price that the service charges."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Discount
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.money import amount_text
from bundlesvc.domain.pricing.selection_price import price_selection
from tests.domain.builders import EUR, bundle, flat, line, tier, tiered
from tests.domain.strategies import amounts, currencies, discounts
from tests.running.properties import examples
from tests.studio.page import in_page

pytestmark = pytest.mark.process

Point = Mapping[str, Any]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Discount | None, Decimal, str]:
    """Draw a discount, the price of each unit, and the shop's currency."""
    currency = draw(currencies)
    return draw(discounts), draw(amounts(currency)) + 1, currency


def in_draft(discount: Discount) -> dict[str, Any]:
    written = {
        "type": discount.type,
        "value": str(discount.value),
        "flatOrTiered": discount.flat_or_tiered,
        "minimum": None if discount.minimum is None else str(discount.minimum),
        "operator": discount.operator,
        "tiers": [
            {"type": each.type, "operation": each.operation, "value": each.value, "discount": str(each.discount)}
            for each in discount.tiers
        ],
    }
    return {key: value for key, value in written.items() if value is not None}


def charted(*cases: tuple[Discount | None, Decimal, str]) -> list[list[Point]]:
    """Return the points of the chart for each case."""
    calls = (
        ("pointsOf", {"discount": in_draft(discount)} if discount else {}, str(price), currency)
        for discount, price, currency in cases
    )
    return in_page(*calls)


def charged(discount: Discount, price: Decimal, currency: str, units: int) -> Point:
    """Return, as a point of the chart, the price that the service charges for some units of one product."""
    outcome = Outcome((line(units, price=str(price)),), (), None)
    pricing = price_selection(bundle(discount=discount), outcome, currency).pricing
    return {"units": units, "full": amount_text(pricing.original), "paid": amount_text(pricing.discounted)}


@examples(10)
@given(st.lists(cases(), min_size=20, max_size=40))
def test_points_are_what_the_service_charges(drawn: Sequence[tuple[Discount | None, Decimal, str]]) -> None:
    for (discount, price, currency), points in zip(drawn, charted(*drawn), strict=True):
        count = range(1, len(points) + 1)
        assert points == [charged(discount, price, currency, units) for units in count if discount]
        assert bool(points) == bool(discount)


def test_points_go_two_beyond_the_last_tier() -> None:
    eight = tiered("percentage", tier("total_products", "gte", "8", "10"))
    amount = tiered("percentage", tier("total_price", "gte", "72.50", "10"))
    most = tiered("percentage", tier("total_products", "gte", "500", "10"))
    drawn = charted(*((each, Decimal("9.00"), EUR) for each in (flat("fixed", "1"), eight, amount, most)))
    assert [len(points) for points in drawn] == [6, 10, 11, 30]


def test_what_is_not_complete_yet_takes_nothing_off() -> None:
    half = {"type": "total_products", "operation": "gte", "value": "2", "discount": ""}
    whole = {"type": "total_products", "operation": "gte", "value": "3", "discount": "10"}
    drafts = (
        {"type": "percentage", "value": ""},
        {"type": "percentage", "value": "10", "minimum": "-"},
        {"type": "percentage", "tiers": [half, whole]},
    )
    drawn = in_page(*(("pointsOf", {"discount": each}, "10.00", EUR) for each in drafts))
    assert [[point["paid"] for point in points[:3]] for points in drawn] == [
        ["10.00", "20.00", "30.00"],
        ["9.00", "18.00", "27.00"],
        ["10.00", "20.00", "27.00"],
    ]
