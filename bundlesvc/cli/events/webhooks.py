"""`bundlesvc webhooks`: the endpoints that receive a shop's events, and their deliveries."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar
from uuid import uuid4

import click
import orjson

from bundlesvc.cli.environment.database import current_database, with_database
from bundlesvc.cli.environment.secret_settings import settings_with_secrets
from bundlesvc.cli.revisions.recording import audited
from bundlesvc.cli.terminal.output import counted, fail, fail_unknown_shop, print_table
from bundlesvc.domain.events.event import GIVEN_UP, STATES, TYPES, Endpoint
from bundlesvc.domain.events.signature import SECRET_BYTES, secret_text
from bundlesvc.domain.events.url import url_fault
from bundlesvc.domain.revisions.audit import WEBHOOKS
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.events.endpoints import SqlWebhookEndpoints
from bundlesvc.storage.events.history import DeliveryFilter, LoggedDelivery, SqlDeliveryHistory
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import credentials_cipher

T = TypeVar("T")
_TIME = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M"])


@click.group()
def webhooks() -> None:
    """Send events to your servers, and see what arrived."""


@webhooks.command()
@click.option("--shop", "handle", required=True, metavar="HANDLE", help="The shop whose events are sent.")
@click.option("--url", required=True, help="Where events are sent, such as https://shop.example/hooks.")
@click.option("--event", "types", multiple=True, type=click.Choice(TYPES), help="Repeatable.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def add(handle: str, url: str, types: Sequence[str], *, as_json: bool) -> None:
    """Send the events of a shop to a URL.

    A running service starts sending within two seconds. The secret is printed only once. The receiver needs it to check the
    signature of each request (docs/webhooks.md).
    """
    secret = secret_text(os.urandom(SECRET_BYTES))
    endpoint = Endpoint(f"we_{uuid4().hex[:24]}", handle, url, tuple(types) or TYPES, int(SystemClock().now()))

    async def use(database: Database, endpoints: SqlWebhookEndpoints) -> None:
        tenant = await SqlKeyStore(database).tenant(handle)
        if tenant is None:
            fail_unknown_shop(handle)
        await endpoints.add(tenant.id, endpoint, secret)

    _with_endpoints(use, url)
    if as_json:
        click.echo(orjson.dumps({"id": endpoint.id, "shop": handle, "url": url, "secret": secret}))
        return
    click.echo(secret)
    click.echo(
        f"{handle}: {endpoint.id} receives {', '.join(endpoint.types)}. Store the secret: it is not shown again.",
        err=True,
    )


@webhooks.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def list_endpoints(*, as_json: bool) -> None:
    """List all endpoints."""

    async def use(_: Database, endpoints: SqlWebhookEndpoints) -> Sequence[Endpoint]:
        return await endpoints.all()

    rows = [
        {
            "id": endpoint.id,
            "shop": endpoint.shop,
            "url": endpoint.url,
            "events": " ".join(endpoint.types),
            "state": "disabled" if endpoint.disabled else "active",
            "created": _time(endpoint.created_at),
        }
        for endpoint in _with_endpoints(use)
    ]
    if as_json:
        click.echo(orjson.dumps(rows))
    else:
        print_table(rows)


@webhooks.command()
@click.argument("endpoint_id", metavar="ID")
def remove(endpoint_id: str) -> None:
    """Stop sending events to the endpoint ID.

    Events that are waiting to be sent to it are dropped.
    """

    async def use(_: Database, endpoints: SqlWebhookEndpoints) -> bool:
        return await endpoints.remove(endpoint_id)

    if not _with_endpoints(use):
        fail(f"there is no endpoint {endpoint_id}. `bundlesvc webhooks list` shows all.")
    click.echo(f"{endpoint_id}: removed.", err=True)


@webhooks.command()
@click.option("--endpoint", "endpoint_id", metavar="ID", help="Only deliveries to this endpoint.")
@click.option("--state", type=click.Choice(STATES), help="Only deliveries in this state.")
@click.option("--since", type=_TIME, metavar="TIME", help="Only deliveries of events from this day or time on, UTC.")
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=100, show_default=True, help="The largest number of deliveries."
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def deliveries(
    endpoint_id: str | None, state: str | None, since: datetime | None, limit: int, *, as_json: bool
) -> None:
    """List deliveries, newest first, with the last response to each."""
    wanted = DeliveryFilter(endpoint_id, state, _seconds(since), None, limit)
    found = with_database(lambda database: SqlDeliveryHistory(database).deliveries(wanted))
    rows = [_described(each) for each in found]
    if as_json:
        click.echo(orjson.dumps(rows))
    else:
        print_table(rows)


@webhooks.command()
@click.option("--endpoint", "endpoint_id", metavar="ID", help="Only deliveries to this endpoint.")
@click.option("--event", "event_id", metavar="ID", help="Only deliveries of this event.")
@click.option(
    "--state", type=click.Choice(STATES), default=GIVEN_UP, show_default=True, help="Only deliveries in this state."
)
@click.option("--since", type=_TIME, metavar="TIME", help="Only deliveries of events from this day or time on, UTC.")
def replay(endpoint_id: str | None, event_id: str | None, state: str, since: datetime | None) -> None:
    """Send events again, with their original ids.

    Without options, all events that the service gave up delivering are sent again. A disabled endpoint is enabled again.
    """
    wanted = DeliveryFilter(endpoint_id, state, _seconds(since), event_id)
    now = int(SystemClock().now())
    count = with_database(lambda database: SqlDeliveryHistory(database).replay(wanted, now))
    click.echo(f"{counted(count, 'event')} to send again.", err=True)


def _with_endpoints(use: Callable[[Database, SqlWebhookEndpoints], Awaitable[T]], url: str | None = None) -> T:
    """Call `use` with the database and the webhook endpoints, and return its result. Ends the command when `url`, the URL of a
    new endpoint, is not valid."""
    settings = settings_with_secrets()
    fault = None if url is None else url_fault(url, allow_private=settings.webhooks_private)
    if fault is not None:
        fail(f"{url}: {fault}")

    async def run() -> T:
        async with current_database(settings) as database:
            return await use(
                database, SqlWebhookEndpoints(database, credentials_cipher(settings.secret_keys), audited(WEBHOOKS))
            )

    return asyncio.run(run())


def _described(delivery: LoggedDelivery) -> dict[str, object]:
    return {
        "event": delivery.event_id,
        "type": delivery.type,
        "subject": delivery.subject,
        "endpoint": delivery.endpoint_id,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "response": delivery.response or "",
        "at": _time(delivery.at),
    }


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _seconds(time: datetime | None) -> int | None:
    return None if time is None else int(time.replace(tzinfo=UTC).timestamp())
