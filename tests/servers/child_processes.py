"""The child processes of a server, on Linux."""

from pathlib import Path


def child_processes(pid: int) -> list[int]:
    """Return the ids of the processes that the main thread of a process has started, in the order in which they were started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
