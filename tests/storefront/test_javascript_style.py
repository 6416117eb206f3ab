"""All JavaScript is formatted, and the linter finds no problem (`.biome.jsonc`)."""

import subprocess
from pathlib import Path

import pytest

from tests.packages.npm import require_packages

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]


def test_javascript_is_formatted_and_has_no_findings() -> None:
    biome = require_packages() / ".bin" / "biome"
    command = [str(biome), "check", "--error-on-warnings", "--max-diagnostics=20", "--colors=off", "."]

    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)

    assert run.returncode == 0, f"{run.stdout}{run.stderr}\nFix what can be fixed with: {biome} check --write ."
