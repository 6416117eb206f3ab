"""A cart as the cart-transform step receives it: its lines, and its `_bundles` attribute (docs/contract.md#cart). Anyone can
change either, so neither can be trusted."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NoReturn, Self

from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.identifiers import parse_id

BUNDLE_DATA, BUNDLE_FEE = "_bundle_data", "_bundle_fee"
"""The line properties that the configure endpoint sets."""

MAX_UNIQUE_ID = 64
"""The maximum length of the unique id in `_bundle_data`, in characters."""

DEEPEST = 64
"""The deepest nesting of objects and lists allowed in the `_bundles` attribute."""


@dataclass(frozen=True, slots=True)
class BundleData:
    """The content of a line's `_bundle_data` property, which names the configured bundle that the line belongs to."""

    configured_id: int
    parent_variant_id: int
    unique_id: str

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Parse the value of a `_bundle_data` property. Returns None when it is malformed."""
        parts = text.split("#")
        ids = [parse_id(part) for part in parts[:2]]
        if len(parts) != 3 or None in ids or not _is_unique_id(parts[2]):  # noqa: PLR2004 - the three parts of the property
            return None
        return cls(int(parts[0]), int(parts[1]), parts[2])


@dataclass(frozen=True, slots=True)
class CartLine:
    """A line of a cart. `unit_price` is in the cart's currency; `selling_plan` says whether the line is bought with a selling
    plan."""

    id: str
    variant_id: int
    quantity: int
    unit_price: Decimal
    properties: Mapping[str, str] = field(default_factory=dict)
    selling_plan: bool = False

    @property
    def amount(self) -> Decimal:
        return self.unit_price * self.quantity

    @property
    def is_fee(self) -> bool:
        """Whether the line is a fee. A fee is a separate line of its bundle and is never discounted."""
        return BUNDLE_FEE in self.properties

    @property
    def bundle_data(self) -> BundleData | None:
        return BundleData.read(self.properties.get(BUNDLE_DATA, ""))


@dataclass(frozen=True, slots=True)
class BundlesEntry:
    """One entry of the `_bundles` attribute. Only `discount` is signed; `bundle_id` is None when the entry contains no bundle
    id."""

    discount: str
    bundle_id: object
    title: str
    image: str


@dataclass(frozen=True, slots=True)
class BundlesAttribute:
    """The cart attribute `_bundles`: its `value` (None when the cart does not have it), and its `entries` by configured bundle
    (None when the value is not a JSON object)."""

    value: str | None
    entries: Mapping[str, Any] | None

    @classmethod
    def read(cls, value: str | None) -> Self:
        return cls(value, _parsed(value) if value else {})

    def entry(self, configured_id: int) -> BundlesEntry:
        """Return the entry of a configured bundle. Raises NoDiscount when it is missing or unreadable."""
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


def _is_unique_id(text: str) -> bool:
    """Whether a string has the format of a unique id. The ids that this service creates have 32 hexadecimal digits."""
    return text.isascii() and text.isalnum() and len(text) <= MAX_UNIQUE_ID


def _parsed(value: str) -> Mapping[str, Any] | None:
    """Parse the JSON in the cart attribute. Returns None when it is invalid or not an object, contains an unpaired surrogate, or
    is nested too deeply for some parsers."""
    try:
        entries = json.loads(value, parse_constant=_refuse)
        json.dumps(entries, ensure_ascii=False).encode()
        readable = isinstance(entries, dict) and _depth(entries) <= DEEPEST
    except (ValueError, RecursionError):
        return None
    return entries if readable else None


def _depth(value: object) -> int:
    if not isinstance(value, dict | list):
        return 0
    return 1 + max(map(_depth, value.values() if isinstance(value, dict) else value), default=0)


def _refuse(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not valid JSON although Python's parser accepts them."""
    raise ValueError(constant)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
