"""The sample ratio check matches tables of the chi-square distribution, and rarely reports a mismatch where there is none."""

import math
from itertools import pairwise
from random import Random

import pytest

from bundlesvc.domain.experiments.sample_ratio import LIMIT, chi_square_tail, mismatch_probability


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 10.828), (2, 13.816), (3, 16.266), (4, 18.467), (5, 20.515), (9, 27.877)]
)
def test_critical_values_of_tables(freedom: int, value: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(0.001, rel=0.001)


@pytest.mark.parametrize("freedom", range(1, 12))
def test_tail_falls_from_one_and_has_the_right_mean(freedom: int) -> None:
    """The tail of the distribution falls from 1, and its integral is the mean, as for every random variable that is never
    negative."""
    tails = [chi_square_tail(step / 50, freedom) for step in range(5000)]
    assert tails[0] == 1
    assert all(later <= earlier for earlier, later in pairwise(tails))
    assert sum(tails) / 50 == pytest.approx(freedom, abs=0.02)


def test_even_distribution_is_no_mismatch() -> None:
    assert mismatch_probability([500, 500], [1, 1]) == 1
    assert mismatch_probability([500, 1000, 1500], [1, 2, 3]) == 1


def test_missing_visitors_are_a_mismatch() -> None:
    found = mismatch_probability([5000, 4600], [1, 1])
    assert found is not None
    assert found == pytest.approx(math.erfc(400 / math.sqrt(9600) / math.sqrt(2)))
    assert found < LIMIT


@pytest.mark.parametrize(
    ("visitors", "weights"), [([0, 0], [1, 1]), ([4, 4], [1, 1]), ([90, 1], [99, 1]), ([100], [1])]
)
def test_too_few_visitors_say_nothing(visitors: list[int], weights: list[float]) -> None:
    assert mismatch_probability(visitors, weights) is None


def test_right_distribution_is_rarely_called_a_mismatch() -> None:
    random = Random(1)
    rounds, called = 3000, 0
    for _ in range(rounds):
        visitors = [0, 0, 0]
        for arm in random.choices((0, 1, 2), (50, 30, 20), k=300):
            visitors[arm] += 1
        called += (mismatch_probability(visitors, [50, 30, 20]) or 0) < 0.05
    assert called / rounds == pytest.approx(0.05, abs=0.015)
