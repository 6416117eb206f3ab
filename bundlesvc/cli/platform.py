"""`bundlesvc platform`: connects a shop to Shopify, and manages its webhooks."""

import asyncio

import click
import orjson
from yarl import URL

from bundlesvc.cli.client_secret import client_secret
from bundlesvc.cli.connecting import Checked, check_connection
from bundlesvc.cli.credentials import read_connection
from bundlesvc.cli.live_platform import SHOP_OPTION, LiveShop, with_live_shop
from bundlesvc.cli.output import fail, print_table
from bundlesvc.cli.platform_function import function
from bundlesvc.platforms.shopify.installed_app import (
    Subscription,
    SubscriptionRefused,
    granted_scopes,
    missing_topics,
    subscribe,
    subscriptions,
)
from bundlesvc.printable import printable
from bundlesvc.services.diagnosis import PLATFORM_FAULTS, missing_scopes, reason_of
from bundlesvc.system import SystemClock


@click.group()
def platform() -> None:
    """Connect shops to Shopify."""


platform.add_command(client_secret)
platform.add_command(function)


@platform.command()
@SHOP_OPTION
@click.option(
    "--client-credentials", is_flag=True, help="Read the app's client ID and client secret from standard input."
)
@click.option(
    "--refresh-token", is_flag=True, help="Read client ID, client secret and refresh token from standard input."
)
@click.option("--check/--no-check", default=True, help="Check the credentials with the shop first.  [default: check]")
def connect(handle: str, *, client_credentials: bool, refresh_token: bool, check: bool) -> None:
    """Connect a shop with the credentials of its app. They are stored encrypted.

    An app made in the Dev Dashboard has a client ID and a client secret: the service uses them to fetch access tokens, and
    renews these. An app that shows an Admin API access token is connected with that token and its client secret. An app
    installed with the authorization code grant also needs the refresh token from that grant. The client secret also signs
    the app's webhooks.

    At a terminal the command prompts for them, and does not show secrets. Otherwise it reads them from standard input, one
    on each line: access token and client secret, or with --client-credentials client ID and client secret, or with
    --refresh-token client ID, client secret and refresh token.
    """

    async def use(live: LiveShop) -> Checked | None:
        unsaved = live.unsaved(
            read_connection(live.domain, client_credentials=client_credentials, refresh_token=refresh_token)
        )
        checked = await check_connection(live, unsaved) if check else None
        await live.connections.connect(live.tenant, unsaved.connection, int(SystemClock().now()))
        return checked

    checked = with_live_shop(handle, use)
    settings = f" Currency {checked.settings.currency}, weights in {checked.settings.weight_unit}." if checked else ""
    click.echo(f"{handle}: connected.{settings}", err=True)
    if checked and checked.lacking:
        fault = missing_scopes(checked.lacking, handle)
        fail(f"{handle}: {fault.sentence} {fault.remedy}")


@platform.group()
def webhooks() -> None:
    """Manage the webhooks that the shop sends to this service."""


@webhooks.command("subscribe")
@SHOP_OPTION
@click.option("--url", required=True, metavar="URL", help="The public https address of this service.")
def subscribe_all(handle: str, url: str) -> None:
    """Subscribe to every topic that this service uses. Existing subscriptions stay."""
    address = _webhook_address(url, handle)

    async def use(live: LiveShop) -> list[tuple[str, str]]:
        found = await subscriptions(await live.platform.session(live.tenant))
        granted = await granted_scopes(await live.platform.session(live.tenant))
        missing = missing_topics(found, address, granted)
        refusals = await asyncio.gather(*(_attempt(live, topic, address) for topic in missing))
        return list(zip(missing, refusals, strict=True))

    results = with_live_shop(handle, use)
    for topic, refusal in results:
        click.echo(printable(f"{topic}: {refusal or 'subscribed'}"))
    if not results:
        click.echo(f"{handle}: all topics are subscribed already.", err=True)
    if any(refusal for _, refusal in results):
        fail("some topics are not subscribed: their changes show only after cached data has expired.")


@webhooks.command("list")
@SHOP_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def list_webhooks(handle: str, *, as_json: bool) -> None:
    """List the shop's webhook subscriptions: topics and addresses."""

    async def use(live: LiveShop) -> list[Subscription]:
        return await subscriptions(await live.platform.session(live.tenant))

    found = sorted(with_live_shop(handle, use), key=lambda one: (one.uri, one.topic))
    rows = [{"topic": one.topic, "address": one.uri} for one in found]
    if as_json:
        click.echo(orjson.dumps(rows))
    else:
        print_table(rows)


async def _attempt(live: LiveShop, topic: str, address: str) -> str:
    """Subscribe to a topic. Returns the reason for a failure, or an empty string."""
    try:
        await subscribe(await live.platform.session(live.tenant), topic, address)
    except SubscriptionRefused as refusal:
        return f"refused: {refusal}"
    except PLATFORM_FAULTS as error:
        return f"failed: {reason_of(error, live.tenant, live.notes)}"
    return ""


def _webhook_address(url: str, handle: str) -> str:
    """The address for webhooks. Platforms call only public https addresses."""
    try:
        base = URL(url)
    except ValueError:
        base = URL()
    if base.scheme != "https" or not base.host:
        fail(f"{url} is not an https address such as https://bundles.example.com.")
    return str(base / "webhooks/platform" / handle)
