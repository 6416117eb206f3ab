"""The TypeScript compiler checks the client module: its types in a strict project, and its own code."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.npm import require_packages
from tests.storefront.wire_types import COMMAND, WIRE_TYPES, wire_types

pytestmark = pytest.mark.process

USAGE = Path(__file__).parent / "typescript" / "usage.mts"
STOREFRONT = Path(__file__).parents[2] / "bundlesvc" / "storefront"
CLIENT = STOREFRONT / "client"

OPTIONS: dict[str, Any] = {
    "noEmit": True,
    "strict": True,
    "target": "es2022",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": [],
    "skipLibCheck": False,
}
STRICTEST = {
    **OPTIONS,
    "exactOptionalPropertyTypes": True,
    "noUncheckedIndexedAccess": True,
    "noPropertyAccessFromIndexSignature": True,
    "verbatimModuleSyntax": True,
}
EACH_RESOLUTION = pytest.mark.parametrize(
    "modules",
    [{"module": "nodenext", "moduleResolution": "nodenext"}, {"module": "esnext", "moduleResolution": "bundler"}],
    ids=lambda modules: str(modules["moduleResolution"]),
)
# Private functions have no parameter types: the client is served as it is written.
OWN_CODE = {**OPTIONS, "module": "nodenext", "allowJs": True, "checkJs": True, "noImplicitAny": False}


@pytest.fixture(scope="module")
def compiler(node: str) -> list[str]:
    return [node, str(require_packages() / "typescript" / "bin" / "tsc")]


def compiler_errors(compiler: list[str], project: Path, options: dict[str, Any], *files: Path) -> str:
    """The compiler's output for these files."""
    config = project / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "files": [str(file) for file in files]}))
    run = subprocess.run([*compiler, "-p", str(config)], capture_output=True, text=True, check=False, timeout=120)
    return run.stdout + run.stderr


@EACH_RESOLUTION
def test_strict_project_compiles(compiler: list[str], tmp_path: Path, modules: dict[str, str]) -> None:
    assert compiler_errors(compiler, tmp_path, STRICTEST | modules, USAGE) == ""


def test_wrong_code_does_not_compile(compiler: list[str], tmp_path: Path) -> None:
    """Without the `@ts-expect-error` comments the compiler reports an error for each."""
    wrong = tmp_path / "wrong.mts"
    usage = USAGE.read_text("utf-8").replace("../../../bundlesvc/storefront/client/", f"{CLIENT.as_posix()}/")
    wrong.write_text(usage.replace("// @ts-expect-error", "//"))

    output = compiler_errors(compiler, tmp_path, STRICTEST | {"module": "esnext", "moduleResolution": "bundler"}, wrong)

    assert output.count("error TS") == usage.count("// @ts-expect-error") > 0


def test_modules_match_their_types(compiler: list[str], tmp_path: Path) -> None:
    assert (
        compiler_errors(
            compiler, tmp_path, OWN_CODE, *sorted([*CLIENT.glob("*.js"), *(STOREFRONT / "cart").glob("*.js")])
        )
        == ""
    )


def test_wire_types_are_up_to_date(node: str) -> None:
    assert wire_types() == WIRE_TYPES.read_text("utf-8"), f"run {COMMAND}"
