"""Deliveries on both databases: each event reaches each endpoint that subscribes to it, in order, and no two processes send the
same delivery."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import Connection, insert

from bundlesvc.domain.events.bundles import changed_events
from bundlesvc.domain.events.event import BUNDLE_CHANGED, ORDER_PROVEN, TYPES, Endpoint, Event, new_event_id
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.events import AttemptResult, DueDelivery
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import outgoing_events
from bundlesvc.storage.events.deliveries import SqlEventStore
from bundlesvc.storage.events.endpoints import SqlWebhookEndpoints
from bundlesvc.storage.events.history import DeliveryFilter, SqlDeliveryHistory
from bundlesvc.storage.events.outbox import event_row
from bundlesvc.storage.maintenance.housekeeping import prune
from bundlesvc.token_cipher import credentials_cipher, new_secret_key

NOW, LATER = 1_800_000_000, 1_800_000_060
KEY = new_secret_key()
CIPHER = credentials_cipher([KEY])
SECRET = "whsec_AAAA"
FAILED, ACCEPTED = AttemptResult(503), AttemptResult(200)


@pytest.fixture
def store(database: Database) -> SqlEventStore:
    return SqlEventStore(database, CIPHER)


@pytest.fixture
def endpoints(database: Database) -> SqlWebhookEndpoints:
    return SqlWebhookEndpoints(database, CIPHER)


def endpoint(number: int, types: tuple[str, ...] = TYPES) -> Endpoint:
    return Endpoint(f"we_{number}", "demo", f"https://{number}.example/", types, NOW)


async def happen(database: Database, tenant: Tenant, *events: Event) -> None:
    def work(connection: Connection) -> None:
        for event in events:
            connection.execute(insert(outgoing_events).values(event_row(tenant.id, event)))

    await database.write(work)


def changed(bundle_id: int) -> Event:
    (event,) = changed_events(1, NOW, [bundle_id])
    return event


def proven(order: str) -> Event:
    return Event(new_event_id(), ORDER_PROVEN, f"order:{order}", NOW, test=False, data={"orderId": order})


async def due(store: SqlEventStore, now: int = NOW, limit: int = 100) -> Sequence[DueDelivery]:
    await store.address_events()
    return await store.claim(now, now + 60, limit)


async def test_each_endpoint_gets_the_events_of_its_types(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    await endpoints.add(tenant.id, endpoint(2, (BUNDLE_CHANGED,)), SECRET)
    await happen(database, tenant, changed(42), proven("7"))
    found = [(delivery.url, delivery.body.count(b"order.proven")) for delivery in await due(store)]
    assert sorted(found) == [("https://1.example/", 0), ("https://1.example/", 1), ("https://2.example/", 0)]
    assert await store.shops_with_endpoints() == {tenant.id}


async def test_event_is_addressed_once(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    """When two processes create the deliveries for new events at the same time, each delivery is still created only once."""
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    await happen(database, tenant, *(changed(number) for number in range(20)))
    await asyncio.gather(store.address_events(), SqlEventStore(database, CIPHER).address_events())
    assert await store.waiting() == 20


async def test_no_two_processes_send_a_delivery(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    await happen(database, tenant, *(changed(number) for number in range(20)))
    await store.address_events()
    other = SqlEventStore(database, CIPHER)
    claims = await asyncio.gather(*(each.claim(NOW, NOW + 60, 8) for each in (store, other, store, other)))
    ids = [delivery.event_id for claim in claims for delivery in claim]
    assert len(ids) == len(set(ids)) <= 20


async def test_claim_of_a_process_that_died_ends(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    await happen(database, tenant, changed(42))
    (first,) = await due(store)
    assert await due(store, NOW + 59) == ()
    (again,) = await due(store, NOW + 60)
    assert again.event_id == first.event_id


async def test_events_of_a_subject_keep_their_order(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    """A delivery waits for an older, failed delivery about the same subject. Deliveries about other subjects do not wait."""
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    first, second, other = proven("7"), proven("7"), proven("8")
    await happen(database, tenant, first, second, other)
    claimed = {delivery.event_id: delivery for delivery in await due(store)}
    assert set(claimed) == {first.id, other.id}
    await store.postpone(claimed[first.id], FAILED, LATER)
    await store.delivered(claimed[other.id], ACCEPTED, NOW)
    assert await due(store) == ()
    (again,) = await due(store, LATER)
    assert (again.event_id, again.attempts) == (first.id, 1)
    await store.delivered(again, ACCEPTED, LATER)
    (last,) = await due(store, LATER)
    assert last.event_id == second.id


async def test_delivery_that_is_given_up_makes_way_for_the_next(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    first, second = proven("7"), proven("7")
    await happen(database, tenant, first, second)
    (claimed,) = await due(store)
    await store.give_up(claimed, FAILED, NOW, disable=False)
    (next_,) = await due(store)
    assert next_.event_id == second.id


async def test_endpoint_that_is_gone_gets_nothing_until_a_replay(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    first = proven("7")
    await happen(database, tenant, first)
    (claimed,) = await due(store)
    await store.give_up(claimed, AttemptResult(410), NOW, disable=True)
    await happen(database, tenant, proven("8"))
    assert await due(store, LATER) == ()
    assert await store.shops_with_endpoints() == frozenset()
    (listed,) = await endpoints.all()
    assert listed.disabled
    history = SqlDeliveryHistory(database)
    assert await history.replay(DeliveryFilter(state="given_up"), LATER) == 1
    (again,) = await due(store, LATER)
    assert (again.event_id, again.attempts) == (first.id, 0)


async def test_history_lists_what_came_of_it(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    await happen(database, tenant, proven("7"), proven("8"))
    one, two = await due(store)
    await store.delivered(one, ACCEPTED, NOW)
    await store.postpone(two, AttemptResult(None, "no response within 10 seconds"), LATER)
    history = SqlDeliveryHistory(database)
    found = await history.deliveries(DeliveryFilter())
    assert [(each.subject, each.state, each.attempts, each.response) for each in found] == [
        ("order:8", "waiting", 1, "no response within 10 seconds"),
        ("order:7", "delivered", 1, "200"),
    ]
    assert [each.subject for each in await history.deliveries(DeliveryFilter(state="waiting"))] == ["order:8"]
    assert await history.deliveries(DeliveryFilter(since=NOW + 1)) == []
    assert await history.replay(DeliveryFilter(event_id=one.event_id, state="delivered"), LATER) == 1


async def test_removed_endpoint_leaves_nothing_behind(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    await happen(database, tenant, proven("7"))
    await store.address_events()
    assert await endpoints.remove("we_1")
    assert not await endpoints.remove("we_1")
    assert await store.waiting() == 0


async def test_old_events_are_pruned(
    database: Database, tenant: Tenant, store: SqlEventStore, endpoints: SqlWebhookEndpoints
) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    await happen(database, tenant, proven("7"), replace(proven("8"), at=LATER))
    await store.address_events()
    deleted = await prune(database, LATER + 10, Retention(events=30))
    assert (deleted["deliveries"], deleted["events"]) == (1, 1)
    assert await store.waiting() == 1


async def test_secrets_are_encrypted_again(database: Database, tenant: Tenant, endpoints: SqlWebhookEndpoints) -> None:
    await endpoints.add(tenant.id, endpoint(1), SECRET)
    newer = new_secret_key()
    rotated = SqlWebhookEndpoints(database, credentials_cipher([newer, KEY]))
    assert await rotated.outdated() == (1, 0)
    assert await rotated.reseal(NOW) == (1, 0)
    assert await rotated.outdated() == (0, 0)
    assert await rotated.reseal(NOW) == (0, 0)
    await happen(database, tenant, proven("7"))
    for keys, secret in (([newer], SECRET), ([KEY], None)):
        (found,) = await due(SqlEventStore(database, credentials_cipher(keys)), LATER if secret else LATER + 60)
        assert found.secret == secret
    lost = SqlWebhookEndpoints(database, credentials_cipher([KEY]))
    assert await lost.outdated() == await lost.reseal(NOW) == (0, 1)
