"""News of live platforms: webhooks are recorded, and every process forgets what they say changed."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from bundlesvc.domain.errors import SignatureInvalid
from bundlesvc.domain.platform_change import NumberedChange
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import (
    ChangeLog,
    Clock,
    CredentialStore,
    PlatformCache,
    SharedPlatformCache,
    SignedMessage,
    WebhookReader,
)
from bundlesvc.services.tenants import Tenants


@dataclass(frozen=True, slots=True)
class Incoming:
    """A delivery whose body is on its way."""

    tenant: Tenant
    message: SignedMessage


class WebhookInbox:
    """The use case of a webhook: once it is answered, what it says is on disk."""

    def __init__(
        self,
        tenants: Tenants,
        connections: CredentialStore,
        readers: Mapping[str, WebhookReader],
        log: ChangeLog,
        clock: Clock,
    ) -> None:
        self._tenants = tenants
        self._connections = connections
        self._readers = readers
        self._log = log
        self._clock = clock

    async def expect(self, handle: str, headers: Mapping[str, str]) -> Incoming:
        """Begin a delivery whose body is not read yet. A shop that is unknown or not connected looks like a wrong signature.
        Raises SignatureInvalid, InvalidRequest, StorageUnavailable."""
        tenant = self._tenants.with_handle(handle)
        connection = tenant and await self._connections.of(tenant)
        reader = tenant and self._readers.get(tenant.shop.platform.kind)
        if not (tenant and connection and reader):
            raise SignatureInvalid
        return Incoming(tenant, reader.expect(headers, connection.domain, connection.webhook_secret))

    async def receive(self, incoming: Incoming) -> None:
        """Record a delivery whose body has been read. One that came before, also under another id, changes nothing. Raises
        SignatureInvalid, InvalidRequest, InvalidJson, StorageUnavailable."""
        await self._log.record(incoming.tenant, incoming.message.finish(), int(self._clock.now()))


class ChangeFollower:
    """Reads the log once a second, and makes every memory of this process forget what changed: the one that it shares with
    others, and its own."""

    def __init__(
        self, log: ChangeLog, tenants: Tenants, shared: SharedPlatformCache, own: Iterable[PlatformCache] = ()
    ) -> None:
        self._log = log
        self._tenants = tenants
        self._shared = shared
        self._memories = (shared, *own)
        self._newest = 0
        self._following = asyncio.Lock()

    async def start(self) -> None:
        """Learn what changed before this process was there: others may have read it before it changed, and nobody since.
        Raises StorageUnavailable."""
        recent = await self._log.after(0)
        for tenant, changes in self._by_tenant(recent):
            self._shared.recall(tenant, changes)
        if recent:
            self._newest = recent[-1].number

    async def follow(self) -> None:
        """Forget what changed since the last time. Raises StorageUnavailable."""
        async with self._following:  # whoever comes second finds nothing new, and forgets nothing twice
            news = await self._log.after(self._newest)
            for tenant, changes in self._by_tenant(news):
                for memory in self._memories:
                    await memory.drop(tenant, [numbered.change for numbered in changes])
            if news:
                self._newest = news[-1].number

    def _by_tenant(self, news: Sequence[NumberedChange]) -> Iterable[tuple[Tenant, list[NumberedChange]]]:
        for shop_id, changes in groupby(sorted(news, key=lambda one: one.shop_id), key=lambda one: one.shop_id):
            tenant = self._tenants.get(shop_id)
            if tenant is not None:
                yield tenant, list(changes)
