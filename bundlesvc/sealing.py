"""Fernet: discount strings, signed and encrypted (design 9). The first key signs, all of them open, so that keys rotate."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from bundlesvc.ports import SealBroken


class FernetSealer:
    """The port `Sealer`. Raises ValueError when there is no key, or one is not 32 bytes in URL-safe base64."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._fernet = MultiFernet([Fernet(key) for key in keys])

    def seal(self, claims: Mapping[str, Any], now: int) -> str:
        return self._fernet.encrypt_at_time(orjson.dumps(claims), now).decode()

    def unseal(self, token: str) -> dict[str, Any]:
        try:
            claims = orjson.loads(self._fernet.decrypt(token.encode()))
        except (InvalidToken, orjson.JSONDecodeError, UnicodeEncodeError) as error:
            raise SealBroken from error
        if not isinstance(claims, dict):
            raise SealBroken
        return claims


def new_secret_key() -> str:
    """A key for `BUNDLESVC_SECRET_KEYS`."""
    return Fernet.generate_key().decode()
