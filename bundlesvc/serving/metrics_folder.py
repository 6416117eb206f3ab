"""Creates the temporary folder in which the workers of one `serve` process share their metrics, and removes the folders left
behind by services that were killed."""

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = "bundlesvc-metrics-"


class MetricsFolder:
    """A new temporary folder. It stays locked while the process that created it, or any of its workers, is alive. Creating an
    instance first removes unlocked folders. Raises OSError."""

    def __init__(self) -> None:
        _remove_abandoned()
        self.path, self._lock = _made()  # the workers inherit the descriptor of the lock

    def remove(self) -> None:
        """Remove the folder and its files."""
        shutil.rmtree(self.path, ignore_errors=True)


def _remove_abandoned() -> None:
    """Remove the folders of services that were killed. Folders of other users cannot be opened or removed, so they remain."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            descriptor = _locked(folder)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(descriptor)


def _made() -> tuple[Path, int]:
    """Create a folder and lock it. If another service that is starting removes the folder before it is locked, create a new
    one."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        with suppress(BlockingIOError, FileNotFoundError):
            descriptor = _locked(folder)
            if folder.exists():
                return folder, descriptor
            os.close(descriptor)


def _locked(folder: Path) -> int:
    """Lock a folder, and return a descriptor that holds the lock. Raises OSError, including when another process holds the
    lock."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
