"""`bundlesvc orders import`: imports the orders placed on a shop's platform since a given day."""

from collections.abc import Callable
from datetime import UTC, datetime

import click

from bundlesvc.cli.environment.secret_settings import settings_with_secrets
from bundlesvc.cli.platform.connection.live_shop import LiveShop, with_live_shop
from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.orders.waiting import ImportProgress
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.ports.orders import PlatformOrders
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.services.orders.importing import OrderImport, Reports
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.storage.orders.imports import SqlImportStore
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.token_cipher import discount_cipher


def import_orders(handle: str, since: datetime) -> None:
    """Import the orders placed since a given day, and print the progress."""
    begin = int(since.replace(tzinfo=UTC).timestamp())
    progress = with_live_shop(handle, lambda live: _import(live, begin))
    click.echo(f"{handle}: {_counted(progress)}.")


async def _import(live: LiveShop, since: int) -> ImportProgress:
    tenant = live.tenant
    if live.engine.orders is None:
        fail(f"{tenant.shop.handle}: the orders of {tenant.shop.platform.kind} cannot be imported.")
    reader: PlatformOrders = live.engine.orders()
    if hidden := await reader.hidden(tenant, since):
        click.echo(f"{tenant.shop.handle}: {hidden}", err=True)
    settings = KnownSettings(await live.engine.platform.shop(tenant))
    intake = OrderIntake(SqlOrderStore(live.database), settings, discount_cipher(settings_with_secrets().secret_keys))
    reports = Reports(_printed(tenant.shop.handle), lambda sentence: click.echo(sentence, err=True))
    return await OrderImport(SqlImportStore(live.database), reader, intake).run(tenant, since, reports)


def _printed(handle: str) -> Callable[[ImportProgress], None]:
    """Create a function that prints the progress of an import until the import has finished."""

    def show(progress: ImportProgress) -> None:
        if progress.read and not progress.done:
            click.echo(f"{handle}: {_counted(progress)} so far", err=True)

    return show


def _counted(progress: ImportProgress) -> str:
    return f"{progress.read} {'order' if progress.read == 1 else 'orders'} read, {progress.stored} with a bundle"


class KnownSettings:
    """Implements the `ShopSettingsReader` port for a single shop. The shop's settings are read once beforehand, instead of once
    per order."""

    def __init__(self, settings: ShopSettings) -> None:
        self._settings = settings

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings:
        return self._settings
