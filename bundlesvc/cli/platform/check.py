"""`bundlesvc platform check`: checks one shop's connection."""

import asyncio

import click

from bundlesvc.cli.doctor.diagnosis import opened_diagnosis, print_results
from bundlesvc.cli.environment.database import current_database
from bundlesvc.cli.environment.secret_settings import settings_with_secrets
from bundlesvc.cli.platform.connection.live_shop import SHOP_OPTION, live_tenant
from bundlesvc.cli.terminal.collected_warnings import collected_warnings
from bundlesvc.cli.terminal.output import counted, fail


@click.command()
@SHOP_OPTION
def check(handle: str) -> None:
    """Check a shop's connection, as `doctor` does for all shops.

    Checks credentials, permissions, the products that bundles refer to, webhooks, and the function or plugin that applies the
    discounts of native bundles. It changes nothing on the platform. The exit status is 1 if there is a problem.
    """
    if faults := asyncio.run(_print_results(handle)):
        fail(f"{counted(faults, 'problem')} found.")
    click.echo("No problems found.")


async def _print_results(handle: str) -> int:
    settings = settings_with_secrets()
    with collected_warnings() as warnings:
        async with current_database(settings) as database:
            tenant = await live_tenant(database, handle)
            async with opened_diagnosis(settings, database, warnings) as diagnosis:
                return await print_results(diagnosis.of_shop(tenant))
