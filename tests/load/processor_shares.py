"""Limits processes to a share of a processor, with control groups (cgroups(7), version 1 or 2). Needs root."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

PERIOD = 10_000
"""The period, in microseconds, in which a process may use its share. With the usual 100,000, a process would be paused for longer
at a time."""

_FIRST_VERSION, _SECOND_VERSION = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")


@contextmanager
def limited(pids: Sequence[int], share: float) -> Iterator[None]:
    """Limit each of these processes to a share of one processor, from 0 to 1. Exits the program if it lacks the permission."""
    root = _FIRST_VERSION if _FIRST_VERSION.is_dir() else _SECOND_VERSION
    groups = [root / f"bundlesvc-{pid}" for pid in pids]
    try:
        for pid, group in zip(pids, groups, strict=True):
            group.mkdir()
            for name, value in _limits(root, share).items():
                (group / name).write_text(value)
            _move(pid, group)
        yield
    except OSError as error:
        sys.exit(
            f"{error.filename}: {error.strerror}. Limiting processes needs root, and the cpu controller of cgroups."
        )
    finally:
        for pid, group in zip(pids, groups, strict=True):
            with suppress(OSError):  # the process has ended
                _move(pid, root)
            with suppress(OSError):  # the group was not created
                group.rmdir()


def _limits(root: Path, share: float) -> Mapping[str, str]:
    """Return the files that limit a control group, with their contents."""
    quota = round(share * PERIOD)
    if root == _FIRST_VERSION:
        return {"cpu.cfs_period_us": str(PERIOD), "cpu.cfs_quota_us": str(quota)}
    return {"cpu.max": f"{quota} {PERIOD}"}


def _move(pid: int, group: Path) -> None:
    (group / "cgroup.procs").write_text(str(pid))
