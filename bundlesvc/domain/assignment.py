"""A/B tests: choosing the arm for a visitor (docs/contract.md#ab-tests)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.bundle import Experiment

_HASHES = 2**64


@dataclass(frozen=True, slots=True)
class Assignment:
    """A visitor's assignment in an experiment: the arm (index from 0) and the arm's bundle."""

    experiment_id: str
    arm: int
    bundle_id: int


@dataclass(frozen=True, slots=True)
class Exposure:
    """An event: a visitor (identified by a UUID) has seen the bundle of one arm of an experiment."""

    experiment_id: str
    arm: int
    visitor_id: str


def assign(experiment: Experiment, visitor_id: str) -> Assignment:
    """Return the visitor's arm: the arm with the highest score, by weighted rendezvous hashing.

    A score depends only on the experiment, the arm and the visitor, so a visitor always gets the same arm. Appending an arm moves
    some visitors to the new arm, but none between the existing arms.
    """
    scores = [_score(experiment.id, arm, visitor_id, weighed.weight) for arm, weighed in enumerate(experiment.arms)]
    best = scores.index(max(scores))
    return Assignment(experiment.id, best, experiment.arms[best].bundle_id)


def assignment_of(experiments: Iterable[Experiment], bundle_id: int, visitor_id: str) -> Assignment | None:
    """Return the visitor's assignment in the first experiment that assigns the visitor to this bundle; None when no experiment
    does."""
    for experiment in experiments:
        if any(arm.bundle_id == bundle_id for arm in experiment.arms):
            assigned = assign(experiment, visitor_id)
            if assigned.bundle_id == bundle_id:
                return assigned
    return None


def _score(experiment_id: str, arm: int, visitor_id: str, weight: Decimal) -> Decimal:
    """Return the score `weight / -ln u`, where u is a number between 0 and 1 derived from the SHA-256 hash of experiment, arm and
    visitor."""
    hashed = hashlib.sha256(f"{experiment_id}:{arm}:{visitor_id}".encode()).digest()
    uniform = Decimal(2 * int.from_bytes(hashed[:8]) + 1) / (2 * _HASHES)
    return weight / -uniform.ln()
