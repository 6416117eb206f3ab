"""A/B tests: the arm that a visitor gets (docs/contract.md#ab-tests)."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.bundle import Experiment

_HASHES = 2**64


@dataclass(frozen=True, slots=True)
class Assignment:
    """The arm (index from 0) that a visitor has in an experiment, and its bundle."""

    experiment_id: str
    arm: int
    bundle_id: int


@dataclass(frozen=True, slots=True)
class Exposure:
    """A visitor (a UUID) who sees the bundle of an arm of an experiment."""

    experiment_id: str
    arm: int
    visitor_id: str


def assign(experiment: Experiment, visitor_id: str) -> Assignment:
    """The visitor's arm: the one with the highest score, by weighted rendezvous hashing.

    An arm's score depends only on the arm and the visitor. The same visitor always gets the same arm, and a new arm at the end
    takes visitors from the others but moves nobody between them.
    """
    scores = [_score(experiment.id, arm, visitor_id, weighed.weight) for arm, weighed in enumerate(experiment.arms)]
    best = scores.index(max(scores))
    return Assignment(experiment.id, best, experiment.arms[best].bundle_id)


def assignment_of(experiments: Iterable[Experiment], bundle_id: int, visitor_id: str) -> Assignment | None:
    """The assignment whose arm is this bundle, in the first experiment that has one for the visitor."""
    for experiment in experiments:
        if any(arm.bundle_id == bundle_id for arm in experiment.arms):
            assigned = assign(experiment, visitor_id)
            if assigned.bundle_id == bundle_id:
                return assigned
    return None


def _score(experiment_id: str, arm: int, visitor_id: str, weight: Decimal) -> Decimal:
    """weight / -ln u, with u between 0 and 1 from SHA-256 over experiment, arm and visitor."""
    hashed = hashlib.sha256(f"{experiment_id}:{arm}:{visitor_id}".encode()).digest()
    uniform = Decimal(2 * int.from_bytes(hashed[:8]) + 1) / (2 * _HASHES)
    return weight / -uniform.ln()
