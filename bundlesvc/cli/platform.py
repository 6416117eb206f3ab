"""`bundlesvc platform`: connecting a shop to Shopify, and the webhooks that it sends (design 13 and 17)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import click
import orjson
from yarl import URL

from bundlesvc.cli.access_scopes import lacking_scopes, lacking_sentence
from bundlesvc.cli.credentials import read_connection
from bundlesvc.cli.failing import fail
from bundlesvc.cli.live_platform import PLATFORM_FAULTS, LiveShop, Unkept, reason_of, with_live_shop
from bundlesvc.cli.table import print_table
from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.shop import ShopSettings
from bundlesvc.platforms.shopify.access_scopes import granted_scopes
from bundlesvc.platforms.shopify.subscriptions import (
    Subscription,
    SubscriptionRefused,
    missing_topics,
    subscribe,
    subscriptions,
)
from bundlesvc.printable import printable
from bundlesvc.system import SystemClock

_SHOP = click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop.")


@click.group()
def platform() -> None:
    """Connect shops to Shopify."""


@platform.command()
@_SHOP
@click.option("--client-credentials", is_flag=True, help="Standard input holds the app's client ID and client secret.")
@click.option("--check/--no-check", default=True, help="Ask the shop whether it takes them.  [default: check]")
def connect(handle: str, *, client_credentials: bool, check: bool) -> None:
    """Connect a shop with the credentials of its app. They are kept encrypted.

    An app made in the Dev Dashboard has a client ID and a client secret: with these the service gets access tokens, and
    renews them. An app that shows an Admin API access token is connected with that and its client secret. The client secret
    also signs the app's webhooks.

    At a terminal you are asked for them; what is secret is not shown. Else they are read from standard input, a line each:
    access token and client secret, or with --client-credentials client ID and client secret.
    """

    async def use(live: LiveShop) -> _Answer | None:
        unkept = live.unkept(read_connection(live.domain, client_credentials=client_credentials))
        answer = await _ask(live, unkept) if check else None
        await live.connections.connect(live.tenant, unkept.connection, int(SystemClock().now()))
        return answer

    answer = with_live_shop(handle, use)
    said = f" It answers: {answer.settings.currency}, weights in {answer.settings.weight_unit}." if answer else ""
    click.echo(f"{handle}: connected.{said}", err=True)
    if answer and answer.lacking:
        fail(f"{handle}: {lacking_sentence(answer.lacking, handle)}")


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
        found = await subscriptions(await live.platform.inquiry(live.tenant))
        granted = await granted_scopes(await live.platform.inquiry(live.tenant))
        missing = missing_topics(found, address, granted)
        refusals = await asyncio.gather(*(_attempt(live, topic, address) for topic in missing))
        return list(zip(missing, refusals, strict=True))

    results = with_live_shop(handle, use)
    for topic, refusal in results:
        click.echo(printable(f"{topic}: {refusal or 'subscribed'}"))
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


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a shop says to a connection. `lacking`: the access scopes that the app needs and does not have."""

    settings: ShopSettings
    lacking: Sequence[str]


async def _ask(live: LiveShop, unkept: Unkept) -> _Answer:
    """What the shop answers through a connection that is not kept yet, and is not kept when it does not answer."""
    try:
        settings = await unkept.platform.shop(live.tenant)
        return _Answer(settings, await lacking_scopes(live.tenant, live.bundles, unkept.platform))
    except PLATFORM_FAULTS as error:
        other_way = isinstance(error, PlatformNotConnected) and unkept.connection.grant is None
        hint = " A client ID in place of a token needs --client-credentials." if other_way else ""
        reason = reason_of(error, live.tenant, live.notes)
        fail(f"nothing was kept, and what was connected before still is: {reason}{hint}")


async def _attempt(live: LiveShop, topic: str, address: str) -> str:
    """Why the shop does not deliver a topic; nothing when it does from now on."""
    try:
        await subscribe(await live.platform.inquiry(live.tenant), topic, address)
    except SubscriptionRefused as refusal:
        return f"refused: {refusal}"
    except PLATFORM_FAULTS as error:
        return f"failed: {reason_of(error, live.tenant, live.notes)}"
    return ""


def _webhook_address(url: str, handle: str) -> str:
    """Where the shop delivers to: platforms call only public https addresses."""
    try:
        base = URL(url)
    except ValueError:
        base = URL()
    if base.scheme != "https" or not base.host:
        fail(f"{url} is no https address such as https://bundles.example.com.")
    return str(base / "webhooks/platform" / handle)
