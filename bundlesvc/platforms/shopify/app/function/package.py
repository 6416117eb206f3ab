"""The checkout function that comes with this service, as an extension folder that the platform's command line tool deploys."""

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from bundlesvc import __version__

MODULE, MANIFEST = "function.wasm", "shopify.extension.toml"
TRANSFORM_TARGET, DISCOUNT_TARGET = "cart.transform.run", "cart.lines.discounts.generate.run"

_FOLDER = files("bundlesvc.platforms.shopify.app.function")
_VERSION_PLACE = "{version}"
"""The placeholder for the version in each function's description. The platform shows the description, and with it the deployed
version."""


@cache
def version() -> str:
    """Return the version of this service, followed by the first digits of the module's SHA-256."""
    return f"{__version__}+{hashlib.sha256(_read(MODULE)).hexdigest()[:12]}"


@cache
def handles() -> Mapping[str, str]:
    """Return the handle of the function for each target."""
    extensions = tomllib.loads(_read(MANIFEST).decode())["extensions"]
    return {target["target"]: one["handle"] for one in extensions for target in one["targeting"]}


def extension_files() -> Mapping[str, bytes]:
    """Return the contents of the extension's files by name: the manifest, the module, and the input queries."""
    manifest = _read(MANIFEST).decode()
    queries = [target["input_query"] for one in tomllib.loads(manifest)["extensions"] for target in one["targeting"]]
    return {
        MANIFEST: manifest.replace(_VERSION_PLACE, version()).encode(),
        **{name: _read(name) for name in dict.fromkeys([MODULE, *queries])},
    }


def write_extension(folder: Path) -> None:
    """Write the extension folder. Other files in the folder are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in extension_files().items():
        (folder / name).write_bytes(content)


def _read(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()
