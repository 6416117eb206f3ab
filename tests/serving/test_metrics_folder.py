"""The folder for the workers' metrics, and the removal of folders left by killed services."""

import tempfile
from pathlib import Path

import pytest

from bundlesvc.serving.metrics_folder import MetricsFolder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_a_folder_that_nobody_locks_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "bundlesvc-metrics-left"
    left.mkdir()
    (left / "1.json").write_text("[]")
    folder = MetricsFolder()
    assert list(tmp_path.iterdir()) == [folder.path]


def test_the_folder_of_a_running_service_stays(tmp_path: Path) -> None:
    first, second = MetricsFolder(), MetricsFolder()
    assert {first.path, second.path} == set(tmp_path.iterdir())
    first.remove()
    second.remove()
    assert not list(tmp_path.iterdir())


def test_links_and_files_of_the_same_name_stay(tmp_path: Path) -> None:
    """Links and files named like a metrics folder are not removed. All users can write to a temporary folder, but none of them
    may control what is removed."""
    target = tmp_path / "precious"
    target.mkdir()
    (tmp_path / "bundlesvc-metrics-link").symlink_to(target)
    (tmp_path / "bundlesvc-metrics-file").write_text("")
    MetricsFolder().remove()
    assert {path.name for path in tmp_path.iterdir()} == {
        "precious",
        "bundlesvc-metrics-link",
        "bundlesvc-metrics-file",
    }
