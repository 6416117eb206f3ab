"""When the cyclic garbage collector runs. While it does, nothing else happens, so it looks at few objects at a time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

NEW, PASSES = 2000, 10
"""The collector looks at new objects whenever there are 2,000 more, and once again at what is left after ten such passes. If it
did that sooner, the garbage of requests under way would become old."""

NEVER = 1_000_000_000

GROWN = 250_000
"""Objects, at least, after which all of them are looked at."""

LOOK_SECONDS = 30.0
"""Seconds between two looks at the number of objects."""


@contextmanager
def collected_seldom() -> Iterator[None]:
    """The cyclic collector took a tenth to a fifth of the time of a configure: it went through modules, routes and schemas,
    which stay as long as the process, after every 700 new objects. Requests leave almost no cycles behind, and a start none.

    By itself it goes through everything again when connections come and go: with 6,000 that held up the event loop for more
    than 0.1 s each time. `FullCollection` does so when it may be worth it."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(NEW, PASSES, NEVER)
        gc.enable()


class FullCollection:
    """Goes through all objects when they have doubled, because some of them may be garbage."""

    def __init__(self) -> None:
        self._before = 0

    async def look(self) -> None:
        """Collect if there are many more objects than after the last time."""
        if _objects() - self._before > max(GROWN, self._before):
            gc.collect()
            self._before = _objects()


def _objects() -> int:
    """Those that the collector has looked at twice."""
    return len(gc.get_objects(generation=2))
