"""`bundlesvc platform`: connects a shop to Shopify, and manages its webhooks."""

import asyncio
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import click
import orjson
from yarl import URL

from bundlesvc.cli.live_platform import LiveShop, UnsavedConnection, with_live_shop
from bundlesvc.cli.output import fail, print_table
from bundlesvc.domain.connection import ClientCredentials, PlatformConnection
from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.shop import ShopSettings
from bundlesvc.platforms.shopify.installed_app import (
    ShopifyAppInspection,
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

_SHOP = click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop.")

_CLIENT_ID = "client ID of the app"
_TOKEN = "Admin API access token"  # noqa: S105 - a label
_SECRET = "client secret of the app"  # noqa: S105

_VISIBLE = re.compile(rb"[!-~]+")
"""Visible ASCII, because a token is sent in a header."""


@click.group()
def platform() -> None:
    """Connect shops to Shopify."""


@platform.command()
@_SHOP
@click.option(
    "--client-credentials", is_flag=True, help="Read the app's client ID and client secret from standard input."
)
@click.option("--check/--no-check", default=True, help="Check the credentials with the shop first.  [default: check]")
def connect(handle: str, *, client_credentials: bool, check: bool) -> None:
    """Connect a shop with the credentials of its app. They are stored encrypted.

    An app made in the Dev Dashboard has a client ID and a client secret: the service uses them to fetch access tokens, and
    renews these. An app that shows an Admin API access token is connected with that token and its client secret. The client
    secret also signs the app's webhooks.

    At a terminal the command prompts for them, and does not show secrets. Otherwise it reads them from standard input, one
    on each line: access token and client secret, or with --client-credentials client ID and client secret.
    """

    async def use(live: LiveShop) -> _Checked | None:
        unsaved = live.unsaved(_read_connection(live.domain, client_credentials=client_credentials))
        checked = await _check(live, unsaved) if check else None
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
@_SHOP
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
@_SHOP
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


@dataclass(frozen=True, slots=True)
class _Checked:
    """A shop's settings, fetched with the new credentials. `lacking`: the access scopes that the app needs and lacks."""

    settings: ShopSettings
    lacking: Sequence[str]


async def _check(live: LiveShop, unsaved: UnsavedConnection) -> _Checked:
    """Try a connection before it is stored. Ends the command when the shop refuses it."""
    try:
        settings = await unsaved.platform.shop(live.tenant)
        access = await ShopifyAppInspection(unsaved.platform).access(live.tenant, live.bundles)
        return _Checked(settings, access.missing_scopes)
    except PLATFORM_FAULTS as error:
        other_way = isinstance(error, PlatformNotConnected) and unsaved.connection.grant is None
        hint = " To connect with a client ID instead of a token, use --client-credentials." if other_way else ""
        reason = reason_of(error, live.tenant, live.notes)
        fail(f"nothing was stored, and an earlier connection still works: {reason}{hint}")


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


def _read_connection(domain: str, *, client_credentials: bool) -> PlatformConnection:
    """Read a client ID and client secret, or an access token and client secret. At a terminal, prompts for them and does not
    show secrets. Ends the command when one is missing."""
    client_id = _read_client_id(client_credentials=client_credentials)
    if client_id:
        return PlatformConnection(domain, "", _read(_SECRET, _CLIENT_ID), ClientCredentials(client_id))
    return PlatformConnection(domain, _read(_TOKEN, _TOKEN), _read(_SECRET, _TOKEN))


def _read_client_id(*, client_credentials: bool) -> str:
    """The client ID; empty when an access token is to be read instead, which a person chooses by pressing Enter."""
    if client_credentials:
        return _read(_CLIENT_ID, _CLIENT_ID, hidden=False)
    if not sys.stdin.isatty():
        return ""
    hint = f"{_CLIENT_ID} (none: press Enter)"
    return str(click.prompt(hint, default="", show_default=False, err=True)).strip()


def _read(what: str, first: str, *, hidden: bool = True) -> str:
    """Read one line; `first` names the first line, for the error."""
    if sys.stdin.isatty():
        written: bytes = click.prompt(what, hide_input=hidden, err=True).encode()
    else:
        written = sys.stdin.buffer.readline()
    line = written.strip()
    if not _VISIBLE.fullmatch(line):
        fail(
            f"the {what} is missing or not a single word. Give two lines on standard input: the {first}, then the {_SECRET}."
        )
    return line.decode()
