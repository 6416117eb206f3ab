"""Simulations of A/B tests whose owner looks at the results every day. `python -m tests.domain.experiments.simulation` prints the
tables in docs/experiments.md."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from statistics import NormalDist, median

from bundlesvc.domain.experiments.confidence import Sample, difference, standard_error
from bundlesvc.domain.experiments.sample_ratio import LIMIT, mismatch_probability

DAYS = 60
ORDER_VALUE = math.log(45), 0.5
"""Mean and standard deviation of the logarithm of an order's value: half of the orders are above 45.00."""

SINGLE_LOOK = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Trial:
    """The number of visitors in both arms together after which a simulated test first claims a difference; None if it never does.

    `sequence` is the number for the confidence sequence, `z_test` the number for a daily z-test."""

    sequence: int | None
    z_test: int | None


def trial(seed: int, daily: int, conversions: tuple[float, float], days: int = DAYS) -> Trial:
    """Simulate an A/B test with `daily` visitors per day in each arm. `conversions` are the shares of visitors who order, one for
    each of the two arms."""
    random = Random(seed)
    control = treatment = Sample()
    sequence = z_test = None
    for _ in range(days):
        control = _after_a_day(random, control, conversions[0], daily)
        treatment = _after_a_day(random, treatment, conversions[1], daily)
        if not control.squares or not treatment.squares:
            continue
        visitors = control.count + treatment.count
        found = difference(control, treatment)
        if sequence is None and found.excludes_zero:
            sequence = visitors
        if z_test is None and abs(found.difference) > SINGLE_LOOK * standard_error(control, treatment):
            z_test = visitors
    return Trial(sequence, z_test)


def _after_a_day(random: Random, sample: Sample, conversion: float, daily: int) -> Sample:
    spent = [random.lognormvariate(*ORDER_VALUE) for _ in range(_buyers(random, daily, conversion))]
    squares = sum(value * value for value in spent)
    return Sample(sample.count + daily, sample.total + sum(spent), sample.squares + squares)


def _buyers(random: Random, visitors: int, conversion: float) -> int:
    """A binomially distributed number of buyers, found by drawing the gaps between them."""
    return sum(1 for _ in _places(random, visitors, conversion))


def _places(random: Random, visitors: int, conversion: float) -> Iterator[int]:
    place, scale = 0, math.log1p(-conversion)
    while (place := place + int(math.log(1 - random.random()) / scale) + 1) <= visitors:
        yield place


def without_difference(trials: int) -> tuple[float, float]:
    """The shares of simulated tests without a difference between the arms that nevertheless claim one within 60 days: with the
    confidence sequence, and with the z-test."""
    done = [trial(seed, 100, (0.05, 0.05)) for seed in range(trials)]
    return (
        sum(each.sequence is not None for each in done) / trials,
        sum(each.z_test is not None for each in done) / trials,
    )


def visitors_to_find(trials: int) -> list[float]:
    """The numbers of visitors after which a relative difference of 10% is found, in ascending order; infinity for each test that
    does not find the difference."""
    done = (trial(seed, 2000, (0.05, 0.055), 150) for seed in range(trials))
    return sorted(math.inf if each.sequence is None else each.sequence for each in done)


def withheld(tests: int) -> float:
    """The share of sound A/B tests, with 200 visitors a day, whose result the sample ratio check withholds on at least one of 60
    days."""
    random, found = Random(1), 0
    for _ in range(tests):
        first, everyone, called = 0, 0, False
        for _ in range(DAYS):
            first += random.getrandbits(200).bit_count()
            everyone += 200
            called |= (mismatch_probability([first, everyone - first], [1, 1]) or 0) < LIMIT
        found += called
    return found / tests


def main() -> None:
    sequence, z_test = without_difference(2000)
    found = visitors_to_find(100)
    print(f"no difference, 2,000 tests: {sequence:.2%} by the sequence, {z_test:.2%} by a z-test a day")  # noqa: T201
    print(f"sound visitors, 2,000 tests: {withheld(2000):.2%} are withheld on one of 60 days")  # noqa: T201
    print(f"a tenth more, 100 tests: half after {median(found):,.0f} visitors, 95 after {found[94]:,.0f}")  # noqa: T201


if __name__ == "__main__":
    main()
