"""`bundlesvc discount`: looking into discount strings."""

import click
import orjson

from bundlesvc.cli.demo import demo_settings
from bundlesvc.cli.failing import fail
from bundlesvc.ports import SealBroken
from bundlesvc.sealing import FernetSealer
from bundlesvc.settings import Settings


@click.group()
def discount() -> None:
    """Look into discount strings."""


@discount.command()
@click.argument("token")
def inspect(token: str) -> None:
    """Print what the discount string TOKEN says, as JSON.

    It is opened with BUNDLESVC_SECRET_KEYS, in demo mode with the demo's own. Exit status 1 when none of them opens it.
    """
    settings = Settings.from_environment()
    settings = demo_settings(settings) if settings.demo else settings
    try:
        claims = FernetSealer(settings.secret_keys).unseal(token.strip())
    except SealBroken:
        fail("this discount string was not made with any of our keys, or was changed on its way.")
    except ValueError:
        fail("BUNDLESVC_SECRET_KEYS is not set: it holds the keys that open discount strings.")
    else:
        click.echo(orjson.dumps(claims))
