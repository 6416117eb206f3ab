"""Structured data has the types and properties defined by schema.org, as declared in TypeScript by `schema-dts`."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.packages.npm import require_packages
from tests.storefront.test_typescript import OPTIONS

pytestmark = pytest.mark.process

SCRIPT = Path(__file__).with_name("structured-data.mjs")


@pytest.fixture(scope="module")
def module(node: str) -> str:
    """A TypeScript module that contains the structured data of many bundles and of a list of bundles."""
    run = subprocess.run([node, str(SCRIPT)], capture_output=True, text=True, check=True, timeout=60)
    return run.stdout


def compiled(node: str, folder: Path, module: str) -> str:
    """Compile a module, and return the compiler's output."""
    modules = require_packages()
    (folder / "data.mts").write_text(module, "utf-8")
    own = {"module": "esnext", "moduleResolution": "bundler", "paths": {"schema-dts": [str(modules / "schema-dts")]}}
    config = {"compilerOptions": OPTIONS | own, "files": ["data.mts"]}
    (folder / "tsconfig.json").write_text(json.dumps(config))
    command = [node, str(modules / "typescript" / "bin" / "tsc"), "-p", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout


def test_data_is_what_schema_org_defines(node: str, tmp_path: Path, module: str) -> None:
    assert module.count('"@type":"AggregateOffer"') > 20
    assert {"InStock", "OutOfStock"} <= set(re.findall(r'"https://schema.org/(\w+)"', module))
    for part in ("includesObject", "offerCount", "eligibleRegion", '"@type":"Offer"'):
        assert part in module

    assert compiled(node, tmp_path, module) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"productID"', '"productId"'),
        ('"https://schema.org/InStock"', '"https://schema.org/Available"'),
        ('"isRelatedTo"', '"hasPart"'),
        ('"@type":"TypeAndQuantityNode"', '"@type":"Quantity"'),
        ('"itemListElement"', '"items"'),
    ],
)
def test_other_data_is_found(node: str, tmp_path: Path, module: str, right: str, wrong: str) -> None:
    assert right in module
    assert "error TS" in compiled(node, tmp_path, module.replace(right, wrong))
