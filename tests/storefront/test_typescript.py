"""The TypeScript compiler checks all JavaScript of the package, and the types of the client module in a strict project."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.npm import require_packages
from tests.storefront.wire_types import COMMAND, WIRE_TYPES, wire_types

pytestmark = pytest.mark.process

USAGE = Path(__file__).parent / "typescript" / "usage.mts"
PACKAGE = Path(__file__).parents[2] / "bundlesvc"
STOREFRONT, PAGES = PACKAGE / "storefront", [PACKAGE / "demo" / "page", PACKAGE / "preview" / "page"]
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
    """Parameters of private functions may have no types."""
    modules = sorted(
        module for module in PACKAGE.rglob("*.js") if module.is_relative_to(STOREFRONT) or module.parent.name == "page"
    )
    react = require_packages() / "@types" / "react"
    own_code = {
        **OPTIONS,
        "target": "es2023",
        "lib": ["es2023", "dom", "dom.iterable"],
        "module": "esnext",
        "moduleResolution": "bundler",
        "allowJs": True,
        "checkJs": True,
        "noImplicitAny": False,
        "rootDirs": list(map(str, PAGES)),  # the preview serves the demo's modules as its own
        "paths": {
            "/storefront/*": [f"{STOREFRONT}/*"],
            "react": [str(react)],
            "react/jsx-runtime": [str(react / "jsx-runtime")],
        },
    }

    assert len(modules) > 60
    assert compiler_errors(compiler, tmp_path, own_code, *modules) == ""


def test_wire_types_are_up_to_date(node: str) -> None:
    assert wire_types() == WIRE_TYPES.read_text("utf-8"), f"run {COMMAND}"
