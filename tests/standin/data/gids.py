"""The platform's global ids, such as `gid://shopify/Product/1`."""

import re
from typing import NamedTuple

_GID = re.compile(r"gid://shopify/(?P<kind>[A-Za-z]+)/(?P<name>[^/?\s]+)(\?[^\s]*)?\Z", re.ASCII)


class Gid(NamedTuple):
    """A parsed global id. `number` is None if the last part of the id is not numeric."""

    kind: str
    number: int | None


def gid(kind: str, number: int) -> str:
    return f"gid://shopify/{kind}/{number}"


def parse_gid(text: str) -> Gid | None:
    """Parse a global id. Returns None if the string is not a global id; the platform then refuses the whole request."""
    found = _GID.match(text)
    if found is None:
        return None
    name = found["name"]
    return Gid(found["kind"], int(name) if name.isascii() and name.isdigit() else None)
