"""Decrypts discount strings."""

from typing import Any

import orjson
from cryptography.fernet import Fernet

from bundlesvc.token_cipher import DISCOUNT, derived_keys
from tests.conftest import SECRET_KEY


def claims(token: str, secret: str = SECRET_KEY) -> Any:
    """Decrypt the claims of a discount string."""
    return orjson.loads(discount_key(secret).decrypt(token))


def discount_key(secret: str = SECRET_KEY) -> Fernet:
    """The key that encrypts discount strings, derived from a secret."""
    [key] = derived_keys([secret], DISCOUNT)
    return Fernet(key)
