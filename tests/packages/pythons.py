"""Runs `scripts/run` in a fresh copy of this tree, with each supported Python version that is found on this machine.

Prints one line per version. Only wheels are installed, so a library without a wheel for some version is noticed here, and not by
a user without a compiler."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from tests.servers.free_port import free_port

Version = tuple[int, ...]

ROOT = Path(__file__).parents[2]
OLDEST = (3, 11)
NEWEST = (3, 14)
"""The newest Python for which every locked package has a wheel, as named in the README."""
TIMEOUT = 300.0
PLACES = (".pyenv/versions/*/bin", ".local/share/uv/python/*/bin")
"""Folders, relative to the home folder, with Pythons that may not be on the PATH."""
_ABOUT = "import json, sys; print(json.dumps([sys.version_info[:3], getattr(sys, '_base_executable', sys.executable)]))"


def main() -> int:
    """Run all checks. Returns exit status 0 if the service could be installed and responded on every Python version."""
    with tempfile.TemporaryDirectory() as folder:
        found = supported_pythons()
        if not any(version[:2] == NEWEST for version in found):
            found |= _downloaded(Path(folder))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            checks = [pool.submit(_check, version, python, Path(folder)) for version, python in sorted(found.items())]
        works = [check.result() for check in checks]
        if not any(version[:2] == NEWEST for version in found):
            works.append(_has_wheels(Path(folder)))
    return 0 if found and all(works) else 1


def supported_pythons() -> dict[Version, str]:
    """Find one Python interpreter for each supported version, on the PATH or in the folders of version managers."""
    managed = (match for place in PLACES for match in sorted(Path.home().glob(place)))
    folders = [*map(Path, os.get_exec_path()), *managed]
    found: dict[Version, str] = {}
    for program in (program for folder in folders for program in _programs(folder)):
        about = subprocess.run([program, "-c", _ABOUT], capture_output=True, text=True, check=False)
        if about.returncode == 0:
            version, python = json.loads(about.stdout)
            found.setdefault(tuple(version), python)
    return {version: python for version, python in found.items() if version >= OLDEST}


def _programs(folder: Path) -> Iterator[Path]:
    for program in sorted(folder.glob("python3*")):
        if program.name.removeprefix("python3").removeprefix(".").isdecimal() or program.name == "python3":
            yield program


def _downloaded(folder: Path) -> dict[Version, str]:
    """Download the newest Python version with uv. Returns an empty dictionary if that fails."""
    tools, pythons = folder / "tools", folder / "pythons"
    subprocess.run([sys.executable, "-m", "venv", tools], check=True)
    subprocess.run([tools / "bin" / "pip", "install", "--quiet", "uv"], check=True, stderr=subprocess.DEVNULL)
    wanted = ".".join(map(str, NEWEST))
    environment = {**os.environ, "UV_PYTHON_INSTALL_DIR": str(pythons), "UV_HTTP_RETRIES": "0"}
    install = [str(tools / "bin" / "uv"), "python", "install", "--no-bin", wanted]
    if subprocess.run(install, env=environment, capture_output=True, check=False).returncode != 0:
        return {}
    (program,) = pythons.glob(f"cpython-{wanted}.*/bin/python{wanted}")
    about = subprocess.run([program, "-c", _ABOUT], capture_output=True, text=True, check=True)
    return {tuple(json.loads(about.stdout)[0]): str(program)}


def _check(version: Version, python: str, folder: Path) -> bool:
    """Check whether `scripts/run` works in a new copy of the tree. Prints the result and, on failure, the output of the
    script."""
    name = f"Python {'.'.join(map(str, version))}"
    copy = _copied_tree(folder / name)
    began = time.monotonic()
    with (copy / "output").open("w") as output:
        fault = _serve(copy, python, output.fileno())
    seconds = time.monotonic() - began
    click.echo(f"{name}: {fault or 'installed, loaded the demo shop and served'} ({seconds:.0f} s)")
    if fault:
        click.echo((copy / "output").read_text())
    shutil.rmtree(copy)
    return not fault


def _serve(copy: Path, python: str, output: int) -> str:
    """Start and stop the service from a copy of the tree. Returns an error message, or an empty string on success."""
    port = free_port()
    environment = {**os.environ, "PYTHON": python, "PORT": str(port), "PIP_ONLY_BINARY": ":all:"}
    service = subprocess.Popen([copy / "scripts" / "run"], env=environment, stdout=output, stderr=output)
    deadline = time.monotonic() + TIMEOUT
    healthy = False
    while not healthy and service.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
        healthy = _is_healthy(port)
    service.send_signal(signal.SIGTERM)
    status = service.wait(TIMEOUT)
    if not healthy:
        return "NOT SERVING"
    return "" if status == 0 else f"STOPPED WITH STATUS {status}"


def _is_healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def _copied_tree(folder: Path) -> Path:
    """Copy the files that git tracks or would add, without installed packages or stored data."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    return folder


def _has_wheels(folder: Path) -> bool:
    """Check whether every locked package has a wheel for the newest Python version. This Python need not be installed."""
    name = ".".join(map(str, NEWEST))
    download = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--require-hashes",
    ]
    choice = ["--only-binary", ":all:", "--python-version", name, "--dest", str(folder / "wheels")]
    done = subprocess.run(
        [*download, *choice, "-r", str(ROOT / "requirements.lock")], capture_output=True, text=True, check=False
    )
    verdict = (
        "every locked package has a wheel for it" if done.returncode == 0 else f"A WHEEL IS MISSING\n{done.stderr}"
    )
    click.echo(f"Python {name}: neither on this machine nor to be downloaded; {verdict}")
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
