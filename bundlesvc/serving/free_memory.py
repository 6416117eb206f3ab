"""Gives freed memory back to the system.

What a cache drops is free for the process, and the C library keeps most of it: pieces in use lie between the free ones. glibc
gives the pages in between back when it is asked to; other C libraries have nothing to ask.
"""

import ctypes
from collections.abc import Callable

WORTHWHILE = 1024 * 1024
"""Bytes: less is soon used again."""


def give_back() -> None:
    """Give the free pages of the process back to the system. Takes some milliseconds: call it in a thread."""
    trim = _trim()
    if trim is not None:
        trim(0)


def _trim() -> Callable[[int], int] | None:
    """glibc's function for it; None where there is none."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
