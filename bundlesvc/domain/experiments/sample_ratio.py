"""The check for a sample ratio mismatch: Pearson's chi-square test of whether visitors are split among the arms in proportion to
the weights.

A mismatch means that one arm has lost visitors, such as those whose page failed to load. The arms then differ in more than the
bundle, and no comparison between them can be trusted.
"""

import math
from collections.abc import Sequence

LIMIT = 0.001
"""The probability below which a split counts as a mismatch."""

LEAST_EXPECTED = 5.0
"""The minimum number of expected visitors per arm for which the test is valid."""


def mismatch_probability(visitors: Sequence[int], weights: Sequence[float]) -> float | None:
    """Return the probability that chance alone makes a split deviate from the weights at least as much as `visitors` does.
    Returns None when there are too few visitors to compute it."""
    everyone, whole = sum(visitors), sum(weights)
    expected = [everyone * weight / whole for weight in weights]
    if len(expected) < 2 or min(expected) < LEAST_EXPECTED:  # noqa: PLR2004 - with one arm, there is nothing to compare
        return None
    distance = sum((found - mean) ** 2 / mean for found, mean in zip(visitors, expected, strict=True))
    return chi_square_tail(distance, len(expected) - 1)


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that a chi-square value exceeds `value`. This is the regularised upper incomplete gamma function of
    `freedom` / 2, computed from 1 or 1/2 upwards by its recurrence (NIST Digital Library of Mathematical Functions, 8.8.6)."""
    half = value / 2
    if not half:
        return 1.0
    order, tail = (1.0, math.exp(-half)) if freedom % 2 == 0 else (0.5, math.erfc(math.sqrt(half)))
    while order < freedom / 2:
        tail += math.exp(order * math.log(half) - half - math.lgamma(order + 1))
        order += 1
    return min(tail, 1.0)
