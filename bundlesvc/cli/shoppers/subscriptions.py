"""`bundlesvc subscriptions`: lists and cancels subscriptions."""

from collections.abc import Sequence
from datetime import UTC, datetime

import click
import orjson

from bundlesvc.cli.environment.database import with_database
from bundlesvc.cli.terminal.output import fail, print_table
from bundlesvc.cli.terminal.whole_number import WholeNumber
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.subscriptions import SqlSubscriptions, StoredSubscription


@click.group()
def subscriptions() -> None:
    """List and cancel subscriptions."""


@subscriptions.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def list_subscriptions(*, as_json: bool) -> None:
    """List all subscriptions, oldest first."""

    async def use(database: Database) -> Sequence[StoredSubscription]:
        return await SqlSubscriptions(database).all()

    rows = [described(subscription) for subscription in with_database(use)]
    if as_json:
        click.echo(orjson.dumps(rows))
    else:
        print_table(rows)


@subscriptions.command()
@click.argument("subscription_id", metavar="ID", type=WholeNumber(1, MAX_ID))
def cancel(subscription_id: int) -> None:
    """Cancel the pending or active subscription ID.

    This does not end a contract on the shop's platform; end that contract on the platform itself.
    """
    if not with_database(lambda database: SqlSubscriptions(database).cancel(subscription_id)):
        fail(f"there is no pending or active subscription {subscription_id}.")
    click.echo(f"{subscription_id}: cancelled.", err=True)


def described(subscription: StoredSubscription) -> dict[str, object]:
    """Format a subscription as a row that the commands print."""
    return {
        "id": subscription.id,
        "shop": subscription.shop,
        "configuredBundleId": subscription.configured_bundle_id,
        "bundle": subscription.bundle,
        "groupId": subscription.group_id,
        "frequency": subscription.frequency,
        "unit": subscription.unit,
        "email": subscription.email,
        "status": subscription.status,
        "nextDate": subscription.next_date,
        "order": subscription.order_id,
        "contract": subscription.contract,
        "created": datetime.fromtimestamp(subscription.created_at, UTC).isoformat(),
    }
