"""The arm of an A/B test that a visitor gets (docs/contract.md#ab-tests)."""

from decimal import Decimal
from math import sqrt
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.assignment import Assignment, assign, assignment_of
from bundlesvc.domain.bundle import Arm, Experiment

VISITORS = [str(UUID(int=number)) for number in range(4000)]


def experiment(*weights: str, id_: str = "exp-1") -> Experiment:
    return Experiment(id_, 1, tuple(Arm(index, Decimal(weight)) for index, weight in enumerate(weights, start=1)))


@pytest.mark.parametrize("weights", [("50", "50"), ("90", "10"), ("1", "2", "3"), ("0.5", "0.25", "0.25")])
def test_visitors_are_split_by_weight(weights: tuple[str, ...]) -> None:
    counts = [0] * len(weights)
    for visitor in VISITORS:
        counts[assign(experiment(*weights), visitor).arm] += 1

    whole = sum(map(Decimal, weights))
    for weight, count in zip(weights, counts, strict=True):
        share = float(Decimal(weight) / whole)
        spread = sqrt(len(VISITORS) * share * (1 - share))
        assert abs(count - len(VISITORS) * share) < 4 * spread


def test_visitor_always_gets_the_same_arm() -> None:
    assert assign(experiment("50", "50"), VISITORS[7]) == assign(experiment("50", "50"), VISITORS[7])


@given(visitor=st.uuids(), weights=st.lists(st.integers(1, 100), min_size=1, max_size=5), added=st.integers(1, 100))
def test_new_arm_moves_no_visitor_between_old_arms(visitor: UUID, weights: list[int], added: int) -> None:
    before = assign(experiment(*map(str, weights)), str(visitor))
    after = assign(experiment(*map(str, weights), str(added)), str(visitor))

    assert after.arm in (before.arm, len(weights))


def test_experiments_split_visitors_independently() -> None:
    arms = [assign(experiment("1", "1", id_=name), visitor).arm for visitor in VISITORS[:400] for name in ("a", "b")]
    both = sum(first == second for first, second in zip(arms[::2], arms[1::2], strict=True))

    assert 140 < both < 260


def test_assignment_exists_only_for_the_visitors_arm() -> None:
    of = experiment("50", "50")
    assigned = assign(of, VISITORS[0])
    other = 3 - assigned.bundle_id

    assert assignment_of([of], assigned.bundle_id, VISITORS[0]) == Assignment("exp-1", assigned.arm, assigned.bundle_id)
    assert assignment_of([of], other, VISITORS[0]) is None
    assert assignment_of([of], 99, VISITORS[0]) is None
