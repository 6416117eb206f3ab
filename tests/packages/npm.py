"""Installs packages from the npm registry for tests, as pinned in the lock file of a folder."""

import shutil
import subprocess
from pathlib import Path

from tests.missing import missing
from tests.running.alone import alone
from tests.storefront.node import node_version

TESTS = Path(__file__).parents[1]

OLDEST_NODE = (20, 19)
"""The oldest version of Node that the packages support; Vite requires it."""

TIMEOUT = 300.0
"""Timeout of an installation, in seconds."""


class PackagesUnavailable(Exception):
    """The packages cannot be installed; the message says why."""


def require_packages(folder: Path = TESTS) -> Path:
    """Return the `node_modules` of a folder. If they cannot be installed, skip the test, or fail it if `CI` is set."""
    try:
        return install_packages(folder)
    except PackagesUnavailable as reason:
        missing(str(reason))


def install_packages(folder: Path = TESTS) -> Path:
    """Return the `node_modules` of a folder. `npm ci` creates it when it is missing or older than the lock file. When several
    processes need it, one runs `npm ci` while the others wait. Raises PackagesUnavailable."""
    _check_node()
    lock = folder / "package-lock.json"
    with alone(lock):
        if not _is_installed(folder, lock):
            _install(folder)
    return folder / "node_modules"


def _check_node() -> None:
    path = shutil.which("node")
    if path and (version := node_version(path)) < OLDEST_NODE:
        raise PackagesUnavailable(
            f"Node {_dotted(version)} is too old for the npm packages of the tests: install {_dotted(OLDEST_NODE)} or newer"
        )


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _is_installed(folder: Path, lock: Path) -> bool:
    installed = folder / "node_modules" / ".package-lock.json"
    return installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime


def _install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise PackagesUnavailable(
            f"there is no npm on the PATH: the packages of {folder.name}/package.json cannot be installed"
        )
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as error:
        raise PackagesUnavailable(
            f"the packages of {folder.name}/package.json were not installed within {TIMEOUT:g} seconds: the registry of npm "
            "may be slow or out of reach"
        ) from error
    if run.returncode:
        raise PackagesUnavailable(
            f"the packages of {folder.name}/package.json could not be installed: {run.stderr.strip()[-500:]}"
        )
