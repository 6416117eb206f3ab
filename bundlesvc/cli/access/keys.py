"""`bundlesvc keys`: creates, lists, changes and revokes API keys."""

from datetime import UTC, datetime
from typing import Any

import click
import orjson

from bundlesvc.cli.access.key_options import (
    check_label,
    check_origins,
    chosen_limits,
    key_request,
    rate_limit_option,
    visitor_limit_option,
)
from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.revisions.recording import audited
from bundlesvc.cli.terminal.output import fail, fail_unknown_shop, print_table
from bundlesvc.domain.access.key import (
    MANAGEMENT_SCOPES,
    PAGE_RATE_LIMIT,
    PAGE_VISITOR_LIMIT,
    PREFIX_LENGTH,
    SCOPES,
    ApiKey,
    KeyLimits,
)
from bundlesvc.domain.revisions.audit import KEYS
from bundlesvc.services.access.key_administration import create_key
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.system import RandomIds, SystemClock


@click.group()
def keys() -> None:
    """Create, list, change and revoke API keys."""


@keys.command()
@click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop that the key belongs to.")
@click.option("--label", required=True, callback=check_label, help="A name for the key, of your choice.")
@click.option(
    "--page",
    "pages",
    multiple=True,
    metavar="ORIGIN",
    callback=check_origins,
    help="Create a key for pages of this origin: scope embed, "
    f"{PAGE_RATE_LIMIT} requests a minute, {PAGE_VISITOR_LIMIT} from one address. Repeatable.",
)
@click.option(
    "--test", is_flag=True, help="Create a test key, which also reads unpublished bundles and marks what it configures."
)
@click.option("--scope", "scopes", multiple=True, type=click.Choice((*SCOPES, *MANAGEMENT_SCOPES)), metavar="SCOPE",
              help=f"Repeatable. For storefronts {' and '.join(SCOPES)}, which are the default; or, for the management API, "
              f"{', '.join(MANAGEMENT_SCOPES)}.")  # fmt: skip
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    callback=check_origins,
    help="A page that may use the key; repeatable.",
)
@rate_limit_option
@visitor_limit_option
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def create(handle: str, *, as_json: bool, **options: Any) -> None:
    """Create a key. It is shown only once: the database stores only its digest.

    Without --page, a key allows 100 requests a minute, and a single address may use them all. An origin is what browsers send,
    such as https://shop.example. The asterisk in https://*.shop.example stands for any single label, for preview deployments.
    """
    request = key_request(**options)

    async def use(database: Database) -> str | None:
        store = SqlKeyStore(database, note=audited(KEYS))
        tenant = await store.tenant(handle)
        return None if tenant is None else await create_key(store, tenant, request, SystemClock(), RandomIds())

    key = with_database(use)
    if key is None:
        fail_unknown_shop(handle)
    _print_key(key, handle, as_json=as_json)
    if request.lets_a_visitor_use_it_up:
        click.echo(
            f"This key has no visitor limit: one visitor can use up its {request.rate_limit} requests a minute, and then "
            "bundles fail for all others. Set a limit: "
            f"bundlesvc keys limit {key[:PREFIX_LENGTH]} --rate-limit {PAGE_RATE_LIMIT} --visitor-limit {PAGE_VISITOR_LIMIT}",
            err=True,
        )


def _print_key(key: str, handle: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps({"key": key, "prefix": key[:PREFIX_LENGTH], "shop": handle}))
    else:
        click.echo("This key is shown once. Store it safely:", err=True)
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
    """Revoke a key. Servers refuse it within two seconds.

    PREFIX is the first 16 characters of the key.
    """
    if not with_database(lambda database: SqlKeyStore(database, note=audited(KEYS)).revoke_key(prefix)):
        _no_key(prefix)
    click.echo(f"{prefix}: revoked.", err=True)


@keys.command()
@click.argument("prefix")
@click.option(
    "--origin",
    "allowed",
    multiple=True,
    metavar="ORIGIN",
    callback=check_origins,
    help="A page that may use the key; repeatable.",
)
def origins(prefix: str, allowed: tuple[str, ...]) -> None:
    """Set the origins of the pages that may use a key.

    PREFIX is the first 16 characters of the key. Without --origin, all pages may use it.
    """
    if not with_database(lambda database: SqlKeyStore(database, note=audited(KEYS)).set_origins(prefix, allowed)):
        _no_key(prefix)
    click.echo(f"{prefix}: {', '.join(allowed) or 'all origins'}.", err=True)


@keys.command()
@click.argument("prefix")
@rate_limit_option
@visitor_limit_option
def limit(prefix: str, rate_limit: int | None, visitor_limit: int | str | None) -> None:
    """Change how many requests a key allows.

    PREFIX is the first 16 characters of the key. Running services apply the change within two seconds.
    """
    limits = chosen_limits(rate_limit, visitor_limit)
    if not limits:
        raise click.UsageError("name a limit: --rate-limit, --visitor-limit, or both.")
    if not with_database(lambda database: SqlKeyStore(database, note=audited(KEYS)).set_limits(prefix, limits)):
        _no_key(prefix)
    click.echo(f"{prefix}: {_sentence(limits)}.", err=True)


def _sentence(limits: KeyLimits) -> str:
    parts = []
    if "rate_limit" in limits:
        parts.append(f"{limits['rate_limit']} requests a minute in all")
    if "visitor_limit" in limits:
        parts.append(f"{limits['visitor_limit'] or 'no limit'} for each visitor")
    return ", ".join(parts)


def _described(handle: str, key: ApiKey) -> dict[str, object]:
    return {
        "prefix": key.prefix,
        "shop": handle,
        "label": key.label,
        "test": key.test,
        "demo": key.demo,
        "scopes": list(key.scopes),
        "origins": list(key.origins),
        "rateLimit": key.rate_limit,
        "visitorLimit": key.visitor_limit,
        "active": key.active,
        "created": _time(key.created_at),
        "lastUsed": _time(key.last_used_at),
    }


def _time(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _no_key(prefix: str) -> None:
    fail(f"there is no active key with the prefix {prefix}. `bundlesvc keys list` lists the keys.")
