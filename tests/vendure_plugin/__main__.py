"""`scripts/vendure`: runs Vendure with the demo shop's products and the plugin, a service connected to it, and a shop page."""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from tests.browser.site import running_site
from tests.packages.npm import PackagesUnavailable, install_packages
from tests.process.serving import SECRET_KEY
from tests.servers.free_port import free_port
from tests.servers.postgres_server import postgres_server
from tests.vendure_plugin.connected_shop import (
    CommandFailed,
    connected_service,
    first_secret,
    new_key,
    settings_for,
)
from tests.vendure_plugin.page.shop_page import put_shop
from tests.vendure_plugin.plugin import PLUGIN, compiled_plugin
from tests.vendure_plugin.shop import demo_engine, filled_database, options

INTRODUCTION = """
Shop here:    {shop}
Vendure:      {engine}/admin-api and {engine}/shop-api (name and password: superadmin)
The service:  {service}/docs
Its orders:   curl -H "Authorization: Bearer {orders}" {service}/api/manage/v1/orders
Its data:     {folder} (shop.yaml is its shop file)

Ctrl-C stops everything, and removes all data.
"""


@click.command()
@click.option("--port", default=9293, show_default=True, help="The port of the shop page; 0 for any free port.")
def main(port: int) -> None:
    """Run Vendure with the demo shop, to try the service and the plugin.

    Installs Vendure from its lock file, starts PostgreSQL, fills Vendure with the demo shop's products in several channels,
    starts it with the plugin, connects a service to it, and serves a page on which bundles can be bought with a test payment.
    Needs Node 20.19 or newer and npm.
    """
    try:
        with ExitStack() as opened:
            _open(opened, port)
            threading.Event().wait()
    except KeyboardInterrupt:
        click.echo("Stopped.")
    except (PackagesUnavailable, CommandFailed) as reason:
        sys.exit(str(reason))
    except OSError as reason:
        why = os.strerror(reason.errno or 0).lower()
        sys.exit(f"Cannot listen on port {port}: {why}. Choose another port with --port.")


def _open(opened: ExitStack, port: int) -> None:
    site = opened.enter_context(running_site(port))
    with step("Installing Vendure (the first time takes a minute or two)"):
        install_packages(PLUGIN)
    with step("Compiling the plugin"):
        compiled_plugin()
    with step("Starting PostgreSQL"):
        postgres = opened.enter_context(postgres_server())
    folder, service_port = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="vendure-"))), free_port()
    with step("Filling Vendure with the products of the demo shop"):
        filled = filled_database(postgres, options(SECRET_KEY))
    webhooks = {"url": f"http://127.0.0.1:{service_port}", "secret": first_secret(folder)}
    with step("Starting Vendure with the plugin"):
        engine = opened.enter_context(demo_engine(postgres, filled, options(SECRET_KEY, webhooks=webhooks)))
    with step("Starting the service and connecting the shop"):
        service = opened.enter_context(connected_service(folder, engine, site.origin, service_port))
    click.echo(service.check.rstrip())
    shop, orders = put_shop(site, engine, service), new_key(folder, settings_for(engine), "orders")
    address = service.server.address
    click.echo(INTRODUCTION.format(shop=shop, engine=engine.address, service=address, folder=folder, orders=orders))


@contextmanager
def step(name: str) -> Iterator[None]:
    """Print the name of a step, and how long it took."""
    click.echo(f"{name} … ", nl=False)
    began = time.monotonic()
    yield
    click.echo(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(prog_name="scripts/vendure")
