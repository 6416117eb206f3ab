"""`bundlesvc keys`: API keys (design 3)."""

import re
from datetime import UTC, datetime

import click
import orjson

from bundlesvc.ambient import RandomIds, SystemClock
from bundlesvc.cli.failing import fail
from bundlesvc.cli.opening import with_database
from bundlesvc.cli.table import print_table
from bundlesvc.domain.key import DEFAULT_RATE_LIMIT, PREFIX_LENGTH, SCOPES, ApiKey
from bundlesvc.services.key_administration import KeyRequest, create_key
from bundlesvc.storage.database import Database
from bundlesvc.storage.keys import SqlKeyStore

MAX_LABEL_LENGTH = 255

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#@]+/?\Z")


def _check_origins(context: click.Context, parameter: click.Parameter, origins: tuple[str, ...]) -> tuple[str, ...]:
    """An origin is what browsers send: scheme, host and port, in lower case."""
    for origin in origins:
        if not _ORIGIN.match(origin) or origin != origin.lower():
            raise click.BadParameter(f"{origin} is no origin such as https://shop.example.")
    return origins


def _check_label(context: click.Context, parameter: click.Parameter, label: str) -> str:
    if len(label) > MAX_LABEL_LENGTH:
        raise click.BadParameter(f"a label has at most {MAX_LABEL_LENGTH} characters.")
    return label


@click.group()
def keys() -> None:
    """Make, list and revoke API keys."""


@keys.command()
@click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop that the key opens.")
@click.option("--label", required=True, callback=_check_label, help="What the key is for, in your words.")
@click.option(
    "--test", is_flag=True, help="A test key: it also sees unpublished bundles, and marks what it configures."
)
@click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="Repeatable.  [default: both]")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    callback=_check_origins,
    help="A page that may use the key; repeatable.",
)
@click.option("--rate-limit", type=click.IntRange(1, 2**31 - 1), default=DEFAULT_RATE_LIMIT, show_default=True,
              help="Requests per minute.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def create(
    handle: str,
    label: str,
    scopes: tuple[str, ...],
    origins: tuple[str, ...],
    rate_limit: int,
    *,
    test: bool,
    as_json: bool,
) -> None:
    """Make a key. It is shown this once: only a digest of it is kept."""
    request = KeyRequest(label, test, tuple(dict.fromkeys(scopes)) or SCOPES, origins, rate_limit)

    async def use(database: Database) -> str | None:
        store = SqlKeyStore(database)
        tenant = await store.tenant(handle)
        return None if tenant is None else await create_key(store, tenant, request, SystemClock(), RandomIds())

    key = with_database(use)
    if key is None:
        fail(f"there is no shop {handle}. `bundlesvc shops list` shows those that there are.")
    elif as_json:
        click.echo(orjson.dumps({"key": key, "prefix": key[:PREFIX_LENGTH], "shop": handle}))
    else:
        click.echo("This key is shown once. Keep it safe:", err=True)
        click.echo(key)


@keys.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def list_keys(*, as_json: bool) -> None:
    """List all keys, oldest first."""

    async def use(database: Database) -> list[dict[str, object]]:
        return [_described(handle, key) for handle, key in await SqlKeyStore(database).keys()]

    described = with_database(use)
    if as_json:
        click.echo(orjson.dumps(described))
    else:
        print_table(described)


@keys.command()
@click.argument("prefix")
def revoke(prefix: str) -> None:
    """Revoke a key: servers refuse it within two seconds.

    PREFIX are the first 16 characters of the key.
    """
    if not with_database(lambda database: SqlKeyStore(database).revoke_key(prefix)):
        _no_key(prefix)
    click.echo(f"{prefix}: revoked.", err=True)


@keys.command()
@click.argument("prefix")
@click.option(
    "--origin",
    "allowed",
    multiple=True,
    metavar="URL",
    callback=_check_origins,
    help="A page that may use the key; repeatable.",
)
def origins(prefix: str, allowed: tuple[str, ...]) -> None:
    """Set the pages that may use a key.

    PREFIX are the first 16 characters of the key. Without any --origin all pages may use it.
    """
    if not with_database(lambda database: SqlKeyStore(database).set_origins(prefix, allowed)):
        _no_key(prefix)
    click.echo(f"{prefix}: {', '.join(allowed) or 'all origins'}.", err=True)


def _described(handle: str, key: ApiKey) -> dict[str, object]:
    return {
        "prefix": key.prefix,
        "shop": handle,
        "label": key.label,
        "test": key.test,
        "scopes": list(key.scopes),
        "origins": list(key.origins),
        "rateLimit": key.rate_limit,
        "active": key.active,
        "created": _time(key.created_at),
        "lastUsed": _time(key.last_used_at),
    }


def _time(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _no_key(prefix: str) -> None:
    fail(f"there is no active key with the prefix {prefix}. `bundlesvc keys list` shows those that there are.")
