"""`bundlesvc secrets`: rotates the secret keys that encrypt stored credentials."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import import_module

import click

from bundlesvc.cli.environment.database import current_database
from bundlesvc.cli.environment.secret_settings import settings_with_secrets
from bundlesvc.cli.terminal.output import counted, fail
from bundlesvc.domain.live_platform.connection import FIRST_KEY, OLDER_KEY, UNKNOWN_KEY
from bundlesvc.domain.shop import LIVE_PLATFORMS, Tenant
from bundlesvc.services.diagnosis.live_platform import decryption_remedy
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import credentials_cipher

CAPABILITIES: tuple[str, ...] = ("events.sealed_secrets",)
"""The modules that re-encrypt the secrets stored by capabilities."""

_Found = Mapping[str | None, Sequence[Tenant]]
"""The shops, grouped by which key encrypted their credentials."""


@click.group()
def secrets() -> None:
    """Rotate the secret keys of the service."""


@secrets.command()
@click.option("--dry-run", is_flag=True, help="Change nothing; only print what would be done.")
def reseal(*, dry_run: bool) -> None:
    """Re-encrypt every shop's credentials with the first secret key.

    The credentials may be encrypted with any of BUNDLESVC_SECRET_KEYS. Run this command after every process has received the list
    that begins with the new key, and before you remove the old key. Shops are processed one by one, even while the service is
    running. The exit status is 1 if the credentials of a shop cannot be decrypted.
    """
    found = asyncio.run(_reseal(dry_run=dry_run))
    for tenant in found[OLDER_KEY]:
        click.echo(f"{tenant.shop.handle}: {'would be resealed' if dry_run else 'resealed'}.", err=True)
    lost = [tenant.shop.handle for tenant in found[UNKNOWN_KEY] if tenant.shop.platform.kind in LIVE_PLATFORMS]
    done = "to reseal" if dry_run else "resealed"
    click.echo(
        f"{len(found[OLDER_KEY])} {done}, {len(found[FIRST_KEY])} already current, {len(lost)} cannot be decrypted.",
        err=True,
    )
    if lost:
        fail(
            "\n".join(
                f"{handle}: no key in BUNDLESVC_SECRET_KEYS decrypts its credentials. {decryption_remedy(handle)}"
                for handle in lost
            )
        )


async def _reseal(*, dry_run: bool) -> _Found:
    settings = settings_with_secrets()
    found: defaultdict[str | None, list[Tenant]] = defaultdict(list)
    async with current_database(settings) as database:
        credentials = SqlCredentialStore(database, credentials_cipher(settings.secret_keys))
        for tenant in await SqlShopStore(database, RevisionCache()).tenants():
            key = await credentials.encrypted_with(tenant)
            if key == OLDER_KEY and not dry_run:
                await credentials.reseal(tenant, int(SystemClock().now()))
            found[key].append(tenant)
        await _reseal_others(database, settings, dry_run=dry_run)
    return found


async def _reseal_others(database: Database, settings: Settings, *, dry_run: bool) -> None:
    """Re-encrypt, with the first key, the secrets that the capabilities have stored."""
    for name in CAPABILITIES:
        module = import_module(f"bundlesvc.cli.{name}")
        cipher, now = credentials_cipher(settings.secret_keys), int(SystemClock().now())
        resealed, lost = await module.reseal(database, cipher, now, dry_run=dry_run)
        if resealed:
            click.echo(f"{counted(resealed, module.NAME)} {'to reseal' if dry_run else 'resealed'}.", err=True)
        if lost:
            fail(
                f"{counted(lost, module.NAME)} cannot be decrypted with BUNDLESVC_SECRET_KEYS. Add the older key, or "
                f"{module.REMEDY}"
            )
