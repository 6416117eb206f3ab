"""Runs the commerce engine as a process. The engine is installed from its lock file and has a database of its own."""

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).with_name("engine")
TIMEOUT = 180.0
"""Seconds after which an engine that has not started counts as broken."""


@contextmanager
def running_engine(
    database: str,
    *,
    create_tables: bool = False,
    folder: Path = FOLDER,
    settings: Mapping[str, str] = {},
    log: Callable[[str], object] = str,
) -> Iterator[str]:
    """Run an engine on a database, and yield its address. With `create_tables`, the engine first creates the tables. `folder`
    contains its `serve.mjs`, `settings` are added to its environment, and `log` receives each line that it logs after it has
    started."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": database,
        "CREATE_TABLES": "1" if create_tables else "0",
        "VENDURE_DISABLE_TELEMETRY": "1",
        # startup creates a lot of garbage in a short time
        "NODE_OPTIONS": "--max-old-space-size=512 --max-semi-space-size=64",
        **settings,
    }
    process = subprocess.Popen(
        ["node", "serve.mjs"],
        cwd=folder,
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
        reading = threading.Thread(target=_read, args=[process, log])
        reading.start()
        yield f"http://127.0.0.1:{port}"
        process.kill()
        reading.join()
    finally:
        overdue.cancel()
        process.kill()
        process.communicate()


def _read(process: "subprocess.Popen[str]", log: Callable[[str], object]) -> None:
    """Read what the engine logs, so that the engine never blocks on a full pipe."""
    assert process.stdout is not None
    for line in process.stdout:
        log(line)


def _port(process: "subprocess.Popen[str]") -> int:
    """Read the port that the engine prints. If the engine fails to start, its output so far is included in the error."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        if line.startswith('{"port"'):
            return int(json.loads(line)["port"])
        said.append(line)
    raise AssertionError(f"the engine did not start: {''.join(said)}")
