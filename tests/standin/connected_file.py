"""One of our shop files again, for a shop whose products are on the platform."""

import re
from pathlib import Path

import yaml

_OF_THE_PLATFORM = ("currency", "moneyFormat", "weightUnit")


class _AsWritten(yaml.BaseLoader):
    """Scalars stay text, as our shop files are read; only null is null."""


_AsWritten.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"null|~|\Z"), ["n", "~", ""])
_AsWritten.add_constructor("tag:yaml.org,2002:null", lambda *_: None)


def write_connected_file(source: Path, target: Path, domain: str) -> str:
    """Writes `target`: the shop and bundles of `source`, without what the platform at `domain` has. The shop's handle."""
    file = yaml.load(source.read_bytes(), Loader=_AsWritten)  # a safe loader: it makes text only
    shop = {key: value for key, value in file["shop"].items() if key not in _OF_THE_PLATFORM}
    shop["platform"] = {"kind": "shopify", "domain": domain}
    others = {key: value for key, value in file.items() if key not in ("shop", "products", "markets")}
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(yaml.safe_dump({"shop": shop, **others}, sort_keys=False, allow_unicode=True), "utf-8")
    return str(shop["handle"])
