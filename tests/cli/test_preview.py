"""`bundlesvc preview` when it cannot start. A running preview is tested in its own process (tests/process/test_preview.py)."""

import socket
from pathlib import Path

import pytest

from tests.cli.command_line import Run, assert_error, assert_usage
from tests.studio.following.conftest import SavedFile


@pytest.fixture
def saved(tmp_path: Path) -> SavedFile:
    return SavedFile(tmp_path / "shop.yaml")


def test_file_that_is_not_there_is_a_usage_error(run: Run) -> None:
    assert_usage(run("preview", "nothing.yaml", "--no-open"), "nothing.yaml")


def test_port_in_use_is_named(run: Run, saved: SavedFile) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert_error(run("preview", saved.path, "--no-open", "--port", port), f"port {port} is not available")
