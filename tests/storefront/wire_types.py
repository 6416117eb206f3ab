"""The client's types for requests and responses, generated from the OpenAPI document.

`python -m tests.storefront.wire_types` writes them to bundlesvc/storefront/client/schemas.d.ts.
"""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

import orjson

from bundlesvc.api.openapi.document import openapi_document
from tests.api.response_check import STOREFRONT_ENDPOINTS
from tests.packages.npm import require_packages
from tests.storefront.node import require_node

WIRE_TYPES = Path(__file__).parents[2] / "bundlesvc" / "storefront" / "client" / "schemas.d.ts"
COMMAND = "scripts/wire-types"

_HEADER = f"// Generated from the OpenAPI document by openapi-typescript: change the schemas in Python, then run {COMMAND}.\n\n"
_OPTIONS = ("--immutable", "--root-types", "--root-types-no-schema-prefix")


def wire_types() -> str:
    """Generate the TypeScript declarations for the schemas of the OpenAPI document."""
    package = require_packages() / "openapi-typescript"
    with tempfile.TemporaryDirectory() as folder:
        document, types = Path(folder, "openapi.json"), Path(folder, "schemas.d.ts")
        document.write_bytes(orjson.dumps(_schemas_only()))
        command = [require_node(), str(package / "bin" / "cli.js"), str(document), "--output", str(types), *_OPTIONS]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
        generated = types.read_text("utf-8")
    return _HEADER + generated[generated.index("export interface components") :]


def _schemas_only() -> dict[str, Any]:
    """Return the OpenAPI document without paths, which the client does not need, and without examples, which do not affect
    types."""
    document = openapi_document("", STOREFRONT_ENDPOINTS)
    schemas = document["components"]["schemas"].values()
    for field in (field for schema in schemas for field in schema["properties"].values()):
        field.pop("example", None)
    return {**document, "paths": {}}


if __name__ == "__main__":
    WIRE_TYPES.write_text(wire_types(), "utf-8")
