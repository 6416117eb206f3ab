"""The committed module is, byte for byte, what the source compiles to, and a fault in the source does not stop a checkout."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cart_transform.carts import encoded, function_input
from tests.cart_transform.module import DISCOUNT, FUNCTION, MERGE, MODULE, run_module
from tests.cart_transform.sizes import sized_cart
from tests.missing import missing

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "scripts" / "build-function"


def compiler_is_installed() -> bool:
    return any((ROOT / ".cache").glob("zig-*/installed"))


def build(module: Path, *source: Path) -> bytes:
    """Compile the checkout function, and return the module. If the compiler is not installed, the test is skipped (in CI, it
    fails). `scripts/build-function` installs the compiler."""
    if not compiler_is_installed():
        missing("the compiler of the checkout function is not installed: run scripts/build-function")
    run = subprocess.run([BUILD, module, *source], capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stderr
    return module.read_bytes()


def test_the_source_compiles_to_the_committed_module(tmp_path: Path) -> None:
    assert build(tmp_path / "function.wasm") == MODULE.read_bytes(), "commit what scripts/build-function builds"


def test_a_failed_safety_check_charges_the_cart_in_full(tmp_path: Path) -> None:
    """After a failed safety check, the cart is charged at full price. The function compiled here has a deliberate fault."""
    source = tmp_path / "src"
    shutil.copytree(FUNCTION / "src", source)
    main = (source / "main.zig").read_text("utf-8")
    faulty = main.replace("    var log: Log = .{};", "    var log: Log = .{};\n    if (text[text.len] == 7) return;")
    assert faulty != main
    (source / "main.zig").write_text(faulty, "utf-8")
    build(tmp_path / "faulty.wasm", source)

    for export in (MERGE, DISCOUNT):
        run = run_module(export, encoded(function_input(sized_cart(1), export)), tmp_path / "faulty.wasm")
        assert (run.output, run.log) == (b'{"operations":[]}', b"no discount: internal_error\n")
        assert run.exited
