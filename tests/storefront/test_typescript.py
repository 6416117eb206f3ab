"""The TypeScript compiler accepts all JavaScript in the package, and the types of the client module as used in a strict
project."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.packages.npm import require_packages
from tests.storefront.wire_types import COMMAND, WIRE_TYPES, wire_types

pytestmark = pytest.mark.process

USAGE = Path(__file__).parent / "typescript" / "usage.mts"
PACKAGE = Path(__file__).parents[2] / "bundlesvc"
STOREFRONT = PACKAGE / "storefront"
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
    """Compile these files, and return the compiler's output."""
    config = project / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "files": [str(file) for file in files]}))
    run = subprocess.run([*compiler, "-p", str(config)], capture_output=True, text=True, check=False, timeout=120)
    return run.stdout + run.stderr


@EACH_RESOLUTION
def test_strict_project_compiles(compiler: list[str], tmp_path: Path, modules: dict[str, str]) -> None:
    assert compiler_errors(compiler, tmp_path, STRICTEST | modules, USAGE) == ""


def test_wrong_code_does_not_compile(compiler: list[str], tmp_path: Path) -> None:
    """Wrong code does not compile: when the `@ts-expect-error` comments are disabled, the compiler reports an error for each of
    them."""
    wrong = tmp_path / "wrong.mts"
    usage = USAGE.read_text("utf-8").replace("../../../bundlesvc/storefront/client/", f"{CLIENT.as_posix()}/")
    wrong.write_text(usage.replace("// @ts-expect-error", "//"))

    output = compiler_errors(compiler, tmp_path, STRICTEST | {"module": "esnext", "moduleResolution": "bundler"}, wrong)

    assert output.count("error TS") == usage.count("// @ts-expect-error") > 0


def test_modules_match_their_types(compiler: list[str], tmp_path: Path) -> None:
    modules = sorted(
        module for module in PACKAGE.rglob("*.js") if module.is_relative_to(STOREFRONT) or "page" in module.parts
    )

    assert len(modules) > 60
    assert compiler_errors(compiler, tmp_path, own_code(STOREFRONT), *modules) == ""


def test_declarations_agree_with_the_code(node: str, tmp_path: Path) -> None:
    assert declaration_differences(node, tmp_path, STOREFRONT) == []


@pytest.mark.parametrize(
    ("file", "declared", "wrong", "found"),
    [
        ("bundle-builder.d.ts", "reload(): void;", "reload(): string;", ["BundleBuilder.reload"]),
        ("client/client.d.ts", "readonly timedOut: boolean;", "readonly timedOut: string;", ["NetworkError.timedOut"]),
        ("client/decimal.d.ts", "const ZERO: Decimal;", "const ZERO: string;", ["ZERO"]),
        ("cart/cart.d.ts", "function toCheckoutLink(", "function toLink(", ["toCheckoutLink", "toLink"]),
        ("react/react.d.ts", "export declare function useBundle(", "declare function useBundle(", ["useBundle"]),
    ],
)
def test_wrong_declarations_are_found(
    node: str, tmp_path: Path, file: str, declared: str, wrong: str, found: list[str]
) -> None:
    storefront = tmp_path / "storefront"
    shutil.copytree(STOREFRONT, storefront)
    text = (storefront / file).read_text("utf-8")
    (storefront / file).write_text(text.replace(declared, wrong), "utf-8")

    differences = declaration_differences(node, tmp_path, storefront)

    assert sorted({difference.split(":")[0] for difference in differences}) == found


def declaration_differences(node: str, project: Path, storefront: Path) -> list[str]:
    """List the places where the declaration files of the npm package disagree with its modules."""
    config = project / "tsconfig.json"
    config.write_text(
        json.dumps({"compilerOptions": own_code(storefront), "files": [str(storefront / "bundle-builder.js")]})
    )
    command = [node, str(Path(__file__).parent / "declarations.mjs"), str(storefront), str(config)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def own_code(storefront: Path) -> dict[str, Any]:
    """Return the compiler options for the package's own modules, in which every parameter must have a type."""
    react = require_packages() / "@types" / "react"
    return {
        **OPTIONS,
        "target": "es2023",
        "lib": ["es2023", "dom", "dom.iterable"],
        "module": "esnext",
        "moduleResolution": "bundler",
        "allowJs": True,
        "checkJs": True,
        "paths": {
            "/storefront/*": [f"{storefront}/*"],
            "react": [str(react)],
            "react/jsx-runtime": [str(react / "jsx-runtime")],
        },
    }


def test_wire_types_are_up_to_date(node: str) -> None:
    assert wire_types() == WIRE_TYPES.read_text("utf-8"), f"run {COMMAND}"
