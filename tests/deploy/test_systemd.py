"""The systemd unit, checked by systemd's own tool."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bundlesvc.settings.environment import Settings
from tests.deploy.files import DEPLOY, assert_is_command
from tests.missing import missing

pytestmark = pytest.mark.process

UNIT = DEPLOY / "bundlesvc.service"
PROGRAM = "/opt/bundlesvc/.venv/bin/bundlesvc"
MAX_EXPOSURE = 20
"""The highest exposure that `systemd-analyze security` may report, out of 100."""


@pytest.fixture
def analyze() -> str:
    return shutil.which("systemd-analyze") or missing("there is no systemd-analyze on the PATH")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_unit_has_no_faults(analyze: str, tmp_path: Path) -> None:
    """`systemd-analyze` finds no faults in the unit when its program is replaced by one that exists on this machine."""
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace(PROGRAM, shutil.which("true") or ""))

    verified = run(analyze, "verify", "--man=no", str(unit))

    assert (verified.returncode, [line for line in verified.stderr.splitlines() if UNIT.name in line]) == (0, [])


def test_unit_is_sandboxed(analyze: str) -> None:
    checked = run(analyze, "security", "--offline=true", f"--threshold={MAX_EXPOSURE}", "--no-pager", str(UNIT))

    assert checked.returncode == 0, checked.stdout[-200:]


def test_unit_starts_commands() -> None:
    commands = re.findall(rf"^ExecStart(?:Pre)?={PROGRAM} (.*)$", UNIT.read_text("utf-8"), re.MULTILINE)

    assert commands == ["db upgrade", "serve"]
    for command in commands:
        assert_is_command(command.split())


def test_unit_waits_for_requests_in_progress() -> None:
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", UNIT.read_text("utf-8"), re.MULTILINE)

    assert int(seconds) >= Settings.stop_delay + 25
