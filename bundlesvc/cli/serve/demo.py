"""Demo mode: its keys, its warning, and the addresses that it may listen on.

Demo mode refuses to start if a shop appears to be a real one, and its API key is valid in demo mode only.
"""

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import ip_address

import click

from bundlesvc.cli.environment.database import current_database
from bundlesvc.cli.environment.demo_secrets import demo_folder, stored_secret
from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.access.key import digest, new_key
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.services.access.key_administration import KeyRequest, register_key
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.transaction import Conflict
from bundlesvc.system import RandomIds, SystemClock

KEY_FILE = "demo-key"
STUDIO_KEY_FILE = "demo-studio-key"
STUDIO_SCOPES = ("manage:read", "manage:write", "manage:publish", "reports")
DEMO_RATE_LIMIT = 6000
DEMO_WARNING = (
    "DEMO MODE: the key is in a public page, the secrets are in plain files.\nNever serve a real shop like this."
)
PANEL_WIDTH = 72


def check_demo_sockets(host: str, sockets: Sequence[socket.socket]) -> None:
    """End the command when other hosts could reach the demo through one of these sockets. Checks the bound addresses, because
    only the operating system can resolve every notation for a host, such as `*`."""
    if not all(_is_loopback(each) for each in sockets):
        fail(
            f"demo mode listens on this host only, and {host} can be reached from others. Its key is in a public page; if that "
            "is what you want, add --demo-anywhere."
        )


def _is_loopback(listening: socket.socket) -> bool:
    return ip_address(str(listening.getsockname()[0]).partition("%")[0]).is_loopback


def demo_key(settings: Settings) -> str | None:
    """The demo key, which is valid for the first shop in the database; None when there is no shop yet."""
    return asyncio.run(_registered_key(settings, KEY_FILE, KeyRequest("demo", rate_limit=DEMO_RATE_LIMIT, demo=True)))


def demo_studio_key(settings: Settings) -> str | None:
    """The key of the demo studio, valid for the first shop in the database; None when there is no shop yet."""
    request = KeyRequest("demo studio", scopes=STUDIO_SCOPES, rate_limit=DEMO_RATE_LIMIT, demo=True)
    return asyncio.run(_registered_key(settings, STUDIO_KEY_FILE, request))


def announce_demo(key: str | None, address: str, settings: Settings, embed_path: str) -> None:
    """Print that this is a demo, and how to use it. Lines meant to be copied are not wrapped."""
    rule = click.style("-" * PANEL_WIDTH, dim=True)
    click.echo("\n".join(["", rule, click.style(DEMO_WARNING, fg="yellow"), ""]))
    if key is None:
        click.echo("There is no shop yet. Load one: bundlesvc load config/demo-shop.yaml")
    else:
        api = f"{address}{settings.base_path}"
        rows = {
            "Go shopping": f"{address}/demo",
            "Edit bundles": f"{address}/studio",
            "API reference": f"{address}/docs",
            "Main API": api,
            "Embed API": f"{address}{embed_path}",
            "Health": f"{address}/healthz",
            "Demo key": f"{key} ({demo_folder(settings) / KEY_FILE})",
        }
        for name, value in rows.items():
            click.echo(f"  {click.style(name.ljust(15), bold=True)}{value}")
        click.echo(f"\nTry it:\n  curl -H 'Authorization: Bearer {key}' {api}/bundles")
    click.echo(f"\nStop with Ctrl-C.\n{rule}\n")


async def _registered_key(settings: Settings, file: str, request: KeyRequest) -> str | None:
    async with current_database(settings) as database:
        tenants = await SqlShopStore(database, RevisionCache()).tenants()
        if not tenants:
            return None
        if settings.platform_endpoint is None:  # with an endpoint, a stand-in simulates the platform
            _check_no_live_shop(tenants)
        key = stored_secret(demo_folder(settings) / file, lambda: new_key(RandomIds().key_secret(), test=False))
        store = SqlKeyStore(database, demo=True)
        if await store.active_key(digest(key)) is None:
            try:
                await register_key(store, tenants[0], key, request, SystemClock())
            except Conflict:
                fail(f"the demo key was revoked. Remove {demo_folder(settings) / file} to get another.")
        return key


def _check_no_live_shop(tenants: Sequence[Tenant]) -> None:
    live = [tenant.shop.handle for tenant in tenants if tenant.shop.platform.kind != EMBEDDED]
    if live:
        fail(
            f"BUNDLESVC_DEMO is set, and the products of {', '.join(live)} come from a live platform: demo mode is never for a "
            "real shop. Unset BUNDLESVC_DEMO, or name another database in DATABASE_URL."
        )
