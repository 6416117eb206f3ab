"""`bundlesvc preview`: shows the bundles of a shop file in a page that follows the file."""

import asyncio
import os
import sys
import tempfile
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import click
import uvloop
from aiohttp import web
from yarl import URL

from bundlesvc.api.app_keys import AUTHENTICATION
from bundlesvc.app import create_app
from bundlesvc.cli.opening import current_database
from bundlesvc.cli.output import fail
from bundlesvc.cli.whole_number import WholeNumber
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.preview.previewed_file import EMPTY, PreviewedFile
from bundlesvc.preview.routes import PREVIEW_PATH, add_preview
from bundlesvc.printable import printable
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.serving.background import periodically
from bundlesvc.serving.listening import Sockets, StopSignals, listen, serving
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.engine.database import Database
from bundlesvc.system import RandomIds, SystemClock
from bundlesvc.token_cipher import new_secret_key

HOST = "127.0.0.1"
RATE_LIMIT = 100_000

POLL_SECONDS = 0.25
"""Seconds between two looks at the file. It is small, and any editor can save it in any way."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--port", type=WholeNumber(0, 65535), default=0, help="The port to listen on.  [default: a free one]")
@click.option("--no-open", is_flag=True, help="Do not open a browser; only print the address.")
def preview(file: Path, port: int, *, no_open: bool) -> None:
    """Show the bundles of a shop file in a page.

    The page shows each bundle in the web component as shoppers will see it, with its price and with what `bundlesvc lint`
    finds. It follows the file: save, and it shows the change. While the file has faults, it names them with their lines and
    goes on showing the last good state.

    Everything is in a temporary database on this computer, and nothing of the shop's own database is read or changed.
    Ctrl-C ends it.
    """
    with tempfile.TemporaryDirectory(prefix="bundlesvc-preview-") as folder:
        settings = Settings(
            host=HOST,
            port=port,
            database=str(Path(folder) / "preview.db"),
            secret_keys=(new_secret_key(),),
            log_level="WARNING",
            stop_delay=0,
            edge=False,  # every request passes the check of its host
        )
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_preview(file, settings, opens=not no_open))


async def _preview(path: Path, settings: Settings, *, opens: bool) -> None:
    signals = StopSignals()
    try:
        sockets = listen(settings.host, settings.port)
    except OSError as error:
        fail(f"port {settings.port} is not available ({error.strerror}). Leave out --port for a free one.")
    async with _prepared(path, settings) as (app, previewed), serving(app, Sockets(sockets), 0, signals):
        await previewed.follow()
        async with periodically("reading the shop file", POLL_SECONDS, previewed.follow):
            address = URL.build(scheme="http", host=HOST, port=sockets[0].getsockname()[1], path=PREVIEW_PATH)
            click.echo(f"Preview of {printable(str(path))}: {address}\nIt follows the file. Stop with Ctrl-C.")
            if opens:
                _open(str(address))
            await signals.stop.wait()
        await previewed.close()


@asynccontextmanager
async def _prepared(path: Path, settings: Settings) -> AsyncIterator[tuple[web.Application, PreviewedFile]]:
    """The service on a database with an empty shop, and the file that is to fill it."""
    async with current_database(settings) as database:
        store = SqlShopFileStore(database)
        await store.replace(EMPTY)
        app = create_app(settings)

        async def load(shop_file: ShopFile) -> None:
            await store.replace(shop_file)
            await app[AUTHENTICATION].refresh()

        previewed = PreviewedFile(path, load)
        add_preview(app, previewed, await _key(database), settings.base_path)
        yield app, previewed


async def _key(database: Database) -> str:
    """A test key: it reads unpublished bundles too."""
    (tenant,) = await SqlShopStore(database, RevisionCache()).tenants()
    wanted = KeyRequest("preview", test=True, rate_limit=RATE_LIMIT)
    return await create_key(SqlKeyStore(database), tenant, wanted, SystemClock(), RandomIds())


def _open(address: str) -> None:
    """Open the page in a graphical browser, if there is one: a textual one would take the terminal."""
    is_graphical = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if is_graphical:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
