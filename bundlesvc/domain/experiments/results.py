"""The result of an A/B test: how much the visitors of each arm spent, and how the other arms compare with the first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.domain.bundle import Experiment
from bundlesvc.domain.experiments.confidence import ALPHA, Interval, Sample, difference
from bundlesvc.domain.experiments.sample_ratio import LIMIT, mismatch_probability

MIN_ORDERS = 10
"""The minimum number of orders in each arm for a comparison. With fewer orders, the spread of what visitors spend is unknown."""

MISMATCH = "sample_ratio_mismatch"


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """The stored figures of an arm: its visitors, the orders that they placed after seeing it, the sums of these orders by
    currency in minor units, and the total spent by each visitor with an order, in shop currency."""

    visitors: int = 0
    orders: int = 0
    sums: Mapping[str, int] | None = None
    spent: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class ArmResult:
    """An arm: its index from 0, its bundle, the share of visitors that it should get according to its weight, and its figures.
    `per_visitor` is the revenue per visitor in shop currency; it is None without visitors, and while the result is withheld."""

    arm: int
    bundle_id: int
    expected_share: float
    figures: ArmFigures
    per_visitor: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of an arm with the first arm, by revenue per visitor. `interval` is None while there are too few orders;
    `relative` is the difference divided by the first arm's revenue per visitor."""

    arm: int
    interval: Interval | None
    relative: float | None

    @property
    def verdict(self) -> str:
        """The verdict on the arm compared with the first arm: `better`, `worse`, `undecided`, or `too_few_orders`."""
        if self.interval is None:
            return "too_few_orders"
        if not self.interval.excludes_zero:
            return "undecided"
        return "better" if self.interval.lower > 0 else "worse"


VERDICTS = ("better", "worse", "undecided", "too_few_orders")


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an A/B test. When it is withheld, `withheld` is the reason and there are no comparisons.
    `mismatch_probability` is None when there are too few visitors to compute it."""

    experiment_id: str
    confidence: float
    arms: tuple[ArmResult, ...]
    comparisons: tuple[Comparison, ...]
    mismatch_probability: float | None
    withheld: str | None


def evaluate(experiment: Experiment, found: Mapping[int, ArmFigures]) -> Result:
    """Evaluate the figures of all arms. The proportion of experiments with any wrong comparison is at most `ALPHA`."""
    weights = [float(arm.weight) for arm in experiment.arms]
    figures = [found.get(arm, ArmFigures()) for arm in range(len(weights))]
    probability = mismatch_probability([each.visitors for each in figures], weights)
    withheld = MISMATCH if probability is not None and probability < LIMIT else None
    arms = tuple(
        ArmResult(
            number,
            arm.bundle_id,
            weights[number] / sum(weights),
            figures[number],
            None if withheld else _per_visitor(figures[number]),
        )
        for number, arm in enumerate(experiment.arms)
    )
    comparisons = () if withheld else tuple(_comparisons(figures))
    return Result(experiment.id, 1 - ALPHA, arms, comparisons, probability, withheld)


def _comparisons(figures: Sequence[ArmFigures]) -> list[Comparison]:
    control, *treatments = figures
    alpha = ALPHA / max(len(treatments), 1)
    return [_comparison(number, control, each, alpha) for number, each in enumerate(treatments, start=1)]


def _comparison(number: int, control: ArmFigures, treatment: ArmFigures, alpha: float) -> Comparison:
    if min(control.orders, treatment.orders) < MIN_ORDERS:
        return Comparison(number, None, None)
    first = _sample(control)
    interval = difference(first, _sample(treatment), alpha)
    return Comparison(number, interval, interval.difference / first.mean if first.mean else None)


def _sample(figures: ArmFigures) -> Sample:
    """Return the sample of the amounts spent per visitor, which are zero for visitors without an order."""
    return Sample(figures.visitors, sum(figures.spent), sum(value * value for value in figures.spent))


def _per_visitor(figures: ArmFigures) -> float | None:
    return sum(figures.spent) / figures.visitors if figures.visitors else None
