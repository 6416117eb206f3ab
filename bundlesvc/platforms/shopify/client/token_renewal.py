"""The access token of each shop: read from the database, and, for apps with a client ID, renewed before it expires
(docs/decisions/0012-access-tokens.md)."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, replace

from bundlesvc.domain.errors import PlatformNotConnected, PlatformTimeout, StorageUnavailable, Unavailable
from bundlesvc.domain.live_platform.connection import ClientCredentials, PlatformConnection
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.calls.deadline import Deadline, Sleep
from bundlesvc.platforms.calls.notices import Notices
from bundlesvc.platforms.shopify.client.token_requests import request_token
from bundlesvc.platforms.shopify.client.transport import TokenEndpoint
from bundlesvc.ports import Clock, CredentialStore
from bundlesvc.single_flight import SingleFlight, result

logger = logging.getLogger(__name__)

RENEWED_AFTER = 0.75
"""The share of a token's lifetime after which the token is renewed. The old token is still valid then."""
LEAST_LIFE = 30.0
"""The minimum number of seconds for which a token must remain valid to be sent, because clocks differ and calls take time."""
POLL = 0.1
"""Seconds between two checks of whether another process has stored the new token."""
PAUSE, PAUSE_AFTER_REFUSAL, PAUSE_WHILE_GOOD = 1.0, 5.0, 60.0
"""Seconds until a token is requested again: after a failure, after a refusal, and while the old token is still valid."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """A shop's last failed token request: the connection, the time and the reason."""

    connection: PlatformConnection
    at: float
    error: Unavailable

    @property
    def pause(self) -> float:
        return PAUSE_AFTER_REFUSAL if isinstance(self.error, PlatformNotConnected) else PAUSE


