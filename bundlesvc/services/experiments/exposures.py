"""Collects exposures to the arms of A/B tests in memory, and stores them once a second, off the request path."""

from collections import Counter
from itertools import islice

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.assignment import Exposure
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.ports import Clock
from bundlesvc.ports.experiments import ExperimentStore, SeenArm

MAX_WAITING = 20_000
"""The maximum number of exposures that may wait to be stored. Further exposures are dropped, but the visitor's next request
reports them again."""

MAX_KNOWN = 50_000
"""The maximum number of stored exposures that this process remembers. Storing a forgotten exposure again changes nothing."""

BATCH = 1_000

STORED, DROPPED = "stored", "dropped"
RESULTS = (STORED, DROPPED)

_Key = tuple[int, int, bool, str, str]
"""The shop and its revision, whether the request used a test key, the experiment, and the visitor."""


class ExposureLog:
    """Collects exposures to the arms of A/B tests. Call `write` once a second and at shutdown. `results` counts the exposures by
    outcome."""

    def __init__(self, store: ExperimentStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._waiting: dict[_Key, SeenArm] = {}
        self._known: set[_Key] = set()
        self.results: Counter[str] = Counter()

    def note(self, caller: Caller, exposure: Exposure) -> None:
        """Keep an exposure in memory until it is stored. Repeated exposures are ignored; new ones are dropped when too many are
        waiting to be stored."""
        tenant = caller.tenant
        key = (tenant.id, tenant.revision, caller.key.test, exposure.experiment_id, exposure.visitor_id)
        if key in self._known or key in self._waiting:
            return
        if len(self._waiting) >= MAX_WAITING:
            self.results[DROPPED] += 1
            return
        self._waiting[key] = SeenArm(tenant.id, exposure, int(self._clock.now()), caller.key.test)

    async def write(self) -> None:
        """Store the waiting exposures. Raises StorageUnavailable; exposures that are not yet stored then wait for the next
        call."""
        while self._waiting:
            batch = dict(islice(self._waiting.items(), BATCH))
            await self._store.add(list(batch.values()))
            for key in batch:
                del self._waiting[key]
            self.results[STORED] += len(batch)
            if len(self._known) + len(batch) > MAX_KNOWN:
                self._known.clear()
            self._known.update(batch)

    async def write_last(self) -> None:
        """Store the waiting exposures when the process ends. Those that cannot be stored are lost."""
        try:
            await self.write()
        except StorageUnavailable:
            self.results[DROPPED] += len(self._waiting)
