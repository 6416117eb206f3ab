"""`bundlesvc platform`: connecting a shop to Shopify, and the webhooks that it sends (design 13 and 17)."""

import asyncio
import re
import sys

import click
import orjson
from yarl import URL

from bundlesvc.ambient import SystemClock
from bundlesvc.cli.failing import fail
from bundlesvc.cli.live_platform import PLATFORM_FAULTS, LiveShop, reason_of, with_live_shop
from bundlesvc.cli.table import print_table
from bundlesvc.domain.shop import ShopSettings
from bundlesvc.platforms.shopify.subscriptions import (
    Subscription,
    SubscriptionRefused,
    missing_topics,
    subscribe,
    subscriptions,
)
from bundlesvc.ports import Connection

_SECRET = re.compile(rb"[!-~]+")
"""Visible ASCII: the token goes into a header."""

_SHOP = click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop.")


@click.group()
def platform() -> None:
    """Connect shops to Shopify."""


@platform.command()
@_SHOP
@click.option("--check/--no-check", default=True, help="Ask the shop for its settings, as a test.  [default: check]")
def connect(handle: str, *, check: bool) -> None:
    """Keep a shop's access token and webhook secret.

    They are kept encrypted. Both are read from standard input, a line each: first the Admin API access token of your app,
    then the app's client secret, which signs its webhooks. At a terminal they are asked for, and not shown.
    """

    async def use(live: LiveShop) -> ShopSettings | None:
        token, secret = _read_secret("Admin API access token"), _read_secret("client secret of the app")
        connection = Connection(live.domain, token, secret)
        answered = await _ask_for_settings(live, connection) if check else None
        await live.connections.connect(live.tenant, connection, int(SystemClock().now()))
        return answered

    settings = with_live_shop(handle, use)
    answered = f" It answers: {settings.currency}, weights in {settings.weight_unit}." if settings else ""
    click.echo(f"{handle}: connected.{answered}", err=True)


@platform.group()
def webhooks() -> None:
    """What the shop tells us of its changes."""


@webhooks.command("subscribe")
@_SHOP
@click.option("--url", required=True, metavar="URL", help="The public https address of this service.")
def subscribe_all(handle: str, url: str) -> None:
    """Have every change that matters delivered to this service. What is subscribed already stays."""
    address = _webhook_address(url, handle)

    async def use(live: LiveShop) -> list[tuple[str, str]]:
        missing = missing_topics(await subscriptions(await live.platform.inquiry(live.tenant)), address)
        refusals = await asyncio.gather(*(_attempt(live, topic, address) for topic in missing))
        return list(zip(missing, refusals, strict=True))

    results = with_live_shop(handle, use)
    for topic, refusal in results:
        click.echo(f"{topic}: {refusal or 'subscribed'}")
    if not results:
        click.echo(f"{handle}: everything is subscribed already.", err=True)
    if any(refusal for _, refusal in results):
        fail("some topics are not subscribed: what changes there shows only when what is remembered has grown old.")


@webhooks.command("list")
@_SHOP
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def list_webhooks(handle: str, *, as_json: bool) -> None:
    """List what the shop delivers, and where."""

    async def use(live: LiveShop) -> list[Subscription]:
        return await subscriptions(await live.platform.inquiry(live.tenant))

    found = sorted(with_live_shop(handle, use), key=lambda one: (one.uri, one.topic))
    rows = [{"topic": one.topic, "address": one.uri} for one in found]
    if as_json:
        click.echo(orjson.dumps(rows))
    else:
        print_table(rows)


async def _ask_for_settings(live: LiveShop, connection: Connection) -> ShopSettings:
    """What the shop answers through a connection that is not kept yet, and is not kept when it does not answer."""
    try:
        return await live.connected(connection).shop(live.tenant)
    except PLATFORM_FAULTS as error:
        fail(f"nothing was kept, and what was connected before still is: {reason_of(error, live.tenant, live.notes)}")


async def _attempt(live: LiveShop, topic: str, address: str) -> str:
    """Why the shop does not deliver a topic; nothing when it does from now on."""
    try:
        await subscribe(await live.platform.inquiry(live.tenant), topic, address)
    except SubscriptionRefused as refusal:
        return f"refused: {refusal}"
    except PLATFORM_FAULTS as error:
        return f"failed: {reason_of(error, live.tenant, live.notes)}"
    return ""


def _read_secret(what: str) -> str:
    if sys.stdin.isatty():
        written: bytes = click.prompt(what, hide_input=True, err=True).encode()
    else:
        written = sys.stdin.buffer.readline()
    secret = written.strip()
    if not _SECRET.fullmatch(secret):
        fail(f"the {what} is missing. Standard input holds two lines: the access token, then the client secret.")
    return secret.decode()


def _webhook_address(url: str, handle: str) -> str:
    """Where the shop delivers to: platforms call only public https addresses."""
    try:
        base = URL(url)
    except ValueError:
        base = URL()
    if base.scheme != "https" or not base.host:
        fail(f"{url} is no https address such as https://bundles.example.com.")
    return str(base / "webhooks/platform" / handle)
