"""A shop's live platform for use by commands, which open it in the same way as the service does."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import click

from bundlesvc.cli.environment.database import current_database
from bundlesvc.cli.environment.secret_settings import settings_with_secrets
from bundlesvc.cli.terminal.collected_warnings import CollectedWarnings, collected_warnings
from bundlesvc.cli.terminal.output import fail, fail_unknown_shop
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import LIVE_PLATFORMS, SHOPIFY, Tenant
from bundlesvc.live_platforms import engine_parts, opened_engines
from bundlesvc.platforms.engine import Engine
from bundlesvc.platforms.shopify.client.transport import admin_endpoint
from bundlesvc.ports import CredentialStore
from bundlesvc.services.diagnosis.live_platform import PLATFORM_FAULTS, reason_of
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import credentials_cipher

T = TypeVar("T")

SHOP_OPTION = click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop.")


@dataclass(frozen=True, slots=True)
class LiveShop:
    """A shop on a live platform, with everything that a command needs to send requests to it."""

    tenant: Tenant
    connections: SqlCredentialStore
    engine: Engine
    bundles: Sequence[Bundle]
    open_engine: Callable[[CredentialStore], Awaitable[Engine]]
    """Opens the shop's engine with connections other than the stored ones, until the command ends."""
    notes: CollectedWarnings
    database: Database


def with_live_shop(handle: str, use: Callable[[LiveShop], Awaitable[T]]) -> T:
    """Run a command's work on a shop's live platform, and return its result. When the platform fails, the command ends with the
    reason."""

    async def run() -> T:
        with collected_warnings() as notes:
            async with _live_shop(handle, notes) as live:
                try:
                    return await use(live)
                except PLATFORM_FAULTS as error:
                    fail(f"{handle}: {reason_of(error, live.tenant, notes)}")

    return asyncio.run(run())


@asynccontextmanager
async def _live_shop(handle: str, notes: CollectedWarnings) -> AsyncIterator[LiveShop]:
    settings = settings_with_secrets()
    async with current_database(settings) as database, AsyncExitStack() as stack:
        tenant = await live_tenant(database, handle)
        kind = tenant.shop.platform.kind

        async def open_engine(connections: CredentialStore) -> Engine:
            parts = engine_parts(settings, connections, None, SystemClock())
            engines = await stack.enter_async_context(opened_engines(parts))
            return engines[kind] if kind in engines else fail(f"{handle}: this installation has no adapter for {kind}.")

        shop_file = await SqlShopFileStore(database).stored(handle)
        connections = SqlCredentialStore(database, credentials_cipher(settings.secret_keys))
        bundles = shop_file.bundles if shop_file else ()
        yield LiveShop(tenant, connections, await open_engine(connections), bundles, open_engine, notes, database)


class UnsavedConnection:
    """Implements the `CredentialStore` port for a single connection that is not stored. `connection` contains a new access token
    as soon as one has been fetched."""

    def __init__(self, connection: PlatformConnection) -> None:
        self.connection = connection

    async def of(self, tenant: Tenant) -> PlatformConnection:
        return self.connection

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        self.connection = new
        return True


async def live_tenant(database: Database, handle: str) -> Tenant:
    """Find the shop with this handle. Ends the command unless the shop is on a live platform."""
    tenant = await SqlKeyStore(database).tenant(handle)
    if tenant is None:
        fail_unknown_shop(handle)
    if tenant.shop.platform.kind not in LIVE_PLATFORMS:
        fail(
            f"the products of {handle} come from its file. For a live platform, load a file with "
            "platform: {kind: shopify, domain: my-shop.myshopify.com}."
        )
    if tenant.shop.platform.kind == SHOPIFY:
        _check_domain(tenant.shop.platform.domain or "")
    return tenant


def _check_domain(domain: str) -> None:
    try:
        admin_endpoint(domain)
    except ValueError:
        fail(
            f"{domain} is not a domain such as my-shop.myshopify.com. Correct platform.domain in the shop file, and load it."
        )
