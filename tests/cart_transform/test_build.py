"""The committed module is what the source compiles to, byte for byte."""

import subprocess
from pathlib import Path

from tests.cart_transform.module import MODULE
from tests.missing import missing

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "scripts" / "build-function"


def compiler_is_installed() -> bool:
    return any((ROOT / ".cache").glob("zig-*/installed"))


def test_the_source_compiles_to_the_committed_module(tmp_path: Path) -> None:
    """CI installs the compiler, so there the test never skips. Elsewhere it runs once scripts/build-function has."""
    if not compiler_is_installed():
        missing("the compiler of the checkout function is not installed: run scripts/build-function")
    built = tmp_path / "function.wasm"

    run = subprocess.run([BUILD, built], capture_output=True, text=True, check=False, timeout=600)

    assert run.returncode == 0, run.stderr
    assert built.read_bytes() == MODULE.read_bytes(), "commit what scripts/build-function builds"
