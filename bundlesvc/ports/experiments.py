"""The port that stores which visitors took part in A/B tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bundlesvc.domain.assignment import Exposure
from bundlesvc.domain.experiments.results import ArmFigures
from bundlesvc.domain.shop import Tenant


@dataclass(frozen=True, slots=True)
class SeenArm:
    """An exposure in a shop, with its time in seconds since 1970 (UTC). `test` is set when it was reported with a test key."""

    shop_id: int
    exposure: Exposure
    seen_at: int
    test: bool


class ExperimentStore(Protocol):
    """Stores the visitors of A/B tests and their orders. Raises StorageUnavailable."""

    async def add(self, seen: Sequence[SeenArm]) -> None:
        """Store which visitors saw which arm. A visitor keeps the first arm seen in an experiment. Skips shops that were
        deleted."""

    async def figures(self, tenant: Tenant, experiment_id: str, *, test: bool) -> Mapping[int, ArmFigures]:
        """Return the figures of each arm that at least one visitor saw."""
