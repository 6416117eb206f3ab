"""Schedules the cyclic garbage collector, during which the process does nothing else."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NEW_SECONDS, MUCH = 0.25, 30_000
"""Seconds between two collections of new objects, and the number of new objects from which a collection is skipped. So many
belong to thousands of connections or hundreds of requests in progress: a collection would delay them and find little."""

FLOOD = 50_000
"""The number of new objects that triggers a collection immediately."""

GROWN = 500_000
"""The least growth, in memory blocks, that triggers a collection of all objects. Blocks are counted because counting objects is
slow."""

GROWN_SECONDS = 10.0
"""Seconds between two measurements of the memory."""

_NEVER = 1_000_000_000


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Turn the collector off inside the context, then leave it to `Collection`.

    Neither a start nor most requests leave cycles behind (tests/api/server/test_garbage.py); an SQL statement that is put
    together does. With Python's own settings, the collector took much of the time of a configure, and held up the event loop
    whenever thousands of connections had come and gone."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(FLOOD, _NEVER, _NEVER)
        gc.enable()


class Collection:
    """Collects new objects, and all objects when their memory has doubled, because some may be garbage."""

    def __init__(self) -> None:
        self._before = sys.getallocatedblocks()

    async def look_at_new(self) -> None:
        """Collect new objects, unless that would take too long. Objects that survive are not looked at again: they belong to
        connections and requests in progress, which are freed without the collector."""
        if len(gc.get_objects(generation=0)) < MUCH:
            gc.collect(0)
        gc.freeze()

    async def look(self) -> None:
        """Collect everything if memory has grown much since the last full collection."""
        if sys.getallocatedblocks() - self._before > max(GROWN, self._before):
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._before = sys.getallocatedblocks()
