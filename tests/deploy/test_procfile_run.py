"""The commands of the Procfile, run by honcho as a hosting platform would run them: release, start, and stop on SIGTERM."""

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from urllib.error import URLError

import pytest

from tests.deploy.files import ROOT
from tests.process.serving import database_of, environment
from tests.servers.free_port import free_port

HONCHO = str(Path(sys.executable).parent / "honcho")
STOP_SECONDS = 30
"""Seconds after which a host kills what is still running."""

pytestmark = pytest.mark.process


@pytest.fixture
def settings(tmp_path: Path) -> Mapping[str, str]:
    """The environment that the host sets: the database, the port, and a PATH that begins with the tests' Python."""
    port = free_port()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return environment(tmp_path, {"PORT": str(port), "BUNDLESVC_STOP_DELAY": "1", "PATH": path})


def honcho(*arguments: str) -> list[str]:
    return [HONCHO, "--procfile", str(ROOT / "Procfile"), "--app-root", str(ROOT), *arguments]


def status(port: str, path: str) -> int | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as response:
            return int(response.status)
    except (URLError, ConnectionError):
        return None


def test_procfile_is_valid() -> None:
    checked = subprocess.run(honcho("check"), capture_output=True, text=True, check=True)
    assert "release, web" in checked.stdout + checked.stderr


def test_release_then_web_serves_and_stops_at_sigterm(settings: Mapping[str, str], tmp_path: Path) -> None:
    subprocess.run(honcho("run", *release_line()), env=settings, check=True, timeout=60)
    assert database_of(tmp_path).exists()
    with subprocess.Popen(
        honcho("start", "--no-colour", "web"), env=settings, stdout=subprocess.PIPE, text=True
    ) as host:
        try:
            deadline = time.monotonic() + 60
            while status(settings["PORT"], "/readyz") != 200:
                assert time.monotonic() < deadline, "it never became ready"
                time.sleep(0.1)
        finally:
            host.send_signal(signal.SIGTERM)
        printed, _ = host.communicate(timeout=STOP_SECONDS)
    assert "SIGKILL" not in printed
    assert status(settings["PORT"], "/healthz") is None


def release_line() -> list[str]:
    (line,) = [line for line in (ROOT / "Procfile").read_text("utf-8").splitlines() if line.startswith("release:")]
    return line.removeprefix("release:").split()


def test_honcho_is_there() -> None:
    assert shutil.which(HONCHO)
