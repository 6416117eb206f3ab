"""Computes the results of a shop's A/B tests (docs/experiments.md)."""

from collections.abc import Sequence

from bundlesvc.domain.errors import NotFound
from bundlesvc.domain.experiments.results import Result, evaluate
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import ShopStore
from bundlesvc.ports.experiments import ExperimentStore


class ExperimentResults:
    """Evaluates A/B tests."""

    def __init__(self, store: ExperimentStore, shops: ShopStore) -> None:
        self._store = store
        self._shops = shops

    async def ids(self, tenant: Tenant) -> Sequence[str]:
        """Return the ids of a shop's A/B tests."""
        return [experiment.id for experiment in await self._shops.experiments(tenant)]

    async def result(self, tenant: Tenant, experiment_id: str, *, test: bool = False) -> Result:
        """Compute the result of an A/B test. Raises NotFound, and what `ExperimentStore` raises."""
        experiments = await self._shops.experiments(tenant)
        experiment = next((each for each in experiments if each.id == experiment_id), None)
        if experiment is None:
            raise NotFound
        return evaluate(experiment, await self._store.figures(tenant, experiment_id, test=test))
