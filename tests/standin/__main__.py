"""`scripts/standin`: the stand-in on a port of this machine, with the products of one of our shop files."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import click

from bundlesvc.shop_file.loading import ShopFileInvalid
from tests.platform_schema import ADMIN, SchemaUnavailable, schema_file
from tests.standin.apps import TOKEN_SECONDS
from tests.standin.connected_file import write_connected_file
from tests.standin.faults import Delayed
from tests.standin.server import TOKEN, Standin
from tests.standin.shop_file import from_shop_file
from tests.standin.webhooks import SECRET

FOLDER = Path("var/standin")
CONNECTED_FILE = FOLDER / "shop.yaml"

INTRODUCTION = """\
The stand-in answers for {domain} at {url}. Ctrl-C stops it.

To connect the service to it, in another terminal:

  export BUNDLESVC_PLATFORM_ENDPOINT={url}
  export DATABASE_URL=sqlite:///{folder}/bundlesvc.db BUNDLESVC_DEMO=1
  .venv/bin/bundlesvc load {file}
  printf '%s\\n' {client_id} {secret} | .venv/bin/bundlesvc platform connect --shop {handle} --client-credentials
  .venv/bin/bundlesvc serve

The service then has access tokens that it renews. It can be given one that lasts instead: {token}, {secret} without
--client-credentials.

What the service asks for:
"""


@click.command()
@click.option("--port", default=9292, show_default=True, help="The port to listen on; 0 takes a free one.")
@click.option(
    "--shop-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=Path("config/demo-shop.yaml"),
    show_default=True,
    help="The shop file whose products, markets and subscriptions the platform has.",
)
@click.option(
    "--restore-rate", default=100, show_default=True, help="Points a second; the bucket holds twenty times as many."
)
@click.option("--delay", default=0.0, show_default=True, help="Seconds that each answer takes.")
@click.option(
    "--token-seconds", default=TOKEN_SECONDS, show_default=True, help="Seconds that an access token of the app is good."
)
def main(port: int, shop_file: Path, restore_rate: int, delay: float, token_seconds: int) -> None:
    """Stand in for the live platform, so that the service can be tried without a shop of one's own.

    Access tokens for a client ID and its secret, reads, prices, markets, selling plans, ghost variants and webhook
    subscriptions work as on the platform, at its costs.
    Nothing is stored: each start begins with the shop file.
    """
    try:
        schema_file(ADMIN)
        shop = from_shop_file(shop_file)
    except (SchemaUnavailable, ShopFileInvalid) as reason:
        sys.exit(str(reason))
    standin = Standin(shop, restore_rate=restore_rate, bucket_size=20 * restore_rate)
    standin.app.token_seconds = token_seconds
    if delay:
        standin.fail_next(Delayed(delay), times=None)
    handle = write_connected_file(shop_file, CONNECTED_FILE, shop.domain)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells start what runs in the background without it
    try:
        asyncio.run(_serve(standin, port, handle))
    except KeyboardInterrupt:
        click.echo("Stopped.")
    except OSError as reason:
        why = os.strerror(reason.errno or 0).lower()
        sys.exit(f"Port {port} cannot be listened on: {why}. Choose another one with --port.")


async def _serve(standin: Standin, port: int, handle: str) -> None:
    async with standin.serve(port):
        click.echo(
            INTRODUCTION.format(
                domain=standin.shop.domain,
                url=standin.url,
                folder=FOLDER,
                file=CONNECTED_FILE,
                client_id=standin.app.client_id,
                token=TOKEN,
                secret=SECRET,
                handle=handle,
            )
        )
        await _tell(standin)


async def _tell(standin: Standin) -> None:
    """A line for each request, as long as the stand-in runs."""
    told = 0
    while True:
        await standin.arrived(told + 1)
        for request in standin.requests[told:]:
            click.echo(f"  {request.operation or 'a request without a name'}")
        told = len(standin.requests)


if __name__ == "__main__":
    main()
