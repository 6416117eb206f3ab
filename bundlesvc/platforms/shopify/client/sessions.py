"""Opens sessions with shops. All sessions of a shop share one client, including its circuit breaker and query-cost points, and
one access token."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.live_platform.platform_change import ProductUpdate
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics, ClientState
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.retrying_client import RetryingClient
from bundlesvc.platforms.shopify.client.token_renewal import AccessTokens
from bundlesvc.platforms.shopify.client.transport import ShopTransport
from bundlesvc.ports import CredentialStore, OwnUpdates


class AdminSessions:
    """Opens sessions with the Admin API of each shop. `timeout`: the seconds that one session may take, including waits and
    retries. `own_updates`: where the service's own changes to products are recorded."""

    def __init__(
        self,
        transport: ShopTransport,
        connections: CredentialStore,
        policy: RetryPolicy,
        timeout: float,
        own_updates: OwnUpdates | None = None,
        statistics: CallStatistics | None = None,
    ) -> None:
        self._transport = transport
        self._tokens = AccessTokens(transport, connections, policy.clock, timeout, policy.sleep)
        self._policy = policy
        self._clock = policy.clock
        self._timeout = timeout
        self._own_updates = own_updates
        self._statistics = statistics or CallStatistics()
        self._clients: dict[str, RetryingClient] = {}
        self._shops: dict[str, str] = {}
        """The handle of each shop that has a client, by the shop's domain."""

    async def open(self, tenant: Tenant) -> AdminSession:
        """Open a new session with the shop. Its timeout starts now, and includes the time to fetch an access token if one is
        needed. Raises the same errors as the session's methods, and StorageUnavailable when the shop's connection cannot be
        read."""
        deadline = Deadline(self._clock, self._timeout)
        connection = await self._tokens.connection(tenant, deadline)
        self._shops[connection.domain] = tenant.shop.handle
        replacement, record_update = partial(self._tokens.replacement, tenant), partial(self._record_update, tenant)
        return AdminSession(self._client(connection), connection, deadline, replacement, record_update)

    def client_states(self) -> Iterator[ClientState]:
        """Yield the client state of each shop whose platform has been called, for the metrics."""
        for domain, handle in self._shops.items():
            yield self._clients[domain].state(handle)

    async def renew_token(self, tenant: Tenant) -> None:
        """Request a new token, to check whether the shop still issues tokens to its app. A fixed token does not change."""
        await self._tokens.renew(tenant, Deadline(self._clock, self._timeout))

    async def aclose(self) -> None:
        """Cancel token renewals in progress."""
        await self._tokens.aclose()

    async def _record_update(self, tenant: Tenant, update: ProductUpdate) -> None:
        """Record a product update that the service itself made, so that the update's webhook can be recognised. If recording
        fails, this webhook is handled like one for any other change."""
        if self._own_updates is not None:
            with suppress(StorageUnavailable):
                await self._own_updates.add(tenant, update, int(self._clock.now()))

    def _client(self, connection: PlatformConnection) -> RetryingClient:
        client = self._clients.get(connection.domain)
        if client is None:
            client = RetryingClient(connection, self._transport, self._policy, self._statistics)
            self._clients[connection.domain] = client
        else:
            client.connected(connection)
        return client
