"""The cart attribute `_bundles`, as it comes back from a cart (spec, "Cart payload"): anyone may have changed it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Self

from bundlesvc.domain.no_discount import NoDiscount


@dataclass(frozen=True, slots=True)
class BundlesEntry:
    """An entry: only the `discount` is signed; `bundle_id` is None when it does not say."""

    discount: str
    bundle_id: object
    title: str
    image: str


@dataclass(frozen=True, slots=True)
class BundlesAttribute:
    """The attribute's value, None when the cart has none, and its entries by configured bundle, None when it is no map."""

    value: str | None
    entries: Mapping[str, Any] | None

    @classmethod
    def read(cls, value: str | None) -> Self:
        return cls(value, _parsed(value) if value else {})

    def entry(self, configured_id: int) -> BundlesEntry:
        """Raises NoDiscount."""
        if not self.value:
            raise NoDiscount("attribute_missing")
        if self.entries is None:
            raise NoDiscount("attribute_unreadable")
        entry = self.entries.get(str(configured_id))
        if entry is None:
            raise NoDiscount("entry_missing")
        if not isinstance(entry, dict) or not isinstance(entry.get("discount"), str):
            raise NoDiscount("entry_unreadable")
        return BundlesEntry(entry["discount"], entry.get("id"), _text(entry.get("title")), _text(entry.get("image")))


def _parsed(value: str) -> Mapping[str, Any] | None:
    try:
        entries = json.loads(value, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return entries if isinstance(entries, dict) else None


def _refuse(constant: str) -> NoReturn:
    """NaN and Infinity are no JSON, whatever Python's parser thinks."""
    raise ValueError(constant)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
