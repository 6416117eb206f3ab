"""`bundlesvc orders`: lists orders with their verdicts, shows an order line by line, and quotes refunds."""

from datetime import UTC, datetime
from typing import NoReturn

import click

from bundlesvc.api.manage.orders.rendering import comparison_body, order_body, order_summary, refund_body
from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.orders.refunds import Quoted, quote_with_rules_of_today
from bundlesvc.cli.orders.rows import bundle_rows, line_rows, quote_rows
from bundlesvc.cli.terminal.output import fail, fail_unknown_shop
from bundlesvc.cli.terminal.rows import FORMAT, print_rows
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.errors import InvalidInput, NotFound
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.orders.judged import JudgedOrder, OrderFilter
from bundlesvc.domain.orders.refunds.refund_comparison import compare_refunds
from bundlesvc.domain.orders.refunds.refund_quote import POLICIES
from bundlesvc.domain.orders.verdict import CAUSES, OUTCOMES
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.orders.orders import SqlOrderStore

_SHOP = click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop of the orders.")
_PART = 500


@click.group()
def orders() -> None:
    """Verify order charges, and quote refunds."""


@orders.command("list")
@_SHOP
@click.option("--bundle", "bundle_id", type=WholeNumber(1, MAX_ID), metavar="ID", help="Only orders with this bundle.")
@click.option("--verdict", type=click.Choice([*OUTCOMES, *CAUSES]), metavar="VERDICT",
              help="Only orders with this outcome or cause, such as differs or other_discount.")  # fmt: skip
@click.option(
    "--since", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="Only orders placed on this day (UTC) or later."
)
@FORMAT
def list_orders(handle: str, bundle_id: int | None, verdict: str | None, since: datetime | None, form: str) -> None:
    """List ordered bundles with their verdicts.

    Prints one line per bundle. The newest orders come first.
    """
    begin = None if since is None else int(since.replace(tzinfo=UTC).timestamp())
    wanted = OrderFilter(bundle_id, verdict, begin, limit=_PART)

    async def use(database: Database) -> list[JudgedOrder]:
        return await _all(SqlOrderStore(database), await _tenant(database, handle), wanted)

    found = [order_summary(judged) for judged in with_database(use)]
    print_rows(form, found, [row for order in found for row in bundle_rows(order)])


@orders.command("import")
@_SHOP
@click.option("--since", required=True, type=click.DateTime(["%Y-%m-%d"]), metavar="DAY",
              help="Only orders placed on this day (UTC) or later.")  # fmt: skip
def import_command(handle: str, since: datetime) -> None:
    """Import earlier orders from a live platform.

    Orders that are already stored stay as they are. After an interruption, the same command continues where it stopped.
    """
    from bundlesvc.cli.orders.importing import import_orders  # noqa: PLC0415 - the other commands need no platform

    import_orders(handle, since)


@orders.command()
@click.argument("order_id")
@_SHOP
@FORMAT
def show(order_id: str, handle: str, form: str) -> None:
    """Show one order, line by line.

    ORDER_ID is the id under which the order was sent to this service. Each bundle is shown with its verdict, and each component
    with its revenue.
    """

    async def use(database: Database) -> JudgedOrder | None:
        return await SqlOrderStore(database).order(await _tenant(database, handle), order_id)

    found = with_database(use)
    if found is None:
        _fail_unknown(order_id)
    body = order_body(found)
    if form == "text":
        click.echo(f"{body['name']}, {body['placedAt']}, {body['currency']}{', test order' if body['test'] else ''}\n")
        print_rows(form, body, bundle_rows(body))
        click.echo()
    print_rows(form, body, line_rows(body))


@orders.command("refund-quote")
@click.argument("order_id")
@click.option("--line", "lines", multiple=True, required=True, type=(str, WholeNumber(1, 1_000_000)),
              metavar="LINE UNITS", help="A line and the number of returned units; repeatable.")  # fmt: skip
@click.option(
    "--policy", type=click.Choice(POLICIES), required=True, help="How the units that the shopper keeps are valued."
)
@click.option(
    "--compare", is_flag=True, help="Also fetch the refund that the platform suggests, and explain the difference."
)
@_SHOP
@FORMAT
def refund_quote(
    order_id: str,
    lines: tuple[tuple[str, int], ...],
    policy: str,
    compare: bool,  # noqa: FBT001 - click's
    handle: str,
    form: str,
) -> None:
    """Quote a refund for parts of an order.

    ORDER_ID is the id under which the order was sent to this service. Nothing is stored.
    """
    returns = dict(lines)
    if len(returns) < len(lines):
        raise click.UsageError("name each line once.")

    async def use(database: Database) -> Quoted:
        tenant = await _tenant(database, handle)
        try:
            return await quote_with_rules_of_today(database, tenant, order_id, returns, policy)
        except NotFound:
            _fail_unknown(order_id)
        except InvalidInput as refused:
            fail(" ".join(fault.message for fault in refused.faults))

    order, quoted = with_database(use)
    body = refund_body(order, policy, quoted)
    if compare:
        from bundlesvc.cli.orders.suggested_refund import suggested_refund  # noqa: PLC0415 - needed only with a live platform

        suggested = suggested_refund(handle, order, returns)
        body["platform"] = comparison_body(order, compare_refunds(order, policy, quoted, suggested))
    print_rows(form, body, quote_rows(body))
    if compare and form == "text":
        click.echo(f"\n{body['platform']['message']}")


async def _all(store: SqlOrderStore, tenant: Tenant, wanted: OrderFilter) -> list[JudgedOrder]:
    """Read all orders that match a filter, page by page."""
    found: list[JudgedOrder] = []
    while True:
        part = await store.orders(tenant, wanted.following(found[-1]) if found else wanted)
        found += part
        if len(part) < wanted.limit:
            return found


async def _tenant(database: Database, handle: str) -> Tenant:
    tenant = await SqlKeyStore(database).tenant(handle)
    if tenant is None:
        fail_unknown_shop(handle)
    return tenant


def _fail_unknown(order_id: str) -> NoReturn:
    fail(f"there is no order {order_id} with a bundle in this shop. `bundlesvc orders list` lists them.")
