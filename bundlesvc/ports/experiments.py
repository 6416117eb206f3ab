"""The port of the visitors of A/B tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bundlesvc.domain.assignment import Exposure
from bundlesvc.domain.experiments.results import ArmFigures
from bundlesvc.domain.shop import Tenant


@dataclass(frozen=True, slots=True)
class SeenArm:
    """An exposure in a shop, with its time in seconds since 1970, UTC, and whether a test key saw it."""

    shop_id: int
    exposure: Exposure
    seen_at: int
    test: bool


class ExperimentStore(Protocol):
    """The visitors of A/B tests, and their orders. Raises StorageUnavailable."""

    async def add(self, seen: Sequence[SeenArm]) -> None:
        """Store who saw an arm. The first arm that a visitor saw in an experiment stays. Shops that are deleted are left out."""

    async def figures(self, tenant: Tenant, experiment_id: str, *, test: bool) -> Mapping[int, ArmFigures]:
        """The figures of each arm that somebody saw."""
