"""`bundlesvc discount`: discount strings and the keys that open them."""

from collections.abc import Sequence

import click
import orjson

from bundlesvc.cli.demo import demo_settings
from bundlesvc.cli.output import fail
from bundlesvc.ports import TokenInvalid
from bundlesvc.settings import Settings
from bundlesvc.token_cipher import DISCOUNT, derived_keys, discount_cipher


@click.group()
def discount() -> None:
    """Discount strings and their keys."""


@discount.command()
@click.argument("token")
def inspect(token: str) -> None:
    """Print the claims of the discount string TOKEN as JSON.

    It is opened with the keys derived from BUNDLESVC_SECRET_KEYS, in demo mode with the demo's own, and with those secrets
    themselves, which the previous release used. Exit status 1 when none of them opens it.
    """
    try:
        claims = discount_cipher(_secrets()).unseal(token.strip())
    except TokenInvalid:
        fail("this discount string was not made with any of our keys, or was changed on its way.")
    click.echo(orjson.dumps(claims))


@discount.command()
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def key(*, as_json: bool) -> None:
    """Print the keys that open discount strings, the newest first.

    They are derived from BUNDLESVC_SECRET_KEYS, and belong into the metafield of the cart-transform function. They open
    discount strings and nothing else. Treat them as secrets: they can also make discount strings.
    """
    keys = derived_keys(_secrets(), DISCOUNT)
    click.echo(orjson.dumps({"keys": keys}) if as_json else "\n".join(keys))


def _secrets() -> Sequence[str]:
    settings = Settings.from_environment()
    secrets = (demo_settings(settings) if settings.demo else settings).secret_keys
    if not secrets:
        fail("BUNDLESVC_SECRET_KEYS is not set: the keys of discount strings are derived from it.")
    return secrets
