"""A shop's live platform, for a command: connected as the service would be."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from bundlesvc.cli.demo import demo_settings
from bundlesvc.cli.failing import fail
from bundlesvc.cli.notes import Notes, noting
from bundlesvc.cli.opening import current_database
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.connection import Connection
from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    Unavailable,
)
from bundlesvc.domain.shop import SHOPIFY, Tenant
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.platforms.shopify.transport import HttpTransport, admin_endpoint, endpoint_at
from bundlesvc.ports import CredentialStore
from bundlesvc.settings import Settings
from bundlesvc.storage.credentials import SqlCredentialStore
from bundlesvc.storage.database import Database
from bundlesvc.storage.keys import SqlKeyStore
from bundlesvc.storage.shop_files import SqlShopFileStore
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import credentials_sealer

T = TypeVar("T")

PLATFORM_FAULTS = (PlatformNotConnected, PlatformUnavailable, PlatformFailed, PlatformTimeout)
"""What asking a live platform may raise, beside StorageUnavailable."""


@dataclass(frozen=True, slots=True)
class LiveShop:
    """A shop whose products come from a live platform, and all that a command needs to ask it."""

    tenant: Tenant
    connections: SqlCredentialStore
    platform: ShopifyPlatform
    bundles: Sequence[Bundle]
    unkept: Callable[[Connection], "Unkept"]
    """The same platform, asked through a connection that is not kept yet."""
    notes: Notes

    @property
    def domain(self) -> str:
        """Where it is; the shop's file names it."""
        return self.tenant.shop.platform.domain or ""


def with_live_shop(handle: str, use: Callable[[LiveShop], Awaitable[T]]) -> T:
    """The result of a command's work on a shop's live platform. When that does not answer, the command ends with the reason."""

    async def run() -> T:
        with noting() as notes:
            async with _live_shop(handle, notes) as live:
                try:
                    return await use(live)
                except PLATFORM_FAULTS as error:
                    fail(f"{handle}: {reason_of(error, live.tenant, notes)}")

    return asyncio.run(run())


def reason_of(error: Unavailable, tenant: Tenant, notes: Notes) -> str:
    """Why a shop's platform does not answer: what was noted of it, in its own words where it had some."""
    noted = notes.take()
    if noted:
        return f"{'; '.join(noted)}."
    if isinstance(error, PlatformNotConnected):
        return (
            "not connected, or connected with another domain or other BUNDLESVC_SECRET_KEYS. Connect it: "
            f"bundlesvc platform connect --shop {tenant.shop.handle}"
        )
    return f"{tenant.shop.platform.domain}: {error}"


@asynccontextmanager
async def _live_shop(handle: str, notes: Notes) -> AsyncIterator[LiveShop]:
    settings = settings_with_secrets()
    async with current_database(settings) as database, asking(settings) as ask:
        tenant = await _live_tenant(database, handle)
        shop_file = await SqlShopFileStore(database).stored(handle)
        connections = SqlCredentialStore(database, credentials_sealer(settings.secret_keys))
        bundles = shop_file.bundles if shop_file else ()
        yield LiveShop(tenant, connections, ask(connections), bundles, partial(Unkept, ask), notes)


@asynccontextmanager
async def asking(settings: Settings) -> AsyncIterator[Callable[[CredentialStore], ShopifyPlatform]]:
    """While this lasts, live platforms can be asked through any connections."""
    transport = HttpTransport(endpoint_at(settings.platform_endpoint))
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(transport.opened())

        def ask(connections: CredentialStore) -> ShopifyPlatform:
            platform = ShopifyPlatform(transport, connections, SystemClock(), settings.platform_timeout)
            stack.push_async_callback(platform.aclose)
            return platform

        yield ask


class Unkept:
    """A platform that is asked through one connection. `connection`: with the token that it came to, if it asked for one."""

    def __init__(self, ask: Callable[[CredentialStore], ShopifyPlatform], connection: Connection) -> None:
        self.connection = connection
        self.platform = ask(self)

    async def of(self, tenant: Tenant) -> Connection:
        return self.connection

    async def replace(self, tenant: Tenant, old: Connection, new: Connection, now: int) -> bool:
        self.connection = new
        return True


def settings_with_secrets() -> Settings:
    """The settings of the environment, in demo mode with the demo's keys."""
    settings = Settings.from_environment()
    settings = demo_settings(settings) if settings.demo else settings
    if not settings.secret_keys:
        fail("BUNDLESVC_SECRET_KEYS is not set: tokens are kept encrypted with these keys, those of the service.")
    return settings


async def _live_tenant(database: Database, handle: str) -> Tenant:
    tenant = await SqlKeyStore(database).tenant(handle)
    if tenant is None:
        fail(f"there is no shop {handle}. `bundlesvc shops list` shows those that there are.")
    if tenant.shop.platform.kind != SHOPIFY:
        fail(
            f"the products of {handle} come from its file. For a live platform, load a file with "
            "platform: {kind: shopify, domain: my-shop.myshopify.com}."
        )
    _check_domain(tenant.shop.platform.domain or "")
    return tenant


def _check_domain(domain: str) -> None:
    try:
        admin_endpoint(domain)
    except ValueError:
        fail(
            f"{domain} is no domain such as my-shop.myshopify.com. Mend platform.domain in the shop's file, and load it."
        )
