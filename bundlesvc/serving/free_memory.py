"""Returns freed memory to the operating system.

The C library keeps most of the memory that a cache frees, because blocks in use lie between the free ones. glibc can return the
free pages on request; other C libraries have no such function.
"""

import ctypes
from typing import Any

WORTHWHILE = 1024 * 1024
"""The smallest number of bytes worth returning to the system, because fewer bytes would soon be used again."""

LARGE = 4 * 1024 * 1024
"""The minimum size, in bytes, of a freed block that is returned to the system immediately. The compressor's memory, which every
new response needs, is smaller and stays in the process."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
"""The numbers of glibc's parameters (its malloc.h)."""


def give_back() -> None:
    """Return the free pages of the process to the operating system. This takes a few milliseconds, so call it in a thread."""
    trim = _of_c_library("malloc_trim")
    if trim is not None:
        trim(0)


def give_back_large_blocks() -> None:
    """Make glibc return each block of at least `LARGE` bytes to the operating system as soon as it is freed. By default, glibc
    raises this threshold to the size of the largest block freed so far; small blocks then fragment the freed memory, and large
    blocks no longer fit into it."""
    set_parameter = _of_c_library("mallopt")
    if set_parameter is not None:
        set_parameter(_M_MMAP_THRESHOLD, LARGE)
        set_parameter(_M_TRIM_THRESHOLD, LARGE)


def _of_c_library(name: str) -> Any:
    """Return the glibc function with this name, or None when the C library does not have it."""
    return getattr(ctypes.CDLL(None), name, None)
