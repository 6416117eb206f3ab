"""Simulates A/B tests to check that confidence sequences are valid for all looks at a test simultaneously. The guide's figures
come from this simulation."""

import math
import re
from pathlib import Path
from statistics import median

import pytest

import bundlesvc
from bundlesvc.domain.experiments.confidence import ALPHA, TUNED_FOR, Sample, difference, stretch
from tests.domain.experiments.simulation import visitors_to_find, withheld, without_difference

GUIDE = (Path(bundlesvc.__file__).parent / "guides" / "experiments.md").read_text()


def guide_figure(row: str) -> list[float]:
    """The numbers in the row of a table in docs/experiments.md that begins with `row`."""
    [cells] = re.findall(rf"^\| {re.escape(row)} \|(.*)\|$", GUIDE, re.MULTILINE)
    return [float(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,.]*", cells)]


def test_without_a_difference_few_tests_claim_one() -> None:
    """When there is no difference, few A/B tests claim one, even when checked daily: the confidence sequence is rarely wrong,
    whereas a daily z-test often is."""
    sequence, z_test = without_difference(2000)

    assert sequence <= ALPHA
    assert 0.25 < z_test < 0.4
    assert guide_figure("claims a difference in 60 days") == [round(sequence * 100, 1), round(z_test * 100, 1)]


def test_difference_of_a_tenth_is_found() -> None:
    found = visitors_to_find(100)

    assert found[94] < math.inf
    assert guide_figure("finds a tenth more revenue") == [median(found), found[94]]


def test_sound_tests_are_rarely_withheld() -> None:
    share = withheld(2000)

    assert share < 0.02
    assert f"{share:.1%}" in GUIDE


def test_sample_has_mean_and_variance() -> None:
    values = [0.0, 0.0, 10.0, 30.0]
    sample = Sample(4, sum(values), sum(value * value for value in values))

    assert (sample.mean, sample.variance) == (10.0, 200.0)


def test_interval_is_symmetric_around_the_difference() -> None:
    control, treatment = Sample(1000, 2000.0, 90_000.0), Sample(1000, 2600.0, 120_000.0)

    found = difference(control, treatment)
    mirrored = difference(treatment, control)

    assert found.difference == pytest.approx(0.6)
    assert found.upper - found.difference == pytest.approx(found.difference - found.lower)
    assert (mirrored.lower, mirrored.upper) == pytest.approx((-found.upper, -found.lower))
    assert not found.excludes_zero


def test_wider_than_a_single_look_and_narrowest_where_it_is_tuned() -> None:
    stretches = {visitors: stretch(visitors, ALPHA) for visitors in (200, TUNED_FOR // 10, TUNED_FOR, 10 * TUNED_FOR)}

    assert min(stretches, key=stretches.__getitem__) == TUNED_FOR
    assert all(each > 2.5 for each in stretches.values())
    assert stretch(TUNED_FOR, ALPHA / 2) > stretch(TUNED_FOR, ALPHA)
