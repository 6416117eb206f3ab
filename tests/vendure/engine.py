"""The commerce engine as a process: installed from its lock file, with a database of its own."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).with_name("engine")
TIMEOUT = 180.0
"""Seconds after which an engine that has not started counts as broken."""


@contextmanager
def running_engine(database: str, *, create_tables: bool = False) -> Iterator[str]:
    """The address of an engine over a database, which it fills with tables first if it has none."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": database,
        "CREATE_TABLES": "1" if create_tables else "0",
        "VENDURE_DISABLE_TELEMETRY": "1",
        "NODE_OPTIONS": "--max-old-space-size=512",
    }
    process = subprocess.Popen(
        ["node", "serve.mjs"],
        cwd=FOLDER,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    overdue = threading.Timer(TIMEOUT, process.kill)
    overdue.start()
    try:
        port = _port(process)
        overdue.cancel()
        reading = threading.Thread(target=_discard, args=[process])
        reading.start()
        yield f"http://127.0.0.1:{port}"
        process.kill()
        reading.join()
    finally:
        overdue.cancel()
        process.kill()
        process.communicate()


def _discard(process: "subprocess.Popen[str]") -> None:
    """Read what the engine logs, so that it never waits for a reader."""
    assert process.stdout is not None
    for _ in process.stdout:
        pass


def _port(process: "subprocess.Popen[str]") -> int:
    """The port that it prints; what it says before that explains a failure."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        if line.startswith('{"port"'):
            return int(json.loads(line)["port"])
        said.append(line)
    raise AssertionError(f"the engine did not start: {''.join(said)}")
