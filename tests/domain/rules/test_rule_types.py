"""The bounds in the table row of each rule type hold for every selection."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Discount
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.line import in_section, total_count
from bundlesvc.domain.measures import ITEMS
from bundlesvc.domain.pricing.selection_price import price_selection
from bundlesvc.domain.rules.rule_types import RULE_TYPES, RuleType
from tests.domain.builders import EUR, bundle
from tests.domain.strategies import PROPERTY, SECTION_IDS, discounts, percentages, selections


@pytest.mark.parametrize("row", RULE_TYPES.values(), ids=list(RULE_TYPES))
@PROPERTY
@given(
    data=st.data(),
    discount=discounts,
    subscription=st.none() | percentages,
    section=st.sampled_from([None, *SECTION_IDS]),
)
def test_measure_is_within_the_bounds_of_its_units(
    row: RuleType, data: st.DataObject, discount: Discount | None, subscription: Decimal | None, section: int | None
) -> None:
    lines = data.draw(selections(EUR))
    priced = price_selection(bundle(discount=discount), Outcome(tuple(lines)), EUR, subscription)
    own = in_section(lines, section)

    measured = [one.actual for one in row.measure(own, section, priced)]

    least, most = (sum(adds(line) * line.count for line in own) for adds in (row.bounds.least, row.bounds.most))
    assert all(least <= one <= most for one in measured)
    assert bool(measured) == (bool(own) or row.of_each is None)
    if row.unit == ITEMS:
        assert all(one in row.counts_of(total_count(own)) for one in measured)
