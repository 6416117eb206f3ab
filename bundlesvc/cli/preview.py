"""`bundlesvc preview`: shows the bundles of a shop file in the studio, and reloads the file when it changes."""

import asyncio
import os
import sys
import tempfile
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import click
import uvloop
from aiohttp import web
from yarl import URL

from bundlesvc.app import create_app
from bundlesvc.cli.environment.database import current_database
from bundlesvc.cli.revisions.recording import command_act
from bundlesvc.cli.terminal.output import fail
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.access.key import MANAGE_READ
from bundlesvc.domain.revisions.audit import LOAD
from bundlesvc.domain.revisions.revision import file_source
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.printable import printable
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.serving.background import periodically
from bundlesvc.serving.listening import Sockets, StopSignals, listen, serving
from bundlesvc.settings.environment import Settings
from bundlesvc.shop_file.contents import describe
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.revisions.journal import Publication, RevisionJournal
from bundlesvc.studio.following.followed_file import EMPTY, FollowedFile
from bundlesvc.studio.following.one_time_secret import OneTimeSecret
from bundlesvc.studio.following.routes import add_followed_file
from bundlesvc.studio.handlers import STUDIO_PATH
from bundlesvc.system import RandomIds, SystemClock
from bundlesvc.token_cipher import new_secret_key

HOST = "127.0.0.1"
RATE_LIMIT = 100_000

POLL_SECONDS = 0.25
"""Seconds between two checks of the file. It is polled because it is small, and because editors save files in different ways."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--port", type=WholeNumber(0, 65535), default=0, help="The port to listen on.  [default: a free one]")
@click.option("--no-open", is_flag=True, help="Do not open a browser; only print the address.")
def preview(file: Path, port: int, *, no_open: bool) -> None:
    """Show the bundles of a shop file in the studio.

    The studio shows each bundle as shoppers will see it, with its price and the findings of `bundlesvc lint`. When you save the
    file, the studio shows the change. While the file has faults, the studio lists them with their lines, and keeps showing the
    last valid state. The command never changes the file.

    The printed address opens the studio once, in one browser. All data is in a temporary database on this computer; the shop's
    own database is neither read nor changed. Press Ctrl-C to stop.
    """
    with tempfile.TemporaryDirectory(prefix="bundlesvc-preview-") as folder:
        settings = Settings(
            host=HOST,
            port=port,
            database=str(Path(folder) / "preview.db"),
            secret_keys=(new_secret_key(),),
            log_level="WARNING",
            stop_delay=0,
            studio=True,
            edge=False,  # every request must pass the Host header check
        )
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_preview(file, settings, opens=not no_open))


async def _preview(path: Path, settings: Settings, *, opens: bool) -> None:
    signals = StopSignals()
    try:
        sockets = listen(settings.host, settings.port)
    except OSError as error:
        fail(f"port {settings.port} is not available ({error.strerror}). Leave out --port for a free one.")
    async with _prepared(path, settings) as (app, followed, secret), serving(app, Sockets(sockets), 0, signals):
        async with periodically("reading the shop file", POLL_SECONDS, followed.follow):
            port, fragment = sockets[0].getsockname()[1], f"secret={secret.text}"
            address = URL.build(scheme="http", host=HOST, port=port, path=STUDIO_PATH, fragment=fragment)
            click.echo(f"Preview of {printable(str(path))}: {address}\nIt follows the file. Stop with Ctrl-C.")
            if opens:
                _open(str(address))
            await signals.stop.wait()
        await followed.close()


@asynccontextmanager
async def _prepared(
    path: Path, settings: Settings
) -> AsyncIterator[tuple[web.Application, FollowedFile, OneTimeSecret]]:
    """Prepare the service with a database that contains the shop file, or an empty shop while the file has faults. Yields the
    application, the followed file, and the secret that opens the studio."""
    async with current_database(settings) as database:
        followed = FollowedFile(path, partial(_record, database, path))
        await followed.follow()
        if not followed.state.is_current:
            await _record(database, path, EMPTY)
        app = create_app(settings)
        yield app, followed, add_followed_file(app, followed, await _key(database))


async def _record(database: Database, path: Path, shop_file: ShopFile) -> None:
    """Publish a shop file as the live revision."""
    act = command_act("preview", file_source(path.name))
    journal = RevisionJournal(Publication(act, LOAD, path.name), describe)
    await SqlShopFileStore(database, journal).replace(shop_file)


async def _key(database: Database) -> str:
    """Create an API key that can read everything and change nothing."""
    (tenant,) = await SqlShopStore(database, RevisionCache()).tenants()
    wanted = KeyRequest("preview", scopes=(MANAGE_READ,), rate_limit=RATE_LIMIT)
    return await create_key(SqlKeyStore(database), tenant, wanted, SystemClock(), RandomIds())


def _open(address: str) -> None:
    """Open the page in a graphical browser, if there is one: a text-mode browser would take over the terminal."""
    is_graphical = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if is_graphical:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
