"""What only the garbage collector frees."""

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


def collect_once() -> None:
    """Collect garbage, and exempt what is left: in a worker with a million objects, each further collection took a second."""
    gc.collect()
    gc.freeze()


@contextmanager
def left_to_collector(*classes: type) -> Iterator[Counter[str]]:
    """The objects of these classes that were made meanwhile and that only the collector frees, by class. Complete at the end."""
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
