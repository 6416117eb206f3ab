"""Ids as the API accepts them: whole numbers from 1 to 2^53-1, numeric strings, and global ids
(docs/contract.md#ids-and-codes)."""

import re

MAX_ID = 2**53 - 1
GHOST_VARIANT_FLOOR = 8 * 10**15
"""The first id of embedded ghost variants. Shop files must not use ids from here on (docs/contract.md#ghost-variants)."""

_DIGITS = re.compile(r"[1-9][0-9]{0,15}\Z", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.ASCII)
_GID = "gid://platform/"


def parse_id(text: str) -> int | None:
    """The number that a numeric id names; None when the text is not an id."""
    if not _DIGITS.match(text):
        return None
    number = int(text)
    return number if number <= MAX_ID else None


def parse_platform_id(text: str, kind: str) -> int | None:
    """The number that a numeric id or a global id of `kind` ("Product", "ProductVariant") names; None when it is neither."""
    return parse_id(text.removeprefix(f"{_GID}{kind}/"))


def parse_uuid(text: str) -> str | None:
    """The UUID in lower case, if it has the canonical form; None otherwise."""
    return text.lower() if _UUID.match(text.lower()) else None


def id_pattern() -> str:
    """A regular expression of numeric ids up to the greatest, for documents: `parse_id` decides."""
    greatest = str(MAX_ID)
    shorter = f"[1-9][0-9]{{0,{len(greatest) - 2}}}"
    smaller = (
        f"{greatest[:place]}[{0 if place else 1}-{int(digit) - 1}][0-9]{{{len(greatest) - place - 1}}}"
        for place, digit in enumerate(greatest)
        if int(digit) > (0 if place else 1)
    )
    return f"({'|'.join([shorter, *smaller, greatest])})"


def product_gid(product_id: int) -> str:
    return f"{_GID}Product/{product_id}"


def variant_gid(variant_id: int) -> str:
    return f"{_GID}ProductVariant/{variant_id}"
