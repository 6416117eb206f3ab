"""A/B tests: the choice of the arm that a visitor gets (docs/contract.md#ab-tests)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.bundle import Experiment

_HASHES = 2**64


@dataclass(frozen=True, slots=True)
class Assignment:
    """The arm (index from 0) that a visitor gets in an experiment, with the arm's bundle."""

    experiment_id: str
    arm: int
    bundle_id: int


@dataclass(frozen=True, slots=True)
class Exposure:
    """The event that a visitor (a UUID) sees the bundle of an experiment's arm."""

    experiment_id: str
    arm: int
    visitor_id: str


def assign(experiment: Experiment, visitor_id: str) -> Assignment:
    """Return the visitor's arm: the arm with the highest score, by weighted rendezvous hashing.

    An arm's score depends only on the experiment, the arm and the visitor. The same visitor always gets the same arm. A new arm
    at the end takes visitors from the others but does not move anyone between them.
    """
    scores = [_score(experiment.id, arm, visitor_id, weighed.weight) for arm, weighed in enumerate(experiment.arms)]
    best = scores.index(max(scores))
    return Assignment(experiment.id, best, experiment.arms[best].bundle_id)


def assignment_of(experiments: Iterable[Experiment], bundle_id: int, visitor_id: str) -> Assignment | None:
    """Return the visitor's assignment to this bundle, from the first experiment that assigns the bundle to the visitor; None
    without such an experiment."""
    for experiment in experiments:
        if any(arm.bundle_id == bundle_id for arm in experiment.arms):
            assigned = assign(experiment, visitor_id)
            if assigned.bundle_id == bundle_id:
                return assigned
    return None


def _score(experiment_id: str, arm: int, visitor_id: str, weight: Decimal) -> Decimal:
    """Return the score `weight / -ln u`, where u is a number between 0 and 1 from the SHA-256 of experiment, arm and visitor."""
    hashed = hashlib.sha256(f"{experiment_id}:{arm}:{visitor_id}".encode()).digest()
    uniform = Decimal(2 * int.from_bytes(hashed[:8]) + 1) / (2 * _HASHES)
    return weight / -uniform.ln()
