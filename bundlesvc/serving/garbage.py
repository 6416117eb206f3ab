"""Schedules the cyclic garbage collector, which blocks the process while it runs."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NEW_SECONDS, MUCH = 0.25, 30_000
"""Seconds between two collections of new objects, and the number of new objects at which a collection is skipped. That many
objects mean thousands of connections or hundreds of requests in progress, which a collection would delay while finding little."""

FLOOD = 50_000
"""The number of new objects that triggers a collection immediately."""

GROWN = 500_000
"""The minimum growth, in memory blocks, that triggers a collection of all objects. Blocks are counted because counting objects is
slow."""

GROWN_SECONDS = 10.0
"""Seconds between two measurements of memory use."""

_NEVER = 1_000_000_000


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Disable the collector within the context, and leave collection to `Collection` afterwards.

    Neither startup nor most requests create reference cycles (tests/api/server/test_garbage.py), but composing an SQL statement
    does. With Python's default settings, the collector takes much of the time of a configure request, and blocks the event loop
    after thousands of connections have been opened and closed."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(FLOOD, _NEVER, _NEVER)
        gc.enable()


class Collection:
    """Runs the garbage collector on new objects, and, once memory use has doubled, on all objects, because old ones may have
    become garbage."""

    def __init__(self) -> None:
        self._before = sys.getallocatedblocks()

    async def look_at_new(self) -> None:
        """Collect new objects, unless that would take too long. Only `look` examines the surviving objects again, because most of
        them belong to open connections and requests, and are freed without the collector."""
        if len(gc.get_objects(generation=0)) < MUCH:
            gc.collect(0)
        gc.freeze()

    async def look(self) -> None:
        """Run a full garbage collection if memory use has grown considerably since the last one."""
        if sys.getallocatedblocks() - self._before > max(GROWN, self._before):
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._before = sys.getallocatedblocks()
