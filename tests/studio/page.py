"""Calls functions of the studio page's modules, in Node."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.storefront.node import require_node

SCRIPT = Path(__file__).with_name("page.mjs")


def in_page(*calls: tuple[Any, ...]) -> list[Any]:
    """Call functions of the studio page's modules, and return their results. Each call is the name of a function, followed by its
    arguments."""
    run = subprocess.run(
        [require_node(), str(SCRIPT)], input=json.dumps(calls), capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr
    made: list[Any] = json.loads(run.stdout)
    return made
