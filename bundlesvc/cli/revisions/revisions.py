"""`bundlesvc revisions`: lists, shows, compares, publishes, discards and restores the revisions of a shop."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import click
import orjson
import yaml

from bundlesvc.api.manage.revisions.rendering import differences_body, entry_body, revision_body
from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.revisions.recording import command_act
from bundlesvc.cli.terminal.output import fail, fail_unknown_shop, print_table
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.errors import InvalidInput, NotFound
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.revisions.audit import AuditEntry, AuditFilter
from bundlesvc.domain.revisions.refusals import RevisionConflict
from bundlesvc.domain.revisions.revision import ANY, API, MAX_LISTED, STATES, Revision, RevisionFilter
from bundlesvc.domain.shop import Tenant
from bundlesvc.printable import printable
from bundlesvc.services.revisions.drafts import Drafts
from bundlesvc.services.revisions.publishing import Publishing
from bundlesvc.services.revisions.reading import Difference, Revisions
from bundlesvc.shop_file.contents import ShopFileContents, describe
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.revisions.store import SqlRevisionStore

T = TypeVar("T")
Use = Callable[[SqlRevisionStore, Tenant], Awaitable[T]]

_SHOP = click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop of the revisions.")
_NUMBER = click.argument("number", type=WholeNumber(1, MAX_ID))
_MESSAGE = click.option("--message", metavar="TEXT", help="A message that describes the changes.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Check everything; change nothing.")
_COLUMNS = ("number", "state", "author", "source", "message", "createdAt", "publishedAt", "publishAt", "problem")


@click.group()
def revisions() -> None:
    """Publish, compare and restore the revisions of a shop."""


@revisions.command("list")
@_SHOP
@click.option(
    "--state", "states", multiple=True, type=click.Choice(STATES), help="Only revisions in this state; repeatable."
)
@_JSON
def list_revisions(handle: str, states: tuple[str, ...], *, as_json: bool) -> None:
    """List revisions, the newest first."""

    async def use(store: SqlRevisionStore, tenant: Tenant) -> list[Revision]:
        found: list[Revision] = []
        before: int | None = None
        while part := await store.revisions(tenant, RevisionFilter(states, before)):
            found += part
            before = part[-1].number
        return found

    bodies = [revision_body(each) for each in _with_shop(handle, use)]
    if as_json:
        click.echo(orjson.dumps(bodies))
    else:
        print_table([{name: body[name] for name in _COLUMNS} for body in bodies])


@revisions.command()
@_NUMBER
@_SHOP
@_JSON
def show(number: int, handle: str, *, as_json: bool) -> None:
    """Print the content of a revision, as a shop file.

    NUMBER is the number that `revisions list` shows. Stock levels are always the current ones.
    """

    async def use(store: SqlRevisionStore, tenant: Tenant) -> Mapping[str, Any]:
        return (await Revisions(store, ShopFileContents()).content(tenant, number))[1]

    content = _with_shop(handle, use)
    if as_json:
        click.echo(orjson.dumps(content))
    else:
        click.echo(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120), nl=False)


@revisions.command()
@_NUMBER
@_SHOP
@click.option(
    "--against", type=WholeNumber(1, MAX_ID), metavar="NUMBER", help="Another revision.  [default: the live one]"
)
@_JSON
def diff(number: int, handle: str, against: int | None, *, as_json: bool) -> None:
    """Print how a revision differs from the live revision.

    For a draft, prints what publishing it would change.
    """

    async def use(store: SqlRevisionStore, tenant: Tenant) -> Sequence[Difference]:
        return await Revisions(store, ShopFileContents()).difference(tenant, number, against)

    print_differences(_with_shop(handle, use), as_json=as_json)


@revisions.command()
@_NUMBER
@_SHOP
@_MESSAGE
@click.option("--at", type=click.DateTime(["%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M%z"]), metavar="TIME",
              help="Publish it at this time, such as 2026-11-27T00:00+01:00.")  # fmt: skip
@_DRY_RUN
def publish(number: int, handle: str, message: str | None, at: datetime | None, *, dry_run: bool) -> None:
    """Publish a draft, now or at a given time.

    The draft is merged with the live revision. If the two conflict, nothing is published, and each conflict is printed. A running
    server shows the new content within two seconds.
    """

    async def use(store: SqlRevisionStore, tenant: Tenant) -> Revision:
        publishing, act = Publishing(store, ShopFileContents()), command_act("revisions", API, dry_run=dry_run)
        if at is None:
            return await publishing.publish(tenant, act, number, ANY, message)
        return await publishing.schedule(tenant, act, number, ANY, message, int(at.timestamp()))

    made = _with_shop(handle, use)
    done = "published" if at is None else f"will be published at {at.isoformat()}"
    _say(handle, made, f"can be {done}" if dry_run and at is None else done, dry_run=dry_run)


@revisions.command()
@_NUMBER
@_SHOP
def unschedule(number: int, handle: str) -> None:
    """Make a scheduled revision a draft again."""

    async def use(store: SqlRevisionStore, tenant: Tenant) -> Revision:
        publishing = Publishing(store, ShopFileContents())
        return await publishing.unschedule(tenant, command_act("revisions", API), number, ANY)

    _say(handle, _with_shop(handle, use), "is a draft again")


@revisions.command()
@_NUMBER
@_SHOP
def discard(number: int, handle: str) -> None:
    """Discard a draft or a scheduled revision. A discarded revision can still be shown."""

    async def use(store: SqlRevisionStore, tenant: Tenant) -> Revision:
        drafts = Drafts(store, ShopFileContents())
        return await drafts.discard(tenant, command_act("revisions", API), number, ANY)

    _say(handle, _with_shop(handle, use), "discarded")


@revisions.command()
@_NUMBER
@_SHOP
@_MESSAGE
def revert(number: int, handle: str, message: str | None) -> None:
    """Create a draft that restores a past revision.

    Prints what the draft changes. Publish it with `bundlesvc revisions publish`.
    """

    async def use(store: SqlRevisionStore, tenant: Tenant) -> tuple[Revision, Sequence[Difference]]:
        contents = ShopFileContents()
        text = f"Restores revision {number}." if message is None else message
        made = await Drafts(store, contents).revert(tenant, command_act("revisions", API), number, text)
        return made, await Revisions(store, contents).difference(tenant, made.number, None)

    made, differences = _with_shop(handle, use)
    print_differences(differences, as_json=False)
    _say(handle, made, f"restores revision {number} once it is published")


@revisions.command()
@_SHOP
@click.option("--since", type=click.DateTime(["%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d"]), metavar="TIME",
              help="Only entries recorded at this time or later.")  # fmt: skip
def audit(handle: str, since: datetime | None) -> None:
    """Print the audit log as JSON lines, the newest entry first."""
    begin = None if since is None else int(since.timestamp())

    async def use(store: SqlRevisionStore, tenant: Tenant) -> list[AuditEntry]:
        found: list[AuditEntry] = []
        before: int | None = None
        while part := await store.entries(tenant, AuditFilter(begin, before, MAX_LISTED)):
            found += part
            before = part[-1].number
        return found

    for entry in _with_shop(handle, use):
        click.echo(orjson.dumps(entry_body(entry)))


def print_differences(differences: Sequence[Difference], *, as_json: bool) -> None:
    """Print differences as readable messages, or as JSON."""
    if as_json:
        click.echo(orjson.dumps(differences_body(differences)))
    elif not differences:
        click.echo("Nothing differs.")
    else:
        for each in differences:
            click.echo(printable(each.sentence))


def _with_shop(handle: str, use: Use[T]) -> T:
    """Run work on the revisions of a shop, and return its result. Ends the command when the shop or the revision is unknown, or
    when the work is refused."""

    async def run(database: Database) -> T:
        tenant = await SqlKeyStore(database).tenant(handle)
        if tenant is None:
            fail_unknown_shop(handle)
        return await use(SqlRevisionStore(database, describe), tenant)

    try:
        return with_database(run)
    except NotFound:
        fail(f"{handle} has no such revision. `bundlesvc revisions list --shop {handle}` lists them.")
    except RevisionConflict as refused:
        conflicts = (
            f"{each['path']}: the base has {_shown(each['base'])}, the live revision {_shown(each['live'])}, this one "
            f"{_shown(each['yours'])}."
            for each in refused.fields["conflicts"]
        )
        fail("\n".join((str(refused), *conflicts)))
    except InvalidInput as refused:
        fail("\n".join((str(refused), *(f"{fault.path}: {fault.message}" for fault in refused.faults))))


def _shown(value: object) -> str:
    return orjson.dumps(value).decode()


def _say(handle: str, revision: Revision, done: str, *, dry_run: bool = False) -> None:
    note = " Nothing was changed." if dry_run else ""
    click.echo(f"{handle}: revision {revision.number} {done}.{note}", err=True)
