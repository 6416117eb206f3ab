"""Encodings of stored responses. A configure response repeats the configured bundle, and contains its discount string twice: as
`discount`, and in the cart."""

import zlib

DISCOUNT_ONCE = "discount once"
"""The encoding of a short response: the discount string, then the parts of the response around it, all separated by `_SEPARATOR`.
Deflating a short response takes ten times as long, and saves twice as much (docs/decisions/0051-keys-looked-up-late.md)."""

DEFLATE = "deflate"
"""The encoding of a long response, and of a response without a discount string."""

MAX_SHORT = 4096
"""The length of the longest short response, in bytes. Longer responses repeat much more than the discount string."""

_FIELD = b'"discount":"'
_SEPARATOR = b"\0"  # never part of JSON, which escapes control characters

_FEW = 32
"""The number of bytes at the start of a discount string that are searched for. They hardly ever occur elsewhere, and searching
for the whole string would take three times as long."""

_WINDOW, _MEMORY = 13, 6
"""Parameters that limit the memory of zlib, as powers of two: by default, zlib clears 256 kB per response. A typical response
repeats itself well within a window of 8 kB."""


def encode_response(body: bytes) -> tuple[bytes, str]:
    """Encode a response for the database. Returns the encoded body and the name of the encoding."""
    parts = _split_at_discount(body) if len(body) <= MAX_SHORT else None
    return (_deflated(body), DEFLATE) if parts is None else (_SEPARATOR.join(parts), DISCOUNT_ONCE)


def decode_response(stored: bytes, encoding: str) -> bytes:
    """Decode a stored response. A response stored by an older version of the service may have no encoding. Raises zlib.error."""
    if encoding == DISCOUNT_ONCE:
        discount, *parts = stored.split(_SEPARATOR)
        return discount.join(parts)
    return zlib.decompress(stored) if encoding == DEFLATE else stored


def _split_at_discount(body: bytes) -> tuple[bytes, bytes, bytes, bytes] | None:
    """Split a response into its discount string and the three parts around the two copies of the string. Returns None unless the
    response contains two copies."""
    before, field, rest = body.partition(_FIELD)
    discount, quote, rest = rest.partition(b'"')
    if not discount or _SEPARATOR in body:
        return None
    start, end = discount[:_FEW], discount[_FEW:]
    between, copy, rest = rest.partition(start)
    if not copy or not rest.startswith(end):
        return None
    return discount, before + field, quote + between, rest.removeprefix(end)


def _deflated(body: bytes) -> bytes:
    packer = zlib.compressobj(zlib.Z_BEST_SPEED, wbits=_WINDOW, memLevel=_MEMORY)
    return packer.compress(body) + packer.flush()
