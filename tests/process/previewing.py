"""Runs `bundlesvc preview` in a separate process."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.process.serving import Output, started

_ADDRESS = re.compile(r"((http://127\.0\.0\.1:(\d+))/studio#secret=([\w-]+))\n")


class PreviewProcess:
    """A running `bundlesvc preview`."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.process = process
        self.out, self.err = Output(process.stdout), Output(process.stderr)
        found = self.out.wait_for(_ADDRESS)
        assert found, self.out.text + self.err.text
        self.address, self.origin, self.port, self.secret = found[1], found[2], int(found[3]), found[4]


@contextmanager
def previewing(file: Path) -> Iterator[PreviewProcess]:
    """Run a preview of a file on a free port, and kill it afterwards if it is still running. The preview stores its temporary
    files in a folder next to `file`."""
    temporary = file.parent / "temporary"
    temporary.mkdir()
    settings = {"TMPDIR": str(temporary)}
    with started(file.parent, "preview", file.name, "--no-open", settings=settings) as process:
        yield PreviewProcess(process)
