"""Follows changes on live platforms: records webhooks, and evicts changed data from the caches of every process."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby

from bundlesvc.domain.errors import SignatureInvalid
from bundlesvc.domain.live_platform.platform_change import Delivery, NumberedChange, ProductUpdate
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import (
    ChangeLog,
    Clock,
    CredentialStore,
    OwnUpdates,
    PlatformCache,
    SharedPlatformCache,
    ShopStore,
    SignedMessage,
    WebhookReader,
)
from bundlesvc.services.shops import Tenants

NEW, REPEATED, OUR_OWN = "new", "repeated", "our_own"
"""The outcomes of receiving a webhook."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A webhook whose body has not been read yet, as one message for each shop that it may concern."""

    messages: Sequence[tuple[Tenant, SignedMessage]]

    @property
    def shop_ids(self) -> tuple[int, ...]:
        return tuple(tenant.id for tenant, _ in self.messages)

    def feed(self, part: bytes) -> None:
        for _, message in self.messages:
            message.feed(part)


class WebhookInbox:
    """Receives webhooks. The changes that they report are on disk before the response is sent."""

    def __init__(
        self,
        tenants: Tenants,
        connections: CredentialStore,
        readers: Mapping[str, WebhookReader],
        log: ChangeLog,
        own_updates: OwnUpdates,
        shops: ShopStore,
        clock: Clock,
    ) -> None:
        self._tenants = tenants
        self._connections = connections
        self._readers = readers
        self._log = log
        self._own_updates = own_updates
        self._shops = shops
        self._clock = clock
        self.received: Counter[tuple[str, str, str]] = Counter()
        """The number of genuine webhooks by topic, outcome and shop, for the metrics."""

    async def expect(self, handle: str | None, headers: Mapping[str, str]) -> Incoming:
        """Check the headers of a webhook before its body is read. Without a handle, the webhook is for every connected shop whose
        domain is in the headers. An unknown or unconnected shop is reported as a wrong signature. Raises SignatureInvalid,
        InvalidRequest, StorageUnavailable."""
        messages = []
        for tenant in self._addressed(handle, headers):
            reader = self._readers.get(tenant.shop.platform.kind)
            if reader is None or not reader.is_addressed(headers, tenant.shop.platform.domain or ""):
                continue
            connection = await self._connections.of(tenant)
            if connection:
                with suppress(SignatureInvalid):
                    messages.append((tenant, reader.expect(headers, connection.domain, connection.webhook_secrets)))
        if not messages:
            raise SignatureInvalid
        return Incoming(messages)

    def _addressed(self, handle: str | None, headers: Mapping[str, str]) -> Iterator[Tenant]:
        if handle is None:
            for kind, reader in self._readers.items():
                yield from self._tenants.on_platform(kind, reader.domain(headers))
        elif tenant := self._tenants.with_handle(handle):
            yield tenant

    async def receive(self, incoming: Incoming) -> None:
        """Record a webhook whose body has been read, for every shop whose app has signed it. Ignores repeated webhooks, even
        under another id, and webhooks that report a change made by this service. Raises SignatureInvalid, InvalidRequest,
        InvalidJson, StorageUnavailable."""
        deliveries = []
        for tenant, message in incoming.messages:
            with suppress(SignatureInvalid):  # shops with the same domain may be connected through different apps
                deliveries.append((tenant, message.finish()))
        if not deliveries:
            raise SignatureInvalid
        for tenant, delivery in deliveries:
            await self._record(tenant, delivery)

    async def _record(self, tenant: Tenant, delivery: Delivery) -> None:
        our_own = delivery.update is not None and await self._is_our_own(tenant, delivery.update)
        new = await self._log.record(tenant, replace(delivery, our_own=our_own), int(self._clock.now()))
        outcome = OUR_OWN if our_own else NEW if new else REPEATED
        self.received[delivery.topic, outcome, tenant.shop.handle] += 1

    async def _is_our_own(self, tenant: Tenant, update: ProductUpdate) -> bool:
        """Whether a webhook reports a product update made by this service, recognised by the time of the update, in whole
        seconds. Always False for products in bundles, because a merchant's change in the same second would look the same."""
        if not await self._own_updates.includes(tenant, update):
            return False
        return not await self._shops.is_item(tenant, update.product_id)


class ChangeFollower:
    """Reads the log of changes once a second, and evicts changed data from this process's own caches and from the shared
    cache."""

    def __init__(
        self, log: ChangeLog, tenants: Tenants, shared: SharedPlatformCache, own: Iterable[PlatformCache] = ()
    ) -> None:
        self._log = log
        self._tenants = tenants
        self._shared = shared
        self._caches = (shared, *own)
        self._newest = 0
        self._following = asyncio.Lock()

    async def start(self) -> None:
        """Apply the changes recorded before this process started, because the shared cache may contain entries that are older
        than these changes. Raises StorageUnavailable."""
        recent = await self._log.after(0)
        for tenant, changes in self._by_tenant(recent):
            self._shared.recall(tenant, changes)
        if recent:
            self._newest = recent[-1].number

    async def follow(self) -> None:
        """Evict the cached data that has changed since the last call. Raises StorageUnavailable."""
        async with self._following:  # of two concurrent callers, the second finds nothing new and evicts nothing again
            new = await self._log.after(self._newest)
            for tenant, changes in self._by_tenant(new):
                for cache in self._caches:
                    await cache.drop(tenant, [numbered.change for numbered in changes])
            if new:
                self._newest = new[-1].number

    def _by_tenant(self, new: Sequence[NumberedChange]) -> Iterable[tuple[Tenant, list[NumberedChange]]]:
        for shop_id, changes in groupby(sorted(new, key=lambda one: one.shop_id), key=lambda one: one.shop_id):
            tenant = self._tenants.get(shop_id)
            if tenant is not None:
                yield tenant, list(changes)
