"""Deploys an extension folder, as the platform's command line tool does."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graphql import GraphQLSyntaxError, parse, validate

from tests.platform_schema import CART_TRANSFORM, DISCOUNT, NEXT_CART_TRANSFORM, NEXT_DISCOUNT, schema
from tests.standin.data.functions import Function, Target
from tests.standin.data.shop import Shop

MANIFEST = "shopify.extension.toml"
LARGEST_MODULE, LARGEST_QUERY = 256_000, 3_000
WASM = b"\0asm"

_HANDLE = re.compile(r"[a-zA-Z0-9]([a-zA-Z0-9-]{0,48}[a-zA-Z0-9])?")
_SCHEMAS = {
    ("cart.transform.run", "2026-07"): CART_TRANSFORM,
    ("cart.transform.run", "2026-10"): NEXT_CART_TRANSFORM,
    ("cart.lines.discounts.generate.run", "2026-07"): DISCOUNT,
    ("cart.lines.discounts.generate.run", "2026-10"): NEXT_DISCOUNT,
}


class ExtensionRefused(Exception):
    """Raised when the folder cannot be deployed. The message says why."""


def deploy(shop: Shop, folder: Path) -> None:
    """Deploy all functions in an extension folder, or none if one of them cannot be deployed. Raises ExtensionRefused."""
    functions = list(_functions(folder))
    if len({function.handle for function in functions}) < len(functions):
        raise ExtensionRefused("two extensions have the same handle")
    for function in functions:
        shop.functions.deploy(function)


def _functions(folder: Path) -> Iterator[Function]:
    try:
        manifest = tomllib.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ExtensionRefused(f"{MANIFEST} cannot be read: {error}") from error
    for extension in manifest.get("extensions", []):
        yield _function(folder, {**manifest, **extension})


def _function(folder: Path, given: Mapping[str, Any]) -> Function:
    for name in ("name", "type", "handle", "api_version"):
        if not given.get(name):
            raise ExtensionRefused(f"an extension has no {name}")
    if given["type"] != "function" or not _HANDLE.fullmatch(given["handle"]):
        raise ExtensionRefused("an extension is not a function, or its handle is invalid")
    build = given.get("build") or {}
    if not build.get("command", "").strip():
        raise ExtensionRefused(f"the function extension {given['handle']} doesn't have a build command or it's empty")
    targets = tuple(_target(folder, given["api_version"], target) for target in given.get("targeting", []))
    if len({_SCHEMAS[target.name, given["api_version"]] for target in targets}) != 1:
        raise ExtensionRefused("the targets of a function belong to one API")
    module = _read(folder, build.get("path", "dist/index.wasm"))
    if not module.startswith(WASM) or len(module) > LARGEST_MODULE:
        raise ExtensionRefused("the module is not WebAssembly, or too large")
    # Without a uid, the tool would generate one and write it into the manifest.
    id_ = given.get("uid") or given["handle"]
    return Function(
        id_, given["handle"], given["name"], given.get("description", ""), given["api_version"], targets, module
    )


def _target(folder: Path, version: str, given: Mapping[str, str]) -> Target:
    query = _read(folder, given["input_query"]).decode()
    if (given["target"], version) not in _SCHEMAS:
        raise ExtensionRefused(f"{given['target']} in {version} is unknown to the stand-in")
    if len(query.encode()) > LARGEST_QUERY:
        raise ExtensionRefused(f"{given['input_query']} is too large")
    try:
        errors = validate(schema(_SCHEMAS[given["target"], version]), parse(query))
    except GraphQLSyntaxError as error:
        raise ExtensionRefused(f"{given['input_query']}: {error.message}") from error
    if errors:
        raise ExtensionRefused(f"{given['input_query']}: {errors[0].message}")
    return Target(given["target"], given["export"], query)


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise ExtensionRefused(f"{name} cannot be read: {error.strerror}") from error
