"""`bundlesvc platform function`: installs the function that applies the discounts of native bundles in a shop's checkout."""

from collections.abc import Sequence
from pathlib import Path

import click
import orjson

from bundlesvc.cli.environment.secret_settings import settings_with_secrets
from bundlesvc.cli.platform.connection.live_shop import SHOP_OPTION, LiveShop, with_live_shop
from bundlesvc.cli.platform.connection.shopify_shop import shopify_session
from bundlesvc.cli.terminal.output import fail, print_table
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.checkout.checkout_function import (
    FunctionConfig,
    InstalledFunction,
    InstalledPart,
    function_faults,
    key_name,
)
from bundlesvc.platforms.shopify.app.faults import checkout_state
from bundlesvc.platforms.shopify.app.function.activation import ActivationRefused, activate
from bundlesvc.platforms.shopify.app.function.installation import installed_function
from bundlesvc.platforms.shopify.app.function.package import extension_files, version, write_extension
from bundlesvc.printable import printable
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import DISCOUNT, derived_keys

_MOST_DAYS = 3650


@click.group()
def function() -> None:
    """Install the checkout function.

    It applies the discounts of native bundles in the shop's checkout. Other bundles do not need it.
    """


@function.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write into an existing folder. Other files in it are kept.")
def export(folder: Path, *, force: bool) -> None:
    """Write the function to the folder DIR.

    The folder is an extension of the shop's app, which Shopify's command-line tool deploys as it is: move it to the app's
    "extensions" folder, and run `shopify app deploy`. It contains the compiled module, so there is no build step.
    """
    if folder.exists() and not force:
        fail(f"{folder} exists. Name another folder, or add --force to replace the function in it.")
    if folder.exists() and not folder.is_dir():
        fail(f"{folder} is not a folder.")
    write_extension(folder)
    for name in extension_files():
        click.echo(printable(str(folder / name)))
    click.echo(f"Version {version()}. Deploy it, then activate it in each shop of the app.", err=True)


@function.command("activate")
@SHOP_OPTION
@click.option(
    "--block-on-failure/--no-block-on-failure",
    default=None,
    help="Whether a failure of the function blocks the checkout.  [default: unchanged, initially no]",
)
@click.option(
    "--max-age-days",
    type=WholeNumber(1, _MOST_DAYS),
    metavar="N",
    help="How many days a discount is valid.  [default: unchanged, initially 30]",
)
def activate_function(handle: str, *, block_on_failure: bool | None, max_age_days: int | None) -> None:
    """Activate the deployed function in a shop.

    Writes the discount-string keys that the function needs, and creates or updates the cart transform and the automatic discount
    that run it. Run this command again after changing BUNDLESVC_SECRET_KEYS. It changes only what differs.
    """
    config = FunctionConfig(handle, _keys(), max_age_days)

    async def use(live: LiveShop) -> Sequence[tuple[str, str]]:
        session, now = await shopify_session(live), SystemClock().now()
        try:
            return [*(await activate(session, config, now, block_on_failure=block_on_failure)).items()]
        except ActivationRefused as refusal:
            fail(f"{handle}: {refusal}")

    for part, outcome in with_live_shop(handle, use):
        click.echo(f"{part}: {outcome}")
    names = ", ".join(map(key_name, config.keys))
    click.echo(f"{handle}: the function is active, with the keys {names}.", err=True)


@function.command()
@SHOP_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def status(handle: str, *, as_json: bool) -> None:
    """Print the state of the installed function.

    Prints the function's version and keys, and whether a failure of the function blocks the checkout. Keys are printed as short
    names, from which they cannot be recovered. The exit status is 1 if discounts are not applied.
    """
    keys = _keys()

    async def use(live: LiveShop) -> InstalledFunction:
        return await installed_function(await shopify_session(live))

    installed = with_live_shop(handle, use)
    faults = [fault.sentence for fault in function_faults(installed, handle, keys)]
    if as_json:
        parts = [_row(part) for part in installed.parts]
        body = {"version": installed.current, "keys": [*map(key_name, keys)], "parts": parts, "faults": faults}
        click.echo(orjson.dumps(body | {"missingScopes": [*installed.missing_scopes]}))
    elif installed.parts:
        print_table([_row(part) for part in installed.parts])
    problems = [
        f"{handle}: {fault.sentence} {fault.remedy}".rstrip()
        for fault in checkout_state(installed, handle, keys).faults
    ]
    if problems:
        fail("\n".join(problems))


def _row(part: InstalledPart) -> dict[str, object]:
    return {
        "part": part.name,
        "version": part.version if part.version is None else part.version or "unknown",
        "active": part.active,
        "keys": [*map(key_name, part.config.keys)] if part.config else [],
        "blockOnFailure": part.block_on_failure,
    }


def _keys() -> tuple[str, ...]:
    """Return the keys that encrypt discount strings, newest first."""
    return tuple(derived_keys(settings_with_secrets().secret_keys, DISCOUNT))
