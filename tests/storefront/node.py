"""Runs the client's JavaScript in Node, for tests."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from tests.missing import missing

HERE = Path(__file__).parent

RunScript: TypeAlias = Callable[[str, Any], Any]
"""A function that takes the name of a script in this folder and a case, runs the script on the case, and returns the result."""

OLDEST = 18
"""The oldest version of Node with `node:test`."""


def require_node() -> str:
    """Return the path to the Node executable. If Node is missing, skip the test, or fail it if `CI` is set."""
    path = shutil.which("node")
    version = node_version(path) if path else (0, 0)
    if path is None or version[0] < OLDEST:
        found = f"node {version[0]} is too old" if path else "there is no node on the PATH"
        missing(f"{found}: tests of the client module need Node {OLDEST} or newer")
    return path


@cache
def node_version(path: str) -> tuple[int, int]:
    output = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    found = re.match(r"v(\d+)\.(\d+)", output)
    return (int(found[1]), int(found[2])) if found else (0, 0)


@contextmanager
def running_scripts(node: str) -> Iterator[RunScript]:
    """Yield a function that runs scripts. A script reads each case as a line of JSON, and writes its result in the same form.
    Each script runs in a single process, which is started on first use."""
    with ExitStack() as running:
        processes: dict[str, subprocess.Popen[str]] = {}

        def run(script: str, case: Any) -> Any:
            if script not in processes:
                command = [node, str(HERE / script)]
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                processes[script] = running.enter_context(process)
            return _ask(processes[script], case)

        yield run


def _ask(process: subprocess.Popen[str], case: Any) -> Any:
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(case) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())
