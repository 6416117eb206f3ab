"""Runs a server with a watch on its event loop.

`python -m tests.load.watched FILE MODULE ARGUMENTS` runs the module. The file always contains the longest pause, in seconds,
since the value in it was last reset to zero. The watch wakes two hundred times per second, which costs hardly any processor time.
"""

import asyncio
import runpy
import struct
import sys
import time
from mmap import mmap
from pathlib import Path

import uvloop

WAKES = 0.005
"""Seconds between two measurements, which is also their precision."""

_SECONDS = struct.Struct("d")


def longest_pause(file: Path | None) -> float:
    """Return the longest pause of the server's event loop in milliseconds, and reset it to zero. Returns zero for a server that
    is not watched."""
    if file is None or not file.exists():
        return 0.0
    with file.open("r+b") as open_file:
        (seconds,) = _SECONDS.unpack(open_file.read(_SECONDS.size))
        open_file.seek(0)
        open_file.write(_SECONDS.pack(0.0))
    return float(seconds * 1000)


class _Watch:
    """Records how late a timer fires, which shows how long the event loop was blocked."""

    def __init__(self, loop: asyncio.AbstractEventLoop, file: Path) -> None:
        file.write_bytes(_SECONDS.pack(0.0))
        with file.open("r+b") as open_file:
            self._memory = mmap(open_file.fileno(), _SECONDS.size)
        self._loop = loop
        self._due = time.monotonic()
        loop.call_soon(self._look)

    def _look(self) -> None:
        late, (longest,) = time.monotonic() - self._due, _SECONDS.unpack(self._memory)
        if late > longest:
            self._memory[:] = _SECONDS.pack(late)
        self._due = time.monotonic() + WAKES
        self._loop.call_later(WAKES, self._look)


def main() -> None:
    file, module = Path(sys.argv[1]), sys.argv[2]
    new_event_loop = uvloop.new_event_loop

    def watched() -> asyncio.AbstractEventLoop:
        loop = new_event_loop()
        loop.call_soon(_Watch, loop, file)  # only once the loop runs: the time before its start is not a pause
        return loop

    uvloop.new_event_loop = watched  # type: ignore[assignment]
    sys.argv = sys.argv[2:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