class AccessTokens:
    """Renews access tokens, with one request at a time per shop across all processes. A renewal may take at most half of
    `timeout` (in seconds), so that other processes still have time if the renewing process dies. All its methods may also raise
    StorageUnavailable."""

    def __init__(
        self, endpoint: TokenEndpoint, connections: CredentialStore, clock: Clock, timeout: float, sleep: Sleep
    ) -> None:
        self._endpoint = endpoint
        self._connections = connections
        self._clock = clock
        self._timeout = timeout / 2
        self._sleep = sleep
        self._renewals: SingleFlight[tuple[int, PlatformConnection], PlatformConnection] = SingleFlight()
        self._failures: dict[int, _Failure] = {}
        self._notices: dict[str, Notices] = {}

    async def connection(self, tenant: Tenant, deadline: Deadline) -> PlatformConnection:
        """Return the shop's connection with a token that is valid as far as the service knows. Raises PlatformNotConnected,
        PlatformUnavailable, PlatformFailed and PlatformTimeout."""
        stored = await self._stored(tenant)
        if stored.grant is None:
            return stored
        if not self._valid(stored.grant):
            return await self._renewed(tenant, stored, deadline)
        failure = self._failure(tenant, stored)
        if self._clock.now() >= _due(stored.grant) and (failure is None or self._since(failure) >= PAUSE_WHILE_GOOD):
            self._renewal(tenant, stored)
        return _unclaimed(stored)

    async def replacement(
        self, tenant: Tenant, refused: PlatformConnection, deadline: Deadline
    ) -> PlatformConnection | None:
        """Return the connection to use after the shop has refused the token of `refused`. Returns None when there is no other
        token, or when the refused token was issued only seconds ago. Raises the same errors as `connection`."""
        stored = await self._stored(tenant)
        if stored.access_token not in ("", refused.access_token):
            return _unclaimed(stored)
        if stored.grant is None or 0 <= self._clock.now() - stored.grant.obtained_at < PAUSE_AFTER_REFUSAL:
            return None
        return await self._renewed(tenant, stored, deadline)

    async def renew(self, tenant: Tenant, deadline: Deadline) -> None:
        """Request a new token, even if the old one is valid. A fixed token does not change. Raises the same errors as
        `connection`."""
        stored = await self._stored(tenant)
        if stored.grant is not None:
            await self._renewed(tenant, stored, deadline)

    async def aclose(self) -> None:
        """Cancel the renewals in progress."""
        await self._renewals.aclose()

    async def _stored(self, tenant: Tenant) -> PlatformConnection:
        connection = await self._connections.of(tenant)
        if connection is None:
            raise PlatformNotConnected
        return connection

    async def _renewed(self, tenant: Tenant, stored: PlatformConnection, deadline: Deadline) -> PlatformConnection:
        failure = self._failure(tenant, stored)
        if failure is not None and self._since(failure) < failure.pause:
            raise failure.error.with_traceback(None)
        try:
            async with asyncio.timeout(deadline.ends_at - self._clock.monotonic()):
                return await result(self._renewal(tenant, stored))
        except TimeoutError as error:
            raise PlatformTimeout from error

    def _failure(self, tenant: Tenant, stored: PlatformConnection) -> _Failure | None:
        """Return the last failure of this connection. A shop that was connected again has a new connection, without failures."""
        failure = self._failures.get(tenant.id)
        return failure if failure is not None and failure.connection == _unclaimed(stored) else None

    def _since(self, failure: _Failure) -> float:
        return self._clock.monotonic() - failure.at

    def _renewal(self, tenant: Tenant, stored: PlatformConnection) -> asyncio.Task[PlatformConnection]:
        """Return the renewal in progress for this connection's token; start one if there is none."""
        return self._renewals.start_or_join((tenant.id, _unclaimed(stored)), lambda: self._renew_once(tenant, stored))

    async def _renew_once(self, tenant: Tenant, stored: PlatformConnection) -> PlatformConnection:
        """Renew the token. Records the failure if that fails."""
        try:
            return await self._renew(tenant, stored)
        except Unavailable as error:
            self._failures[tenant.id] = _Failure(_unclaimed(stored), self._clock.monotonic(), error)
            raise
        except Exception:
            logger.exception("renewing an access token failed")
            raise

    async def _renew(self, tenant: Tenant, stored: PlatformConnection) -> PlatformConnection:
        """Return the connection with a new token, or the connection that another process or an operator stored in the
        meantime."""
        while stored.grant is not None:
            now = self._clock.now()
            claim = replace(stored, grant=replace(stored.grant, renewing_until=now + self._timeout))
            if not self._claimed(stored.grant) and await self._replace(tenant, stored, claim):
                return await self._fetch(tenant, claim, stored.grant)
            await self._sleep(POLL)
            current = await self._stored(tenant)
            if _unclaimed(current) != _unclaimed(stored) and current.grant is not None and self._valid(current.grant):
                return _unclaimed(current)
            stored = current
        return stored

    async def _fetch(self, tenant: Tenant, claim: PlatformConnection, grant: ClientCredentials) -> PlatformConnection:
        """Fetch a new token while holding a claim, and store it for all processes."""
        now = self._clock.now()
        try:
            token = await request_token(self._endpoint, claim, grant, self._timeout, self._notices_of(claim.domain))
        except (Unavailable, asyncio.CancelledError):
            with suppress(StorageUnavailable):  # on failure, the claim expires by itself
                await self._replace(tenant, claim, _unclaimed(claim))
            raise
        granted = ClientCredentials(grant.client_id, now, now + token.seconds, refresh_token=token.refresh_token)
        renewed = replace(claim, access_token=token.value, grant=granted)
        return renewed if await self._replace(tenant, claim, renewed) else await self._stored(tenant)

    async def _replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection) -> bool:
        return await self._connections.replace(tenant, old, new, int(self._clock.now()))

    def _notices_of(self, domain: str) -> Notices:
        return self._notices.setdefault(domain, Notices(domain))

    def _claimed(self, grant: ClientCredentials) -> bool:
        """Whether a process is fetching a token. A claim that expires too far in the future is ignored, because the clock of the
        claiming process must be wrong."""
        return 0 < grant.renewing_until - self._clock.now() <= 2 * self._timeout

    def _valid(self, grant: ClientCredentials) -> bool:
        least = min(LEAST_LIFE, (grant.expires_at - grant.obtained_at) / 10)
        return self._clock.now() < grant.expires_at - least


def _due(grant: ClientCredentials) -> float:
    """Return the time at which the token should be renewed (seconds since 1970)."""
    return grant.obtained_at + RENEWED_AFTER * (grant.expires_at - grant.obtained_at)


def _unclaimed(connection: PlatformConnection) -> PlatformConnection:
    """Return the connection without the claim of a process that is renewing its token."""
    return replace(connection, grant=connection.grant and replace(connection.grant, renewing_until=0))
