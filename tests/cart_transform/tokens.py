"""Discount strings as the compiled function decrypts them, with any of the keys in its configuration."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from cryptography.fernet import Fernet, InvalidToken

from bundlesvc.domain.checkout.discount_promise import MAX_LENGTH

MOST_KEYS = 16
VERSION = 0x80
HEADER, BLOCK, SIGNATURE = 9, 16, 32
"""The lengths of a token's parts in bytes: version and time, one block of the content, and the signature at the end."""


def keys_of(configured: object) -> list[Fernet]:
    """The first valid keys of a configuration, up to the limit."""
    given = configured if isinstance(configured, list) else []
    keys = [key for key in given if isinstance(key, str) and len(_decoded(key)) == 32]
    return [Fernet(f"{key.rstrip('=')}=") for key in keys[:MOST_KEYS]]


def is_token(text: str) -> bool:
    """Whether a string has the form of a token."""
    data = _decoded(text) if len(text) <= MAX_LENGTH else b""
    blocks = len(data) - HEADER - SIGNATURE
    return blocks >= 2 * BLOCK and blocks % BLOCK == 0 and data[0] == VERSION


def open_token(text: str, keys: Sequence[Fernet]) -> Mapping[str, Any] | None:
    """Decrypt a token with the key that encrypted it, and return the claims; None when no key fits. The token must be in
    canonical Base64."""
    data = base64.urlsafe_b64encode(_decoded(text))
    for key in keys:
        try:
            return _claims(key.decrypt(data))
        except InvalidToken:
            continue
    return None


def _decoded(text: str) -> bytes:
    """Decode canonical base64, with or without padding. Returns an empty result for any other string."""
    digits = text.rstrip("=")
    padded = digits + "=" * (-len(digits) % 4)
    try:
        data = base64.urlsafe_b64decode(padded)
    except (ValueError, binascii.Error):
        return b""
    return data if text in (padded, digits) and base64.urlsafe_b64encode(data).decode() == padded else b""


def _claims(content: bytes) -> Mapping[str, Any]:
    """Parse the claims; empty when the content is not a JSON object."""
    try:
        claims = orjson.loads(content)
    except orjson.JSONDecodeError:
        return {}
    return claims if isinstance(claims, dict) else {}
