"""A lock that several processes share, such as the workers of one test run."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until no other process is inside this context with the same file, then enter it. The file is created if it is
    missing."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # released when the file is closed, even if the process is killed
        yield
