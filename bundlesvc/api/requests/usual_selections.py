"""Parses the bodies that storefronts usually send, several times faster than a schema.

The same few variants occur again and again, even in the selections of different shoppers. So the text of the list is split into
items, which Python does in C, and an item or a small list that was parsed before is not parsed again. Bodies in an unusual form
are left to the schema, which also produces all error messages. Tests compare the two parsers on random bodies.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from bundlesvc.api.requests.fields import is_price
from bundlesvc.domain.bundle import BUNDLE_TYPES
from bundlesvc.domain.identifiers import MAX_ID, parse_country, parse_platform_id
from bundlesvc.domain.selection import (
    MAX_ITEMS,
    NO_EXPECTED_PRICE,
    ExpectedPrice,
    SelectedItem,
    SelectionRequest,
    Units,
)

_ITEM_FIELDS = 3
_MAX_ITEM_BYTES = 256
_MAX_REST_BYTES = 128
"""The maximum size, in bytes, of the rest of a body (everything except the items) that is cached once parsed. Shoppers in the
same market send the same rest."""

_MAX_ITEMS_BYTES = 1024
"""The maximum size, in bytes, of a list of items that is cached once parsed. Shoppers often make the same small selections."""

_MAX_DEPTH = 4
"""The maximum number of opening braces in the rest of a usual body. This limits the nesting."""

_LEFT_OUT = ("subscription", "bundleContent", "visitorId")
"""Fields that only the schema reads, unless their value is null."""


def usual_selection(body: bytes, *, configure: bool) -> SelectionRequest | None:
    """Build the same request from the body as the schema would. Returns None when the body is invalid or in an unusual form."""
    start, end = body.find(b"[{"), body.rfind(b"}]")
    if start < 0 or end < start:
        return None
    text = body[:start] + b"[]" + body[end + 2 :]
    rest = (_rest if len(text) <= _MAX_REST_BYTES else _rest.__wrapped__)(text, configure)
    if rest is None:
        return None
    items = body[start + 2 : end]
    units = (_units if len(items) <= _MAX_ITEMS_BYTES else _units.__wrapped__)(items)
    return None if units is None else SelectionRequest(units, rest.type, rest.country, expected=rest.expected)


class _Rest(NamedTuple):
    """The fields of a body besides its items."""

    type: str | None
    country: str | None
    expected: ExpectedPrice


@lru_cache(maxsize=1024)
def _rest(text: bytes, configure: bool) -> _Rest | None:  # noqa: FBT001 - a keyword argument costs an extra lookup
    """Parse a body from which the items have been removed. Returns None when the body is in an unusual form."""
    rest = _fields(text)
    if rest is None:
        return None
    country, type_ = rest.get("countryCode"), rest.get("type") if configure else None
    if country is not None:
        country = parse_country(country) if isinstance(country, str) else None
        if country is None:
            return None
    if configure and type_ not in BUNDLE_TYPES:
        return None
    expected = (
        ExpectedPrice(rest.get("expectedPrice"), rest.get("expectedPresentment")) if configure else NO_EXPECTED_PRICE
    )
    if any(price is not None and not is_price(price) for price in expected):
        return None
    return _Rest(type_, country, expected)


def _fields(text: bytes) -> dict[str, Any] | None:
    """Parse the fields of a body from which the items were cut out. The list that was cut out must be `products`, because no
    other list is allowed."""
    if text.count(b"[") != 1 or text.count(b"{") > _MAX_DEPTH:
        return None
    rest = _parsed(text)
    if not isinstance(rest, dict) or rest.get("products") != []:
        return None
    return None if any(rest.get(name) is not None for name in _LEFT_OUT) else rest


@lru_cache(maxsize=1024)
def _units(text: bytes) -> Units | None:
    """Parse the items of a JSON list. The text starts after the first item's opening brace, and ends before the last item's
    closing brace. Returns None when an item is in an unusual form."""
    pieces = text.split(b"}, {" if b"}, {" in text else b"},{")
    if len(pieces) > MAX_ITEMS:
        return None
    indexes: defaultdict[bytes, list[int]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        indexes[piece].append(index)
    units: dict[SelectedItem, list[int]] = {}
    for piece, these in indexes.items():
        item = _item(piece) if len(piece) <= _MAX_ITEM_BYTES else None
        if item is None:
            return None
        units[item] = sorted([*units[item], *these]) if item in units else these  # one id can be written in two ways
    return units


@lru_cache(maxsize=4096)
def _item(piece: bytes) -> SelectedItem | None:
    """Parse an item from the text between its braces. The text must be valid JSON on its own, which proves that no string was
    split."""
    item = _parsed(b"{%b}" % piece)
    if not isinstance(item, dict) or len(item) != _ITEM_FIELDS:
        return None
    variant, product, section = item.get("variant"), item.get("product"), item.get("section")
    if type(variant) is not str or type(product) is not str or type(section) is not int:
        return None
    variant_id, product_id = parse_platform_id(variant, "ProductVariant"), parse_platform_id(product, "Product")
    if variant_id is None or product_id is None or not 0 <= section <= MAX_ID:
        return None
    return SelectedItem(variant_id, product_id, section)


def _parsed(text: bytes) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
