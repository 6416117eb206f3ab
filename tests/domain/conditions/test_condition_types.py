"""For every selection, each quantity lies within the bounds that its row of `CONDITION_TYPES` states."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES, Quantity
from bundlesvc.domain.line import Line
from tests.domain.strategies import PROPERTY, SECTION_IDS, VARIANT_IDS, selections

QUANTITIES = [row for row in CONDITION_TYPES.values() if isinstance(row, Quantity)]


@pytest.mark.parametrize("row", QUANTITIES, ids=lambda row: row.name)
@PROPERTY
@given(
    lines=selections(),
    section=st.sampled_from([None, *SECTION_IDS]),
    variant=st.sampled_from(VARIANT_IDS),
)
def test_quantity_is_within_the_bounds_of_its_units(
    row: Quantity, lines: list[Line], section: int | None, variant: int
) -> None:
    node = {"sectionId": section, "variantId": str(variant), "productId": str(variant // 10)}
    counted = [*row.counted(node, lines)]

    least, most = (sum(adds(line) * line.count for line in counted) for adds in (row.bounds.least, row.bounds.most))
    assert least <= row.quantity(node, lines) <= most
