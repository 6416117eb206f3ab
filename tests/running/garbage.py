"""Control over the garbage collector, and detection of objects that are freed only by it."""

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


def collect_once() -> None:
    """Collect garbage, and exempt the remaining objects from later collections, which they would slow down."""
    gc.collect()
    gc.freeze()


@contextmanager
def left_to_collector(*classes: type) -> Iterator[Counter[str]]:
    """Count, by class, the objects of these classes that are created inside this context and freed only by the garbage collector.
    The counts are complete when the context ends."""
    found: Counter[str] = Counter()
    enabled = gc.isenabled()
    collect_once()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.update(type(each).__name__ for each in gc.garbage if isinstance(each, classes))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        if enabled:
            gc.enable()
