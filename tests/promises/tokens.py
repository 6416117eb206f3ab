"""Discount strings, decrypted using only the primitives of `cryptography` (docs/discount-string.md)."""

import base64
import json
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def discount_key(secret: str) -> bytes:
    """Derive the discount key from the secret (HKDF, RFC 5869, without salt)."""
    return HKDF(SHA256(), 32, None, b"bundlesvc discount").derive(base64.urlsafe_b64decode(secret))


def written_key(secret: str) -> str:
    """Return the key in the format of the function's configuration."""
    return base64.urlsafe_b64encode(discount_key(secret)).decode()


def opened(token: str, secret: str) -> dict[str, Any]:
    """Verify and decrypt a discount string, and return its claims. Raises InvalidSignature."""
    key, data = discount_key(secret), base64.urlsafe_b64decode(token)
    signed, signature = data[:-32], data[-32:]
    check = HMAC(key[:16], SHA256())
    check.update(signed)
    check.verify(signature)
    decryptor = Cipher(algorithms.AES(key[16:]), modes.CBC(signed[9:25])).decryptor()
    padded = decryptor.update(signed[25:]) + decryptor.finalize()
    claims: dict[str, Any] = json.loads(padded[: -padded[-1]])
    return claims
