"""`scripts/standin`: runs the stand-in on a local port, with the products of a shop file."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from bundlesvc.shop_file.loading import ShopFileInvalid
from tests.platform_schema import ADMIN, SchemaUnavailable, schema_file
from tests.standin.app.apps import TOKEN_SECONDS
from tests.standin.app.deployment import MANIFEST, ExtensionRefused, deploy
from tests.standin.app.webhooks import SECRET
from tests.standin.data.connected_file import write_connected_file
from tests.standin.data.shop import Shop
from tests.standin.data.shop_file import from_shop_file
from tests.standin.faults import Delayed
from tests.standin.server import TOKEN, Standin

FOLDER = Path("var/standin")
CONNECTED_FILE = FOLDER / "shop.yaml"
EXTENSION = FOLDER / "extension"
KEY_FILE = FOLDER / "demo-key"
"""The file to which the service writes its key in demo mode."""

INTRODUCTION = """\
The stand-in for {domain} listens at {url}. Ctrl-C stops it.

To connect the service to it, in another terminal:

  export BUNDLESVC_PLATFORM_ENDPOINT={url}
  export DATABASE_URL=sqlite:///{folder}/bundlesvc.db BUNDLESVC_DEMO=1
  .venv/bin/bundlesvc load {file}
  printf '%s\\n' {client_id} {secret} | .venv/bin/bundlesvc platform connect --shop {handle} --client-credentials
  .venv/bin/bundlesvc serve

The service then fetches access tokens and renews them. To connect it with a fixed token instead, enter {token} and
{secret} without --client-credentials.

To install the function that takes the discounts of native bundles off in the checkout, before `serve`:

  .venv/bin/bundlesvc platform function export {extension}
  .venv/bin/bundlesvc platform function activate --shop {handle}

The stand-in deploys the folder {extension} as it is then. Go shopping, with a cart and a checkout: {url}

Requests of the service:
"""


@click.command()
@click.option("--port", default=9292, show_default=True, help="The port to listen on; 0 for any free port.")
@click.option(
    "--shop-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=Path("config/demo-shop.yaml"),
    show_default=True,
    help="The shop file with the platform's products, markets and subscriptions.",
)
@click.option(
    "--restore-rate",
    default=100,
    show_default=True,
    help="Query-cost points a second; the bucket size is twenty times this.",
)
@click.option("--delay", default=0.0, show_default=True, help="Seconds that each response takes.")
@click.option(
    "--token-seconds",
    default=TOKEN_SECONDS,
    show_default=True,
    help="Seconds that an access token of the app is valid.",
)
@click.option(
    "--service",
    default="http://127.0.0.1:8080",
    show_default=True,
    help="The address of the service, for the page of the shop.",
)
def main(port: int, shop_file: Path, restore_rate: int, delay: float, token_seconds: int, service: str) -> None:
    """Stand in for the live platform, to try the service without a shop.

    Access tokens for a client ID and its secret, reads, prices, markets, selling plans, ghost variants, webhook subscriptions,
    functions and discounts work as on the platform, with the same query costs. The shop has a page with the web component, a
    cart, and a checkout that runs the deployed function. Nothing is stored: the shop file is read again on each start.
    """
    try:
        schema_file(ADMIN)
        shop = from_shop_file(shop_file)
    except (SchemaUnavailable, ShopFileInvalid) as reason:
        sys.exit(str(reason))
    standin = Standin(shop, restore_rate=restore_rate, bucket_size=20 * restore_rate)
    standin.app.token_seconds = token_seconds
    standin.storefront.settings = lambda: _page_settings(shop, service)
    standin.deploy_new = _NewExtension(shop).deploy
    if delay:
        standin.fail_next(Delayed(delay), times=None)
    handle = write_connected_file(shop_file, CONNECTED_FILE, shop.domain)
    try:
        asyncio.run(_serve(standin, port, handle))
    except (KeyboardInterrupt, asyncio.CancelledError):
        click.echo("Stopped.")
    except OSError as reason:
        why = os.strerror(reason.errno or 0).lower()
        sys.exit(f"Cannot listen on port {port}: {why}. Choose another port with --port.")


def _page_settings(shop: Shop, service: str) -> Mapping[str, str]:
    """Return the settings that the shop's page needs. The API key is empty until the service has been started."""
    key = KEY_FILE.read_text().strip() if KEY_FILE.exists() else ""
    countries = (country for market in shop.active_markets for country in market.countries)
    return {"service": service, "key": key, "countries": ",".join(countries)}


class _NewExtension:
    """Deploys the extension folder when it is new or has changed."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._deployed = 0

    def deploy(self) -> None:
        manifest = EXTENSION / MANIFEST
        changed = manifest.stat().st_mtime_ns if manifest.exists() else 0
        if changed == self._deployed:
            return
        self._deployed = changed
        try:
            deploy(self._shop, EXTENSION)
        except ExtensionRefused as reason:
            click.echo(f"  {EXTENSION} is refused: {reason}")
        else:
            click.echo(f"  {EXTENSION} is deployed: {self._shop.functions.deployed[0].description}")


async def _serve(standin: Standin, port: int, handle: str) -> None:
    """Serve until SIGINT. The event loop handles the signal, because shells start background commands with SIGINT ignored, and
    because `asyncio.run` misses a signal that arrives in the instant before the loop waits for events."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    async with standin.serve(port):
        click.echo(
            INTRODUCTION.format(
                domain=standin.shop.domain,
                url=standin.url,
                folder=FOLDER,
                extension=EXTENSION,
                file=CONNECTED_FILE,
                client_id=standin.app.client_id,
                token=TOKEN,
                secret=SECRET,
                handle=handle,
            )
        )
        await _print_requests(standin)


async def _print_requests(standin: Standin) -> None:
    """Print a line for each request while the stand-in runs."""
    printed = 0
    while True:
        await standin.arrived(printed + 1)
        for request in standin.requests[printed:]:
            click.echo(f"  {request.operation or 'a request without a name'}")
        printed = len(standin.requests)


if __name__ == "__main__":
    main()
