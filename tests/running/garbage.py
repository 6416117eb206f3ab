"""Control over the garbage collector, and detection of objects that only it frees."""

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


def collect_once() -> None:
    """Collect garbage, and exempt the remaining objects, which would slow down every later collection."""
    gc.collect()
    gc.freeze()


@contextmanager
def left_to_collector(*classes: type) -> Iterator[Counter[str]]:
    """Count the objects of these classes that are created inside this context and that only the collector frees, by class. The
    counts are complete when the context ends."""
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
