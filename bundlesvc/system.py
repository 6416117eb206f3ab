"""The system clock and cryptographically secure random ids."""

import secrets
import time

from bundlesvc.domain.identifiers import MAX_ID

_NUMBER_BYTES, _UNIQUE_BYTES = 8, 16


class SystemClock:
    """Implements the `Clock` port with the system's time."""

    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)


class RandomIds:
    """Implements the `Ids` port with random ids."""

    def configured_bundle(self) -> tuple[int, str]:
        random = secrets.token_bytes(_NUMBER_BYTES + _UNIQUE_BYTES)
        return int.from_bytes(random[:_NUMBER_BYTES], "big") % MAX_ID + 1, random[_NUMBER_BYTES:].hex()

    def unique_id(self) -> str:
        return secrets.token_hex(_UNIQUE_BYTES)

    def key_secret(self) -> str:
        return secrets.token_urlsafe(32)
