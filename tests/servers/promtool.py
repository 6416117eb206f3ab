"""The Prometheus rule checker `promtool`, from the Debian package `prometheus`."""

import shutil
import subprocess

import pytest

from tests.missing import missing


@pytest.fixture(scope="session")
def promtool() -> str:
    return shutil.which("promtool") or missing("there is no promtool on the PATH: apt install prometheus")


def run_promtool(promtool: str, *arguments: str) -> str:
    """Run promtool with these arguments, require that it succeeds, and return its output."""
    done = subprocess.run(
        [promtool, *arguments], capture_output=True, text=True, check=False, timeout=300, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
