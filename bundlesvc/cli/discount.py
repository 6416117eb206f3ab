"""`bundlesvc discount`: discount strings and their keys."""

from collections.abc import Sequence

import click
import orjson

from bundlesvc.cli.environment.demo_secrets import demo_settings
from bundlesvc.cli.terminal.output import fail
from bundlesvc.ports import TokenInvalid
from bundlesvc.settings.environment import Settings
from bundlesvc.token_cipher import DISCOUNT, derived_keys, discount_cipher


@click.group()
def discount() -> None:
    """Decrypt discount strings, and print their keys."""


@discount.command()
@click.argument("token")
def inspect(token: str) -> None:
    """Print the claims of the discount string TOKEN as JSON.

    The command tries the keys derived from BUNDLESVC_SECRET_KEYS (in demo mode, from the demo's own secret keys), then the secret
    keys themselves, which the previous release used. The exit status is 1 if none of them decrypts the string.
    """
    try:
        claims = discount_cipher(_secrets()).unseal(token.strip())
    except TokenInvalid:
        fail("none of the keys decrypts this discount string: it was made with another key, or changed.")
    click.echo(orjson.dumps(claims))


@discount.command()
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def key(*, as_json: bool) -> None:
    """Print the keys of discount strings, newest first.

    They are derived from BUNDLESVC_SECRET_KEYS. Put them into the metafield of the cart-transform function. They are used only to
    encrypt and decrypt discount strings. Keep them secret.
    """
    keys = derived_keys(_secrets(), DISCOUNT)
    click.echo(orjson.dumps({"keys": keys}) if as_json else "\n".join(keys))


def _secrets() -> Sequence[str]:
    settings = Settings.from_environment()
    secrets = (demo_settings(settings) if settings.demo else settings).secret_keys
    if not secrets:
        fail("BUNDLESVC_SECRET_KEYS is not set: the keys of discount strings are derived from it.")
    return secrets
