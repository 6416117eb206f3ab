"""npm packages that cannot be installed: the error is reported in a single sentence."""

import os
from pathlib import Path

import pytest

from tests.packages import npm
from tests.packages.npm import PackagesUnavailable, install_packages

pytestmark = pytest.mark.process


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder at the front of the PATH, for programs that shadow the installed ones."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def write_program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_an_old_node_is_named(programs: Path) -> None:
    write_program(programs / "node", "echo v18.20.4")
    sentence = "^Node 18.20 is too old for the npm packages of the tests: install 20.19 or newer$"
    with pytest.raises(PackagesUnavailable, match=sentence):
        install_packages(programs)


def test_an_installation_that_takes_too_long_is_named(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm, "TIMEOUT", 0.1)
    write_program(programs / "node", "echo v22.12.0")
    write_program(programs / "npm", "exec sleep 600")
    with pytest.raises(PackagesUnavailable, match=r"not installed within 0\.1 seconds: the registry"):
        install_packages(programs)
