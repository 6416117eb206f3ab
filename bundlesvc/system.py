"""The system clock and cryptographically secure random ids."""

import os
import secrets
import time

from bundlesvc.domain.identifiers import MAX_ID

_NUMBER_BYTES, _UNIQUE_BYTES = 8, 16
_BUNDLE_BYTES = _NUMBER_BYTES + _UNIQUE_BYTES

READ_AHEAD = 128
"""The number of configured bundles for which random bytes are read at once. Each read releases the interpreter's lock, and may
then have to wait until the writer's thread releases it."""


class SystemClock:
    """Implements the `Clock` port with the system's time."""

    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)


class RandomIds:
    """Implements the `Ids` port with random ids."""

    def __init__(self) -> None:
        self._unused: list[bytes] = []
        self._process = os.getpid()

    def configured_bundle(self) -> tuple[int, str]:
        random = self._bundle_bytes()
        return int.from_bytes(random[:_NUMBER_BYTES], "big") % MAX_ID + 1, random[_NUMBER_BYTES:].hex()

    def _bundle_bytes(self) -> bytes:
        """Return random bytes that are used for one bundle only, and in no other process."""
        if not self._unused or self._process != os.getpid():
            read = secrets.token_bytes(READ_AHEAD * _BUNDLE_BYTES)
            self._unused = [read[start : start + _BUNDLE_BYTES] for start in range(0, len(read), _BUNDLE_BYTES)]
            self._process = os.getpid()
        return self._unused.pop()

    def unique_id(self) -> str:
        return secrets.token_hex(_UNIQUE_BYTES)

    def key_secret(self) -> str:
        return secrets.token_urlsafe(32)
