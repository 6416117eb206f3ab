"""Fernet tokens: discount strings, stored credentials, sessions and preview links, encrypted and signed with keys derived from
the same secrets."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bundlesvc.ports import TokenInvalid

DISCOUNT, CREDENTIALS, SESSION = b"bundlesvc discount", b"bundlesvc credentials", b"bundlesvc session"
PREVIEW_LINK = b"bundlesvc preview link"
"""The labels for HKDF (RFC 5869), one per purpose, so that a key for one purpose cannot decrypt data for another purpose."""

KEY_BYTES = 32


class FernetCipher:
    """Implements the `RotatingCipher` port: the first key encrypts and every key decrypts, so keys can be rotated.

    Raises ValueError when there is no key, or a key is not 32 bytes in URL-safe base64.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        self._fernet = MultiFernet([Fernet(key) for key in keys])
        self._first = Fernet(keys[0])

    def seal(self, claims: Mapping[str, Any], now: int) -> str:
        return self._first.encrypt_at_time(orjson.dumps(claims), now).decode()

    def unseal(self, token: str) -> dict[str, Any]:
        try:
            claims = orjson.loads(self._fernet.decrypt(token.encode()))
        except (InvalidToken, orjson.JSONDecodeError, UnicodeEncodeError) as error:
            raise TokenInvalid from error
        if not isinstance(claims, dict):
            raise TokenInvalid
        return claims

    def is_current(self, token: str) -> bool:
        try:
            self._first.decrypt(token.encode())
        except (InvalidToken, UnicodeEncodeError):
            return False
        return True


def discount_cipher(secrets: Sequence[str]) -> FernetCipher:
    """Build the cipher for discount strings from `BUNDLESVC_SECRET_KEYS`. Raises the same errors as `FernetCipher`."""
    return _cipher(secrets, DISCOUNT)


def credentials_cipher(secrets: Sequence[str]) -> FernetCipher:
    """Build the cipher for the credentials of live platforms from `BUNDLESVC_SECRET_KEYS`. Raises the same errors as
    `FernetCipher`."""
    return _cipher(secrets, CREDENTIALS)


def session_cipher(secrets: Sequence[str]) -> FernetCipher:
    """Build the cipher for browser sessions from `BUNDLESVC_SECRET_KEYS`. Raises the same errors as `FernetCipher`."""
    return FernetCipher(derived_keys(secrets, SESSION))


def preview_link_cipher(secrets: Sequence[str]) -> FernetCipher:
    """Build the cipher for preview links from `BUNDLESVC_SECRET_KEYS`. Raises the same errors as `FernetCipher`."""
    return FernetCipher(derived_keys(secrets, PREVIEW_LINK))


def derived_keys(secrets: Sequence[str], label: bytes) -> list[str]:
    """Derive the Fernet keys for one purpose, in the order of the secrets."""
    return [_derived_key(secret, label) for secret in secrets]


def new_secret_key() -> str:
    """Generate a key for `BUNDLESVC_SECRET_KEYS`."""
    return Fernet.generate_key().decode()


def _cipher(secrets: Sequence[str], label: bytes) -> FernetCipher:
    """Build the cipher with the derived keys. The secrets themselves are used only to decrypt tokens created by the previous
    release."""
    return FernetCipher([*derived_keys(secrets, label), *secrets])


def _derived_key(secret: str, label: bytes) -> str:
    hkdf = HKDF(SHA256(), KEY_BYTES, salt=None, info=label)
    return base64.urlsafe_b64encode(hkdf.derive(base64.urlsafe_b64decode(secret))).decode()
