"""Runs the client module's JavaScript tests (`*.test.mjs`), and tests the conditions under which they are skipped."""

import subprocess
from pathlib import Path

import pytest

from tests.storefront.node import require_node

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.test.mjs"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_in_node(file: Path, node: str) -> None:
    run = subprocess.run(
        [node, "--test", str(file)], cwd=HERE, capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_javascript_tests_are_found() -> None:
    assert FILES


def test_tests_without_node_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no node on the PATH"):
        require_node()


def test_tests_without_node_fail_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no node on the PATH"):
        require_node()


@pytest.mark.process
def test_old_node_counts_as_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v12.22.9\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="node 12 is too old"):
        require_node()
