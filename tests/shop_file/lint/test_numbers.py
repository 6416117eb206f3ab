"""Sets of whole numbers behave like Python sets."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.measures import COMPARISONS, holds
from bundlesvc.domain.selection import MAX_ITEMS
from bundlesvc.shop_file.lint.reasoning.numbers import ITEMS, UNBOUNDED, Numbers, satisfying, totals_of
from tests.domain.strategies import PROPERTY

TOP = 40
sets = st.lists(st.tuples(st.integers(0, TOP), st.integers(0, TOP)), max_size=5).map(Numbers.of)


@PROPERTY
@given(sets, sets)
def test_sets_behave_as_sets(one: Numbers, other: Numbers) -> None:
    assert set(one & other) == set(one) & set(other)
    assert set(one | other) == set(one) | set(other)
    assert set(one - other) == set(one) - set(other)
    assert (one <= other) == (set(one) <= set(other))
    assert bool(one) == bool(set(one))
    assert [number in one for number in range(TOP + 2)] == [number in set(one) for number in range(TOP + 2)]
    if one:
        assert (one.least, one.most) == (min(one), max(one))


@PROPERTY
@given(sets, sets)
def test_equal_sets_are_equal(one: Numbers, other: Numbers) -> None:
    assert (one == other) == (set(one) == set(other))


@PROPERTY
@given(st.lists(sets, max_size=4))
def test_totals_are_sums_of_one_of_each(parts: list[Numbers]) -> None:
    totals = {0}
    for part in parts:
        totals = {total + number for total in totals for number in part}
    assert set(totals_of(parts)) == {total for total in totals if total <= MAX_ITEMS}


def test_totals_stop_at_the_size_of_the_largest_selection() -> None:
    assert totals_of([Numbers.between(0, 150), Numbers.between(0, 150)]) == ITEMS
    assert not totals_of([Numbers.between(101, 150), Numbers.of([(100, 100), (120, 120)])])


@pytest.mark.parametrize("operation", COMPARISONS)
@pytest.mark.parametrize("limit", ["0", "0.5", "1", "2.999", "3", "3.00", "3.001", "41"])
def test_numbers_that_satisfy_a_comparison(operation: str, limit: str) -> None:
    numbers = satisfying(operation, Decimal(limit)) & Numbers.between(0, TOP + 1)
    assert set(numbers) == {number for number in range(TOP + 2) if holds(number, operation, Decimal(limit))}


def test_a_comparison_may_be_unbounded() -> None:
    assert UNBOUNDED in satisfying("gt", Decimal(3))
    assert UNBOUNDED not in satisfying("lt", Decimal(10) ** 24)
