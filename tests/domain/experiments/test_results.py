"""The result of an A/B test: values per visitor, their comparison with the first arm, and reasons to withhold the result."""

from decimal import Decimal

import pytest

from bundlesvc.domain.bundle import Arm, Experiment
from bundlesvc.domain.experiments.results import MIN_ORDERS, ArmFigures, evaluate


def experiment(*weights: int) -> Experiment:
    return Experiment("summer", 20, tuple(Arm(20 + arm, Decimal(weight)) for arm, weight in enumerate(weights)))


def figures(visitors: int, orders: int, each: float = 50.0) -> ArmFigures:
    return ArmFigures(visitors, orders, {"EUR": round(orders * each * 100)}, [each] * orders)


def test_better_arm_is_found() -> None:
    found = evaluate(experiment(1, 1), {0: figures(20_000, 800), 1: figures(20_000, 1200)})

    [comparison] = found.comparisons
    assert comparison.verdict == "better"
    assert comparison.relative == pytest.approx(0.5)
    assert [arm.per_visitor for arm in found.arms] == [2.0, 3.0]
    assert (found.withheld, found.mismatch_probability) == (None, 1.0)


def test_worse_arm_is_found() -> None:
    found = evaluate(experiment(1, 1), {0: figures(20_000, 1200), 1: figures(20_000, 800)})

    assert found.comparisons[0].verdict == "worse"


def test_small_difference_is_undecided() -> None:
    found = evaluate(experiment(1, 1), {0: figures(2000, 80), 1: figures(2000, 85)})

    assert found.comparisons[0].verdict == "undecided"


def test_few_orders_say_nothing() -> None:
    found = evaluate(experiment(1, 1), {0: figures(2000, MIN_ORDERS - 1), 1: figures(2000, 400)})

    assert (found.comparisons[0].verdict, found.comparisons[0].interval) == ("too_few_orders", None)


def test_mismatch_withholds_the_result() -> None:
    found = evaluate(experiment(1, 1), {0: figures(20_000, 800), 1: figures(18_000, 1200)})

    assert found.withheld == "sample_ratio_mismatch"
    assert found.comparisons == ()
    assert [arm.per_visitor for arm in found.arms] == [None, None]
    assert [arm.figures.visitors for arm in found.arms] == [20_000, 18_000]


def test_weights_are_the_expected_shares() -> None:
    found = evaluate(experiment(9, 1), {0: figures(9000, 90), 1: figures(1000, 10)})

    assert [arm.expected_share for arm in found.arms] == [0.9, 0.1]
    assert found.withheld is None


def test_several_arms_share_the_error() -> None:
    """Several arms share the error rate, so with more arms, each interval is wider."""
    arms = {number: figures(5000, 250) for number in range(4)}
    two = evaluate(experiment(1, 1), {number: arms[number] for number in range(2)})
    four = evaluate(experiment(1, 1, 1, 1), arms)

    assert len(four.comparisons) == 3
    widths = [
        each.interval.upper - each.interval.lower for each in (two.comparisons[0], four.comparisons[0]) if each.interval
    ]
    assert widths[1] > widths[0] * 1.05


def test_new_experiment_has_no_result_yet() -> None:
    found = evaluate(experiment(1, 1), {})

    assert (found.mismatch_probability, found.withheld, found.comparisons[0].verdict) == (None, None, "too_few_orders")
    assert [arm.per_visitor for arm in found.arms] == [None, None]


def test_control_without_revenue_has_no_relative_difference() -> None:
    found = evaluate(experiment(1, 1), {0: figures(900, 20, 0.0), 1: figures(900, 20)})

    assert found.comparisons[0].relative is None
