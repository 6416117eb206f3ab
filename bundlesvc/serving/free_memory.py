"""Gives freed memory back to the system.

What a cache drops is free for the process, and the C library keeps most of it: pieces in use lie between the free ones. glibc
gives the pages in between back when it is asked to; other C libraries have nothing to ask.
"""

import ctypes
from typing import Any

WORTHWHILE = 1024 * 1024
"""Bytes: less is soon used again."""

LARGE = 4 * 1024 * 1024
"""Bytes. The compressor's own memory, which every new response needs, is smaller and stays in the process."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
"""The numbers of glibc's parameters (its malloc.h)."""


def give_back() -> None:
    """Give the free pages of the process back to the system. Takes some milliseconds: call it in a thread."""
    trim = _of_c_library("malloc_trim")
    if trim is not None:
        trim(0)


def give_back_large_blocks() -> None:
    """From now on, give a block of at least `LARGE` bytes back as soon as it is free. By itself glibc raises this limit to the
    largest block that it has met, up to 32 MiB; then small pieces settle in the free blocks, and no large one fits any more."""
    set_parameter = _of_c_library("mallopt")
    if set_parameter is not None:
        set_parameter(_M_MMAP_THRESHOLD, LARGE)
        set_parameter(_M_TRIM_THRESHOLD, LARGE)


def _of_c_library(name: str) -> Any:
    """This function of glibc; None where there is none."""
    return getattr(ctypes.CDLL(None), name, None)
