"""The step, run as the platform runs it (sandbox.mjs)."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STEP = Path(__file__).parents[2] / "docs" / "cart-transform"
SCRIPT = Path(__file__).with_name("sandbox.mjs")

QUICKJS, V8 = "quickjs", "v8"
"""The engine's kind that functions run on, compiled to WebAssembly; and Node's own in an empty context, much faster."""


class Thrown(Exception):
    """What the JavaScript threw."""


class Sandbox:
    """Calls what entry.js exports, each time in a fresh sandbox."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin
        assert process.stdout
        self._calls = process.stdin
        self._answers = process.stdout

    def call(self, name: str, argument: object, engine: str = QUICKJS) -> Any:
        """What the function returns. Raises Thrown."""
        self._calls.write(json.dumps({"call": name, "argument": argument, "engine": engine}) + "\n")
        self._calls.flush()
        answer = json.loads(self._answers.readline())
        if "error" in answer:
            raise Thrown(answer["error"])
        return answer["result"]


@contextmanager
def start_sandbox(node: str) -> Iterator[Sandbox]:
    """A sandbox over one Node process."""
    command = [node, str(SCRIPT), str(STEP)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        yield Sandbox(process)


def bundled_step(node: str) -> str:
    """The step and its packages in one file, which defines `step`."""
    command = [node, str(SCRIPT), str(STEP), "--print"]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=60).stdout
