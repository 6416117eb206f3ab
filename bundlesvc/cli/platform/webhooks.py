"""`bundlesvc platform webhooks`: manages the webhooks that a shop sends to this service."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import click
import orjson
from yarl import URL

from bundlesvc.cli.platform.connection.live_shop import SHOP_OPTION, LiveShop, with_live_shop
from bundlesvc.cli.platform.connection.plugin_webhooks import Row, has_plugin, plugin_webhooks
from bundlesvc.cli.platform.connection.shopify_shop import shopify_session
from bundlesvc.cli.terminal.output import fail, print_table
from bundlesvc.platforms.shopify.app.access_scopes import granted_scopes
from bundlesvc.platforms.shopify.app.webhook_subscriptions import (
    Subscription,
    SubscriptionRefused,
    missing_topics,
    subscribe,
    subscriptions,
    unsubscribe,
)
from bundlesvc.printable import printable
from bundlesvc.services.diagnosis.live_platform import PLATFORM_FAULTS, reason_of

_PATH = "webhooks/platform"


@click.group()
def webhooks() -> None:
    """Manage the webhooks that the shop sends to this service.

    A shop on Vendure needs no webhook subscriptions: the Vendure plugin sends webhooks to the address in the plugin's
    `webhooks` option.
    """


@webhooks.command("subscribe")
@SHOP_OPTION
@click.option("--url", required=True, metavar="URL", help="The public https address of this service.")
def subscribe_all(handle: str, url: str) -> None:
    """Subscribe to every topic that this service uses. Existing subscriptions are kept unless they lack data that the service
    needs."""
    address = _webhook_address(url, handle)

    async def use(live: LiveShop) -> list[tuple[str, str]]:
        session = await shopify_session(live)
        found, granted = await subscriptions(session), await granted_scopes(session)
        missing = missing_topics(found, address, granted)
        outdated = [one for one in found if one.uri == address and not one.suffices]
        await asyncio.gather(*(_attempt(live, unsubscribe, one) for one in outdated))
        refusals = await asyncio.gather(*(_attempt(live, subscribe, topic, address) for topic in missing))
        return list(zip(missing, refusals, strict=True))

    outcomes = with_live_shop(handle, use)
    if not outcomes:
        click.echo(f"{handle}: all topics are subscribed already.", err=True)
    if not _print_outcomes(outcomes, "subscribed"):
        fail("some topics are not subscribed: their changes show only after cached data has expired.")


@webhooks.command("list")
@SHOP_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def list_webhooks(handle: str, *, as_json: bool) -> None:
    """List the shop's webhook subscriptions: topics and addresses.

    On Vendure, lists the address that the plugin sends webhooks to, the name of the secret that signs them, and the number of
    webhooks waiting to be sent.
    """

    async def use(live: LiveShop) -> list[Row]:
        if has_plugin(live):
            return await plugin_webhooks(live)
        found = sorted(await subscriptions(await shopify_session(live)), key=lambda one: (one.uri, one.topic))
        return [{"topic": one.topic, "address": one.uri} for one in found]

    rows = with_live_shop(handle, use)
    if as_json:
        click.echo(orjson.dumps(rows))
    else:
        print_table(rows)


@webhooks.command("unsubscribe")
@SHOP_OPTION
@click.option("--url", metavar="URL", help="Only the subscriptions of this address of the service.  [default: all]")
def unsubscribe_command(handle: str, url: str | None) -> None:
    """End the shop's webhook subscriptions for this service. Subscriptions for other addresses stay."""
    address = None if url is None else _webhook_address(url, handle)
    ended = with_live_shop(handle, lambda live: unsubscribe_all(live, address))
    if not ended:
        click.echo(f"{handle}: no webhooks are subscribed.", err=True)
    if not _print_outcomes([(f"{one.topic} to {one.uri}", refusal) for one, refusal in ended], "unsubscribed"):
        fail("some webhooks are still subscribed.")


def _print_outcomes(outcomes: Sequence[tuple[str, str]], success: str) -> bool:
    """Print the outcome for each subscription. Returns True when none was refused."""
    for name, refusal in outcomes:
        click.echo(printable(f"{name}: {refusal or success}"))
    return not any(refusal for _, refusal in outcomes)


async def unsubscribe_all(live: LiveShop, address: str | None = None) -> Sequence[tuple[Subscription, str]]:
    """End the subscriptions for one address, or for every address of this service. Returns each subscription with the reason why
    it could not be ended, or an empty string."""
    path = str(URL("/") / _PATH / live.tenant.shop.handle)
    found = await subscriptions(await shopify_session(live))
    ours = [one for one in found if one.uri == address or (address is None and one.uri.endswith(path))]
    refusals = await asyncio.gather(*(_attempt(live, unsubscribe, one) for one in ours))
    return list(zip(ours, refusals, strict=True))


async def _attempt(live: LiveShop, use: Callable[..., Awaitable[None]], *arguments: object) -> str:
    """Call `use`, which creates or ends a webhook subscription. Returns the reason for a failure, or an empty string."""
    try:
        await use(await shopify_session(live), *arguments)
    except SubscriptionRefused as refusal:
        return f"refused: {refusal}"
    except PLATFORM_FAULTS as error:
        return f"failed: {reason_of(error, live.tenant, live.notes)}"
    return ""


def _webhook_address(url: str, handle: str) -> str:
    """Build the webhook address of a shop. Ends the command unless the URL is https, because platforms call only public https
    addresses."""
    try:
        base = URL(url)
    except ValueError:
        base = URL()
    if base.scheme != "https" or not base.host:
        fail(f"{url} is not an https address such as https://bundles.example.com.")
    return str(base / _PATH / handle)
