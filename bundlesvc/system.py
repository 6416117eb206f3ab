"""The system clock and cryptographically secure random ids."""

import secrets
import time

from bundlesvc.domain.identifiers import MAX_ID


class SystemClock:
    """Implements the `Clock` port with the system's time."""

    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)


class RandomIds:
    """Implements the `Ids` port with random ids."""

    def configured_bundle_id(self) -> int:
        return secrets.randbelow(MAX_ID) + 1

    def unique_id(self) -> str:
        return secrets.token_hex(16)

    def key_secret(self) -> str:
        return secrets.token_urlsafe(32)
