"""`scripts/install` fails early and gives the reason, and an incomplete environment is never used. These tests need no
network."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""
BACKEND = '''
"""Installs this checkout by a path file, as setuptools does, with the standard library only."""
import os
from zipfile import ZipFile


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "bundlesvc-1-py3-none-any.whl"
    with ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        wheel.writestr("bundlesvc.pth", os.getcwd())
        wheel.writestr("bundlesvc-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: bundlesvc\\nVersion: 1\\n")
        wheel.writestr("bundlesvc-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("bundlesvc-1.dist-info/RECORD", "")
    return name
'''
NOTHING = "# Nothing is locked.\n"
WRONG_DIGEST = f"tiny==1 --hash=sha256:{'0' * 64}\n"


@dataclass
class Checkout:
    """A checkout with the real install script, and a project for which no packages have to be built."""

    folder: Path
    output: str = ""

    def install(self, lock: str = NOTHING, **settings: str) -> int:
        """Run the script, and return its exit status. `output` is set to the output of the script."""
        (self.folder / "the.lock").write_text(lock)
        own = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        offline = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.folder / "files")}
        done = subprocess.run(
            [self.folder / "scripts" / "install", "the.lock"],
            env={**own, **offline, "PYTHON": sys.executable, **settings},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.output = done.stderr
        return done.returncode

    @property
    def environment(self) -> Path:
        return self.folder / ".venv"

    def python(self, program: str) -> str:
        """Write a program that stands in for Python, and return its path."""
        path = self.folder / "python"
        path.write_text(f"#!/bin/sh\n{program}\n")
        path.chmod(0o755)
        return str(path)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    folder = tmp_path / "checkout"
    for name in ("scripts", "bundlesvc", "files"):
        (folder / name).mkdir(parents=True)
    shutil.copy2(ROOT / "scripts" / "install", folder / "scripts" / "install")
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "backend.py").write_text(BACKEND)
    (folder / "bundlesvc" / "__init__.py").touch()
    with ZipFile(folder / "files" / "tiny-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n")
        wheel.writestr("tiny-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("tiny-1.dist-info/RECORD", "")
    return Checkout(folder)


def test_second_install_of_a_lock_does_nothing(checkout: Checkout) -> None:
    assert checkout.install() == 0, checkout.output
    assert checkout.output.endswith(" done.\n")
    assert not set("\r\033") & set(checkout.output), "only a terminal has lines that change"
    assert checkout.install() == 0
    assert checkout.output == ""


def test_python_before_3_11_is_refused_before_anything_is_made(checkout: Checkout) -> None:
    assert checkout.install(PYTHON=checkout.python("echo Python 3.9.2; exit 1")) == 1
    assert "needs Python 3.11 or newer; this is Python 3.9.2." in checkout.output
    assert not checkout.environment.exists()


def test_missing_python_is_reported(checkout: Checkout) -> None:
    assert checkout.install(PYTHON=str(checkout.folder / "absent")) == 1
    assert "needs Python 3.11 or newer; this is no Python." in checkout.output


def test_missing_venv_module_is_reported_before_anything_is_made(checkout: Checkout) -> None:
    without = checkout.python(f'case "$2" in *ensurepip*) exit 1;; esac; exec "{sys.executable}" "$@"')
    assert checkout.install(PYTHON=without) == 1
    assert "has no module venv; on Debian and Ubuntu: apt install python3-venv" in checkout.output
    assert not checkout.environment.exists()


def test_failed_install_says_why_and_is_repeated_from_the_start(checkout: Checkout) -> None:
    digest = f"--hash=sha256:{'0' * 64}"
    assert checkout.install(f"absent==1 {digest}\n") == 1
    assert "No matching distribution found for absent==1" in checkout.output
    assert "The package index cannot be reached, or does not have the package." in checkout.output

    (checkout.environment / "bin" / "pip").unlink()
    assert checkout.install(WRONG_DIGEST) == 1
    assert "A downloaded file differs from the one that the.lock names" in checkout.output

    assert checkout.install() == 0, checkout.output
    assert (checkout.environment / "bin" / "pip").exists()


def test_moved_checkout_gets_a_new_environment(checkout: Checkout, tmp_path: Path) -> None:
    assert checkout.install() == 0, checkout.output
    moved = Checkout(checkout.folder.rename(tmp_path / "moved"))
    assert moved.install() == 0, moved.output
    assert str(moved.folder) in (moved.environment / "bin" / "pip").read_text()


def test_lock_files_name_no_registry_and_no_path() -> None:
    for name in ("requirements.lock", "tests/requirements.lock"):
        for line in (ROOT / name).read_text().splitlines():
            assert not line.startswith("--"), f"{name}: {line}"
            assert "://" not in line, f"{name}: {line}"
            assert " @ " not in line, f"{name}: {line}"


def test_the_checks_are_locked_with_the_versions_of_the_service() -> None:
    def pinned(name: str) -> set[str]:
        return {line for line in (ROOT / name).read_text().splitlines() if "==" in line}

    assert pinned("requirements.lock") <= pinned("tests/requirements.lock")
