"""Confidence sequences: intervals that remain valid no matter how often the results are looked at.

This is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory
and asymptotic confidence sequences" (Annals of Statistics, 2024), tuned as in their section on hyperparameters. GrowthBook uses
the same method for its sequential tests.
"""

import math
from dataclasses import dataclass

ALPHA = 0.05
"""The significance level: of all experiments without a real difference, at most this share ever shows an interval that excludes
zero."""

TUNED_FOR = 20_000
"""The number of visitors for which intervals are tuned to be as narrow as possible."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The values of `count` visitors, one per visitor: their `total`, and the sum of their `squares`."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return self.total / self.count

    @property
    def variance(self) -> float:
        """The unbiased variance of the values."""
        return max(self.squares - self.total * self.mean, 0.0) / (self.count - 1)


@dataclass(frozen=True, slots=True)
class Interval:
    """A difference, and the confidence interval around it."""

    difference: float
    lower: float
    upper: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval shows that there is a difference."""
        return self.lower > 0 or self.upper < 0


def difference(control: Sample, treatment: Sample, alpha: float = ALPHA) -> Interval:
    """Return the difference of the means, treatment minus control, with an always-valid confidence interval. Both samples need at
    least two values."""
    found = treatment.mean - control.mean
    deviation = standard_error(control, treatment)
    reach = deviation * stretch(control.count + treatment.count, alpha)
    return Interval(found, found - reach, found + reach)


def standard_error(control: Sample, treatment: Sample) -> float:
    """Return the standard error of the difference of the means."""
    return math.sqrt(control.variance / control.count + treatment.variance / treatment.count)


def stretch(visitors: int, alpha: float) -> float:
    """Return half the width of the interval for this number of visitors, in standard errors. (A single look would need 1.96, the
    97.5% quantile of the normal distribution.)"""
    scale = visitors * (math.log(1 / alpha**2) + math.log(math.log(1 / alpha**2) + 1)) / TUNED_FOR
    return math.sqrt(2 * (scale + 1) / scale * math.log(math.sqrt(scale + 1) / alpha))
