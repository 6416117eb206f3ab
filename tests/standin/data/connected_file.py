"""Converts a shop file into one for a shop whose products are on the live platform."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

_OF_THE_PLATFORM = ("currency", "moneyFormat", "weightUnit")


class _AsWritten(yaml.BaseLoader):
    """A YAML loader that reads scalars as strings, like the reader of shop files. Only null becomes None."""


_AsWritten.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"null|~|\Z"), ["n", "~", ""])
_AsWritten.add_constructor("tag:yaml.org,2002:null", lambda *_: None)


def write_connected_file(source: Path, target: Path, domain: str) -> str:
    """Write the shop and bundles of `source` to `target`, without the data that the platform at `domain` provides. Returns the
    shop's handle."""
    file = file_without_products(source, {"kind": "shopify", "domain": domain})
    write_file(file, target)
    return str(file["shop"]["handle"])


def file_without_products(source: Path, platform: Mapping[str, Any]) -> dict[str, Any]:
    """Read a shop file, and return its content for a shop on this platform, without the data that the platform provides, such as
    products. Scalars stay strings."""
    file = yaml.load(source.read_bytes(), Loader=_AsWritten)  # a safe loader: it builds strings only
    shop = {key: value for key, value in file["shop"].items() if key not in _OF_THE_PLATFORM}
    shop["platform"] = platform
    others = {key: value for key, value in file.items() if key not in ("shop", "products", "markets")}
    return {"shop": shop, **others}


def write_file(file: Mapping[str, Any], target: Path) -> None:
    """Write the content of a shop file to `target`. Creates missing folders."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(yaml.safe_dump(file, sort_keys=False, allow_unicode=True), "utf-8")
