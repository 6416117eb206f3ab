"""`bundlesvc ghosts`: lists and retires ghost variants."""

from collections.abc import Sequence
from datetime import UTC, datetime

import click
import orjson

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.terminal.output import counted, fail, fail_unknown_shop, print_table
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.ghosts.variant import GHOST_STATES, LIVE, MARKED
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.ghosts.administration import RetirementFilter, SqlGhostAdmin, StoredGhost
from bundlesvc.system import SystemClock

_ID = WholeNumber(1, MAX_ID)


@click.group()
def ghosts() -> None:
    """List and retire ghost variants."""


@ghosts.command("list")
@click.option("--shop", metavar="HANDLE", help="Only the ghost variants of this shop.")
@click.option("--state", type=click.Choice(GHOST_STATES), help="Only the ghost variants in this state.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def list_ghosts(shop: str | None, state: str | None, *, as_json: bool) -> None:
    """List ghost variants, most recently used first.

    The states are: live (as far as is known, the promise is valid), marked (something that the promise depends on has changed,
    and the promise will be checked), and retired (the variant is no longer for sale, or is about to be removed from the
    platform).
    """

    async def use(database: Database) -> Sequence[StoredGhost]:
        if shop is not None:
            await _check_shop(database, shop)
        return await SqlGhostAdmin(database).all(shop, state)

    rows = [_described(ghost) for ghost in with_database(use)]
    if as_json:
        click.echo(orjson.dumps(rows))
    else:
        print_table(rows)


@ghosts.command()
@click.argument("variant_ids", metavar="[VARIANT_ID]…", nargs=-1, type=_ID)
@click.option("--shop", metavar="HANDLE", required=True, help="The shop whose ghost variants are retired.")
@click.option("--bundle", "bundle_id", type=_ID, metavar="ID", help="Only the ghost variants of this bundle.")
@click.option(
    "--all-of-state", "state", type=click.Choice((LIVE, MARKED)), help="Only the ghost variants in this state."
)
def retire(variant_ids: tuple[int, ...], shop: str, bundle_id: int | None, state: str | None) -> None:
    """Retire ghost variants immediately, without a grace period.

    A running service removes them from the platform within a minute, and they disappear from carts. The next shopper who
    configures the same selection gets a new ghost variant.
    """
    if not variant_ids and bundle_id is None and state is None:
        fail("name the ghost variants: variant ids, --bundle or --all-of-state.")
    wanted = RetirementFilter(variant_ids, bundle_id, state)

    async def use(database: Database) -> int:
        await _check_shop(database, shop)
        return await SqlGhostAdmin(database).retire(shop, wanted, int(SystemClock().now()))

    count = with_database(use)
    if not count:
        fail(f"{shop} has no such ghost variant in use.")
    click.echo(f"{shop}: {counted(count, 'ghost variant')} retired.", err=True)


async def _check_shop(database: Database, handle: str) -> None:
    if await SqlKeyStore(database).tenant(handle) is None:
        fail_unknown_shop(handle)


def _described(ghost: StoredGhost) -> dict[str, object]:
    return {
        "shop": ghost.shop,
        "variantId": str(ghost.variant_id),
        "productId": str(ghost.product_id),
        "bundleId": ghost.bundle_id,
        "state": ghost.state,
        "lastUsed": _time(ghost.last_used_at),
        "checked": _time(ghost.checked_at),
        "bought": _time(ghost.bought_at),
        "retired": _time(ghost.retired_at),
        "removed": _time(ghost.gone_at),
    }


def _time(seconds: int | None) -> str | None:
    return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else None
