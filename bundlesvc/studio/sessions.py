"""Sessions of the studio. A session is a management key, encrypted in a cookie that no script can read.

A session ends after `LIFETIME` seconds, when its key is revoked, or when the browser is told to delete the cookie. It is valid
only for the host for which it was opened.
"""

from dataclasses import dataclass

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.errors import KeyInvalid, KeyScope
from bundlesvc.ports import Clock, TokenCipher, TokenInvalid
from bundlesvc.services.access.authentication import Authentication

LIFETIME = 12 * 60 * 60
READ = "manage:read"
"""The scope that a key needs for any use of the studio."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session: its caller, and the authorization header that contains its key."""

    caller: Caller
    authorization: str


class Sessions:
    """Opens sessions, and finds a session by its token."""

    def __init__(self, cipher: TokenCipher, authentication: Authentication, clock: Clock) -> None:
        self._cipher = cipher
        self._authentication = authentication
        self._clock = clock

    async def open(self, key: str, host: str, address: str) -> tuple[Session, str]:
        """Open a session with a management key. Returns the session with the token to store in the browser. An invalid key counts
        as a guess from this address. Raises KeyInvalid, KeyScope, RateLimited and StorageUnavailable."""
        session = await self._session(f"Bearer {key}", address)
        now = int(self._clock.now())
        return session, self._cipher.seal({"key": key, "host": host, "until": now + LIFETIME}, now)

    async def find(self, token: str, host: str, address: str) -> Session | None:
        """Return the session for a token, or None when the session has ended. Raises RateLimited and StorageUnavailable."""
        try:
            claims = self._cipher.unseal(token)
        except TokenInvalid:
            return None
        if claims.get("host") != host or not claims.get("until", 0) > self._clock.now():
            return None
        try:
            return await self._session(f"Bearer {claims['key']}", address)
        except (KeyInvalid, KeyScope):  # the key was revoked in the meantime
            return None

    async def _session(self, authorization: str, address: str) -> Session:
        caller = self._authentication.cached(authorization)
        if caller is None:
            caller = await self._authentication.identify(authorization, address)
        caller.admit(READ, origin=None)
        return Session(caller, authorization)
