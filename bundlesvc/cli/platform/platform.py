"""`bundlesvc platform`: connects a shop to its live platform, and disconnects it."""

import click

from bundlesvc.cli.platform.check import check
from bundlesvc.cli.platform.client_secret import client_secret
from bundlesvc.cli.platform.connection.checking import Checked, check_connection
from bundlesvc.cli.platform.connection.credentials import read_connection
from bundlesvc.cli.platform.connection.live_shop import SHOP_OPTION, LiveShop, UnsavedConnection, with_live_shop
from bundlesvc.cli.platform.connection.webhook_secret import with_webhook_secret
from bundlesvc.cli.platform.function import function
from bundlesvc.cli.platform.webhooks import unsubscribe_all, webhooks
from bundlesvc.cli.terminal.confirmation import YES_OPTION, confirm
from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.shop import SHOPIFY
from bundlesvc.services.diagnosis.live_platform import PLATFORM_FAULTS, reason_of
from bundlesvc.system import SystemClock


@click.group()
def platform() -> None:
    """Connect shops to Shopify or Vendure."""


platform.add_command(check)
platform.add_command(client_secret)
platform.add_command(function)
platform.add_command(webhooks)


@platform.command()
@SHOP_OPTION
@click.option(
    "--client-credentials", is_flag=True, help="Read the app's client ID and client secret from standard input."
)
@click.option(
    "--refresh-token", is_flag=True, help="Read client ID, client secret and refresh token from standard input."
)
@click.option(
    "--check/--no-check",
    "checking",
    default=True,
    help="Check the credentials with the shop first.  [default: check]",
)
def connect(handle: str, *, client_credentials: bool, refresh_token: bool, checking: bool) -> None:
    """Connect a shop with its credentials. They are stored encrypted.

    A shop on Vendure is connected with an API key, or with the session token of an administrator. The first time, the command
    prints the secret that signs the plugin's webhooks; connecting again keeps that secret.

    On Shopify, an app created in the Dev Dashboard has a client ID and a client secret, with which the service fetches and renews
    access tokens. An app whose settings page shows an Admin API access token is connected with that token and its client secret.
    An app installed with the authorization code grant also needs the refresh token from that grant. The client secret also signs
    the app's webhooks.

    At a terminal, the command prompts for the credentials and hides secrets. Otherwise, it reads them from standard input,
    one per line. For Vendure, this is the key. For Shopify, these are the access token and the client secret; with
    --client-credentials, the client ID and the client secret; with --refresh-token, the client ID, the client secret and the
    refresh token.
    """

    async def use(live: LiveShop) -> tuple[Checked | None, str | None]:
        link = live.tenant.shop.platform
        given = read_connection(link, client_credentials=client_credentials, refresh_token=refresh_token)
        earlier = await live.connections.of(live.tenant)
        unsaved = UnsavedConnection(await with_webhook_secret(live, given))
        checked = await check_connection(live, unsaved) if checking else None
        await live.connections.connect(live.tenant, unsaved.connection, int(SystemClock().now()))
        known = given.webhook_secret or (earlier and earlier.webhook_secret)
        return checked, None if known else unsaved.connection.webhook_secret

    checked, new_secret = with_live_shop(handle, use)
    if new_secret:
        click.echo(f"Webhook secret: {new_secret}")
    settings = f" Currency {checked.settings.currency}, weights in {checked.settings.weight_unit}." if checked else ""
    click.echo(f"{handle}: connected.{settings}", err=True)
    if checked and checked.faults:
        fail("\n".join(f"{handle}: {fault.sentence} {fault.remedy}" for fault in checked.faults))


@platform.command()
@SHOP_OPTION
@click.option(
    "--unsubscribe/--no-unsubscribe",
    "ending_webhooks",
    default=True,
    help="End the shop's webhooks to this service first.  [default: unsubscribe]",
)
@YES_OPTION
def disconnect(handle: str, *, ending_webhooks: bool, yes: bool) -> None:
    """Delete the stored credentials of a shop.

    The shop's file, configured bundles and keys are kept; requests that need its platform get a 503 until the shop is connected
    again. On Shopify, the subscriptions for webhooks sent to this service are ended first; if that fails, nothing is deleted.
    Shopify keeps the app installed, and an access token that does not expire stays valid: uninstall the app in the shop, or
    revoke its client secret. A Vendure key also stays valid: delete it in Vendure.
    """

    async def use(live: LiveShop) -> bool:
        ending = ending_webhooks and live.tenant.shop.platform.kind == SHOPIFY
        webhooks = ", and its webhooks ended" if ending else ""
        confirm(f"the stored credentials of {handle} would be deleted{webhooks}.", yes=yes)
        if ending and await live.connections.of(live.tenant):
            await _end_webhooks(live)
        return await live.connections.disconnect(live.tenant)

    if not with_live_shop(handle, use):
        fail(f"{handle} is not connected.")
    click.echo(f"{handle}: disconnected.", err=True)


async def _end_webhooks(live: LiveShop) -> None:
    try:
        refusals = [outcome for _, outcome in await unsubscribe_all(live) if outcome]
    except PLATFORM_FAULTS as error:
        refusals = [reason_of(error, live.tenant, live.notes)]
    if refusals:
        fail(
            f"{live.tenant.shop.handle}: its webhooks cannot be ended, and nothing was deleted: {refusals[0]}. "
            "With --no-unsubscribe the credentials are deleted all the same."
        )
