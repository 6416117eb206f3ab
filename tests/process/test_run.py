"""`scripts/run` loads the demo shop when there is no shop yet, even if an earlier run was interrupted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = f"""#!/bin/sh
[ "$1" != serve ] || exec echo serving
exec "{sys.executable}" -m bundlesvc "$@"
"""
LOADING = "Loading the demo shop"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A minimal checkout of the repository, in which `scripts/install` does nothing and the service exits immediately."""
    for name in ("scripts", "config", ".venv/bin"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("scripts/run", "scripts/load_fixtures", "config/demo-shop.yaml"):
        shutil.copy2(ROOT / name, tmp_path / name)
    for name, text in (("scripts/install", "#!/bin/sh\n"), (".venv/bin/bundlesvc", PROGRAM)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    return tmp_path


def run(checkout: Path, script: str, *arguments: str) -> str:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("BUNDLESVC_", "DATABASE_"))}
    done = subprocess.run(
        [checkout / script, *arguments], cwd=checkout, env=own, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stderr + done.stdout


def test_the_demo_shop_is_loaded_once_also_after_an_interruption(checkout: Path) -> None:
    run(checkout, ".venv/bin/bundlesvc", "db", "upgrade")  # an interrupted start may have got this far
    assert LOADING in run(checkout, "scripts/run")
    started = run(checkout, "scripts/run")
    assert LOADING not in started
    assert started.endswith("serving\n")
