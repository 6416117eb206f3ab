"""When the cyclic garbage collector runs. While it does, nothing else happens: it takes about a millisecond for 1,000 objects."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NEW_SECONDS, MUCH = 0.25, 30_000
"""Seconds between two looks at new objects. The collector goes through them unless there are too many: then thousands of
connections have come, or hundreds of requests are under way, and it would hold them up to find hardly anything."""

FLOOD = 50_000
"""With so large a number of new objects it does not wait for the next look."""

GROWN = 500_000
"""Blocks of memory, at least, after which all objects are gone through: some 40 MiB. To count the objects would take as long as
a hundred requests."""

GROWN_SECONDS = 10.0
"""Seconds between two looks at the memory."""

_NEVER = 1_000_000_000


@contextmanager
def collected_seldom() -> Iterator[None]:
    """No collection meanwhile, and afterwards as `Collection` wants it.

    Neither a start nor most requests leave cycles behind (tests/api/test_garbage.py); an SQL statement that is put together does.
    With Python's own setting the collector took up to a fifth of the time of a configure, and held up the event loop for more
    than 0.1 s whenever thousands of connections had come and gone."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(FLOOD, _NEVER, _NEVER)
        gc.enable()


class Collection:
    """Goes through new objects, and through all when their memory has doubled: some of them may be garbage."""

    def __init__(self) -> None:
        self._before = sys.getallocatedblocks()

    async def look_at_new(self) -> None:
        """Collect what is new, unless that takes too long. What is left is not looked at again: connections, and requests under
        way, which are freed without the collector."""
        if len(gc.get_objects(generation=0)) < MUCH:
            gc.collect(0)
        gc.freeze()

    async def look(self) -> None:
        """Collect everything if there is much more in memory than after the last time."""
        if sys.getallocatedblocks() - self._before > max(GROWN, self._before):
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._before = sys.getallocatedblocks()
