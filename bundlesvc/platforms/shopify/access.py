"""The access token of each shop: the one that is kept, and for apps with a client id a new one before it expires."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, replace

from bundlesvc.domain.connection import ClientCredentials, Connection
from bundlesvc.domain.errors import PlatformNotConnected, PlatformTimeout, StorageUnavailable, Unavailable
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.bucket import Sleep
from bundlesvc.platforms.shopify.deadline import Deadline
from bundlesvc.platforms.shopify.notices import Notices
from bundlesvc.platforms.shopify.token_requests import request_token
from bundlesvc.platforms.shopify.transport import TokenEndpoint
from bundlesvc.ports import Clock, CredentialStore
from bundlesvc.single_flight import SingleFlight, result

logger = logging.getLogger(__name__)

RENEWED_AFTER = 0.75
"""The share of its life after which a token is renewed, while it is still good."""
LEAST_LIFE = 30.0
"""A token with fewer seconds to live is not sent any more: clocks differ, and calls take time."""
POLL = 0.1
"""Seconds between two looks at whether another process has the new token."""
PAUSE, PAUSE_AFTER_REFUSAL, PAUSE_WHILE_GOOD = 1.0, 5.0, 60.0
"""Seconds until a token that somebody waits for is asked for again, after a failure and after a refusal; and until one that
nobody waits for is."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """What the last request for a token came to, with this connection, and when."""

    connection: Connection
    at: float
    error: Unavailable

    @property
    def pause(self) -> float:
        return PAUSE_AFTER_REFUSAL if isinstance(self.error, PlatformNotConnected) else PAUSE


class AccessTokens:
    """Renews tokens: one request at a time for a shop, whatever the number of requests and processes. Half of the time that a
    question has (`timeout`, seconds) is for it, so that a process which dies over it spoils no question of the others.
    Its methods raise StorageUnavailable too."""

    def __init__(
        self, endpoint: TokenEndpoint, connections: CredentialStore, clock: Clock, timeout: float, sleep: Sleep
    ) -> None:
        self._endpoint = endpoint
        self._connections = connections
        self._clock = clock
        self._patience = timeout / 2
        self._sleep = sleep
        self._renewals: SingleFlight[tuple[int, Connection], Connection] = SingleFlight()
        self._failures: dict[int, _Failure] = {}
        self._notices: dict[str, Notices] = {}

    async def connection(self, tenant: Tenant, deadline: Deadline) -> Connection:
        """How the shop is reached now, with a token that is good as far as is known. Raises PlatformNotConnected,
        PlatformUnavailable, PlatformFailed and PlatformTimeout."""
        kept = await self._kept(tenant)
        if kept.grant is None:
            return kept
        if not self._good(kept.grant):
            return await self._renewed(tenant, kept, deadline)
        failure = self._failure(tenant, kept)
        if self._clock.now() >= _due(kept.grant) and (failure is None or self._since(failure) >= PAUSE_WHILE_GOOD):
            self._renewal(tenant, kept)
        return _unclaimed(kept)

    async def another(self, tenant: Tenant, refused: Connection, deadline: Deadline) -> Connection | None:
        """The connection to use in place of one whose token the shop refused; None when there is none, or when the refused
        token is brand-new. Raises as `connection`."""
        kept = await self._kept(tenant)
        if kept.access_token not in ("", refused.access_token):
            return _unclaimed(kept)
        if kept.grant is None or 0 <= self._clock.now() - kept.grant.obtained_at < PAUSE_AFTER_REFUSAL:
            return None
        return await self._renewed(tenant, kept, deadline)

    async def renew(self, tenant: Tenant, deadline: Deadline) -> None:
        """Have a new token where the shop gives any, whether or not the old one is good. Raises as `connection`."""
        kept = await self._kept(tenant)
        if kept.grant is not None:
            await self._renewed(tenant, kept, deadline)

    async def aclose(self) -> None:
        """Cancel the renewals that are running."""
        await self._renewals.aclose()

    async def _kept(self, tenant: Tenant) -> Connection:
        connection = await self._connections.of(tenant)
        if connection is None:
            raise PlatformNotConnected
        return connection

    async def _renewed(self, tenant: Tenant, kept: Connection, deadline: Deadline) -> Connection:
        failure = self._failure(tenant, kept)
        if failure is not None and self._since(failure) < failure.pause:
            raise failure.error.with_traceback(None)
        try:
            async with asyncio.timeout(deadline.remaining):
                return await result(self._renewal(tenant, kept))
        except TimeoutError as error:
            raise PlatformTimeout from error

    def _failure(self, tenant: Tenant, kept: Connection) -> _Failure | None:
        """What is connected anew has not failed yet: it is another connection."""
        failure = self._failures.get(tenant.id)
        return failure if failure is not None and failure.connection == _unclaimed(kept) else None

    def _since(self, failure: _Failure) -> float:
        return self._clock.monotonic() - failure.at

    def _renewal(self, tenant: Tenant, kept: Connection) -> asyncio.Task[Connection]:
        """The running renewal of this connection's token, or a new one."""
        return self._renewals.start_or_join((tenant.id, _unclaimed(kept)), lambda: self._renew_once(tenant, kept))

    async def _renew_once(self, tenant: Tenant, kept: Connection) -> Connection:
        """Renew the token, and record a failure."""
        try:
            return await self._renew(tenant, kept)
        except Unavailable as error:
            self._failures[tenant.id] = _Failure(_unclaimed(kept), self._clock.monotonic(), error)
            raise
        except Exception:
            logger.exception("the renewal of an access token failed")
            raise

    async def _renew(self, tenant: Tenant, kept: Connection) -> Connection:
        """The connection with a new token, or the one that another process or an operator came to meanwhile."""
        while kept.grant is not None:
            now = self._clock.now()
            claim = replace(kept, grant=replace(kept.grant, renewing_until=now + self._patience))
            if not self._claimed(kept.grant) and await self._replace(tenant, kept, claim):
                return await self._ask(tenant, claim, kept.grant)
            await self._sleep(POLL)
            current = await self._kept(tenant)
            if _unclaimed(current) != _unclaimed(kept) and current.grant is not None and self._good(current.grant):
                return _unclaimed(current)
            kept = current
        return kept

    async def _ask(self, tenant: Tenant, claim: Connection, grant: ClientCredentials) -> Connection:
        """A new token, kept for all processes, on the strength of a claim."""
        now = self._clock.now()
        try:
            token = await request_token(self._endpoint, claim, grant, self._patience, self._notices_of(claim.domain))
        except (Unavailable, asyncio.CancelledError):
            with suppress(StorageUnavailable):  # then the claim ends by itself
                await self._replace(tenant, claim, _unclaimed(claim))
            raise
        granted = ClientCredentials(grant.client_id, now, now + token.seconds)
        renewed = replace(claim, access_token=token.value, grant=granted)
        return renewed if await self._replace(tenant, claim, renewed) else await self._kept(tenant)

    async def _replace(self, tenant: Tenant, old: Connection, new: Connection) -> bool:
        return await self._connections.replace(tenant, old, new, int(self._clock.now()))

    def _notices_of(self, domain: str) -> Notices:
        return self._notices.setdefault(domain, Notices(domain))

    def _claimed(self, grant: ClientCredentials) -> bool:
        """Whether a process asks for a token. One whose clock is far off holds nobody up."""
        return 0 < grant.renewing_until - self._clock.now() <= 2 * self._patience

    def _good(self, grant: ClientCredentials) -> bool:
        least = min(LEAST_LIFE, (grant.expires_at - grant.obtained_at) / 10)
        return self._clock.now() < grant.expires_at - least


def _due(grant: ClientCredentials) -> float:
    """When it is time for the next token (seconds since 1970)."""
    return grant.obtained_at + RENEWED_AFTER * (grant.expires_at - grant.obtained_at)


def _unclaimed(connection: Connection) -> Connection:
    """The same connection, whether or not somebody asks for its next token just now."""
    return replace(connection, grant=connection.grant and replace(connection.grant, renewing_until=0))
