"""Renders the result of an A/B test as plain data, for the management API and the CLI."""

from typing import Any

from bundlesvc.domain.experiments.results import ArmResult, Comparison, Result
from bundlesvc.domain.experiments.sample_ratio import LIMIT
from bundlesvc.domain.money import from_presentment_units

Json = dict[str, Any]

DIGITS = 6
"""Significant digits of estimated values."""


def result_body(result: Result) -> Json:
    """Render a result. If the result is withheld, the body contains the reason."""
    return {
        "id": result.experiment_id,
        "confidence": result.confidence,
        "arms": [_arm(arm) for arm in result.arms],
        "comparisons": [_comparison(comparison) for comparison in result.comparisons],
        "mismatchProbability": _rounded(result.mismatch_probability),
        "withheld": result.withheld,
        "message": None if result.withheld is None else _reason(result),
    }


def _reason(result: Result) -> str:
    visitors = [arm.figures.visitors for arm in result.arms]
    everyone = sum(visitors)
    found = ", ".join(f"arm {arm.arm} has {arm.figures.visitors:,} visitors" for arm in result.arms)
    expected = ", ".join(f"{everyone * arm.expected_share:,.0f}" for arm in result.arms)
    return (
        f"The result is withheld: {found}, where the weights predict {expected}. By chance alone, that happens in fewer than one "
        f"of {round(1 / LIMIT):,} tests, so visitors of an arm are missing or the weights have changed. Find out why, and begin "
        "a new test under another id."
    )


def _arm(arm: ArmResult) -> Json:
    figures = arm.figures
    return {
        "arm": arm.arm,
        "bundleId": arm.bundle_id,
        "expectedShare": _rounded(arm.expected_share),
        "visitors": figures.visitors,
        "orders": figures.orders,
        "revenue": [
            {"currency": currency, "total": f"{from_presentment_units(units, currency):f}"}
            for currency, units in (figures.sums or {}).items()
        ],
        "revenuePerVisitor": _rounded(arm.per_visitor),
    }


def _comparison(comparison: Comparison) -> Json:
    interval = comparison.interval
    return {
        "arm": comparison.arm,
        "against": 0,
        "verdict": comparison.verdict,
        "difference": None if interval is None else _rounded(interval.difference),
        "lower": None if interval is None else _rounded(interval.lower),
        "upper": None if interval is None else _rounded(interval.upper),
        "relative": _rounded(comparison.relative),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")
