"""One transaction stores the configured bundle, the response and the ghost variant of a call (docs/contract.md#idempotency)."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import count
from typing import Any, TypeVar

import orjson
import pytest
from sqlalchemy import Connection, Table, event, select, update

from bundlesvc.domain.assignment import Assignment
from bundlesvc.domain.configured import BundleRef, ConfiguredItem, RecordedIds, StoredBundle, StoredSelection
from bundlesvc.domain.errors import IdempotencyKeyReused, StorageUnavailable
from bundlesvc.domain.ghosts.variant import Ghost
from bundlesvc.domain.idempotency import RESPONSE_SECONDS, StoredResponse
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.subscription import SubscriptionChoice
from bundlesvc.ports import GhostRetired
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import configured_bundles, ghost_variants, idempotency_keys, subscriptions
from tests.process.shop import BOX, BOX_VARIANT, GIFT_BOX, PAIR_PRODUCT
from tests.storage.configured_bundles import (
    DAY,
    MONTHLY,
    NOW,
    ONE_TIME,
    configured,
    ghost,
    idempotency_key,
    render_response,
    retire,
)

T = TypeVar("T")

VISITOR = "0b2d8f0e-5f0e-4c7b-9d0c-6a0f5d8a1c11"
BYTES = b"variant 9001, subscription None"
MONTH = 30 * DAY


async def rows(database: Database, table: Table) -> list[dict[str, Any]]:
    query = select(table).order_by(*table.primary_key.columns)
    return await database.read(lambda connection: [dict(row._mapping) for row in connection.execute(query)])


async def test_every_field_of_a_configured_bundle_is_stored(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    assignment = Assignment("exp-1", 1, BOX)
    bundle = configured(2**53 - 1, country="US", test=True, title="Box “M”", visitor_id=VISITOR, assignment=assignment)
    assert await configured_store.record(tenant, bundle, BOX_VARIANT, None, render_response) == StoredResponse(BYTES)

    (row,) = await rows(database, configured_bundles)
    items = orjson.loads(row.pop("items"))
    assert row == {
        "number": 1,
        "id": 2**53 - 1,
        "shop_id": tenant.id,
        "bundle_id": BOX,
        "bundle_type": "native",
        "title": "Box “M”",
        "product_id": GIFT_BOX,
        "variant_id": BOX_VARIANT,
        "country": "US",
        "test": True,
        "unique_id": bundle.unique_id,
        "original": "47.98",
        "discounted": "43.18",
        "discount_type": "percentage",
        "discount_value": "10.00",
        "currency": "EUR",
        "visitor_id": VISITOR,
        "experiment_id": "exp-1",
        "arm": 1,
        "configured_at": NOW,
    }
    assert [(item["variant_id"], item["section_id"], item["count"], item["title"], item["unit_price"]) for item in items] == [
        (1002, 1, 2, "Shirt", "19.99"),
        (2001, 2, 1, "Mug", "8.00"),
    ]  # fmt: skip
    assert await rows(database, idempotency_keys) == []
    assert await rows(database, ghost_variants) == []


async def test_a_new_subscription_is_pending(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    responses = [
        await configured_store.record(
            tenant, configured(number, subscription=MONTHLY), BOX_VARIANT, None, render_response
        )
        for number in (5, 3)
    ]
    assert [found.body for found in responses] == [b"variant 9001, subscription 1", b"variant 9001, subscription 2"]
    first, second = await rows(database, subscriptions)
    assert first == {
        "id": 1,
        "shop_id": tenant.id,
        "configured_bundle_id": 5,
        "group_id": 7,
        "frequency": 1,
        "unit": "month",
        "email": "mira@mail.example",
        "status": "pending",
        "order_id": None,
        "contract": None,
        "ended": None,
        "next_date": "2026-12-21",
        "created_at": NOW,
    }
    assert second["configured_bundle_id"] == 3


async def test_a_response_that_cannot_be_rendered_stores_nothing(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    def fail(recorded: RecordedIds) -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await configured_store.record(
            tenant, configured(subscription=MONTHLY), ghost("identity", 5), idempotency_key(), fail
        )
    for table in (configured_bundles, subscriptions, idempotency_keys, ghost_variants):
        assert await rows(database, table) == []


async def test_a_taken_id_stores_nothing(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    await configured_store.record(tenant, configured(1), BOX_VARIANT, None, render_response)
    with pytest.raises(StorageUnavailable):
        await configured_store.record(tenant, configured(1), ghost("identity", 5), idempotency_key(), render_response)
    assert len(await rows(database, configured_bundles)) == 1
    assert await rows(database, idempotency_keys) == []
    assert await rows(database, ghost_variants) == []


async def test_a_stored_response_is_replayed(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    key = idempotency_key()
    assert await configured_store.stored_response(tenant, key, NOW) is None
    assert await configured_store.record(tenant, configured(1), BOX_VARIANT, key, render_response) == StoredResponse(
        BYTES
    )

    assert await configured_store.stored_response(tenant, key, NOW) == StoredResponse(BYTES, replayed=True)
    again = await configured_store.record(tenant, configured(2), ghost("identity", 5), key, render_response)
    assert again == StoredResponse(BYTES, replayed=True)
    assert [row["id"] for row in await rows(database, configured_bundles)] == [1]
    assert await rows(database, ghost_variants) == []


async def test_a_response_that_is_rendered_again_is_the_one_that_is_stored(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    """When a group of insertions fails because of one of them, the responses of the others are rendered again, each with another
    discount string. For each insertion, the response that was rendered last is stored and returned."""
    await configured_store.record(tenant, configured(1), BOX_VARIANT, None, render_response)
    numbers = count(1)

    async def record(id_: int) -> StoredResponse:
        key = idempotency_key(key=f"order-{id_}")
        return await configured_store.record(tenant, configured(id_), BOX_VARIANT, key, lambda _: b"%d" % next(numbers))

    taken, *others = await asyncio.gather(*(record(id_) for id_ in (1, 2, 3, 4)), return_exceptions=True)
    assert isinstance(taken, StorageUnavailable)
    for id_, response in zip((2, 3, 4), others, strict=True):
        assert isinstance(response, StoredResponse)
        stored = await configured_store.stored_response(tenant, idempotency_key(key=f"order-{id_}"), NOW)
        assert stored == StoredResponse(response.body, replayed=True)
    assert next(numbers) > len(others) + 2  # some were rendered twice


async def test_a_stored_response_may_be_any_bytes(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    body = bytes(range(256))
    await configured_store.record(tenant, configured(1), BOX_VARIANT, idempotency_key(), lambda _: body)
    assert await configured_store.stored_response(tenant, idempotency_key(), NOW) == StoredResponse(body, replayed=True)


async def test_an_idempotency_key_with_another_body_is_refused(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    await configured_store.record(tenant, configured(1), BOX_VARIANT, idempotency_key(), render_response)
    with pytest.raises(IdempotencyKeyReused):
        await configured_store.stored_response(tenant, idempotency_key(body="other"), NOW)
    with pytest.raises(IdempotencyKeyReused):
        await configured_store.record(
            tenant, configured(2), BOX_VARIANT, idempotency_key(body="other"), render_response
        )
    assert len(await rows(database, configured_bundles)) == 1


@pytest.mark.parametrize(
    "changes", [{"test": True}, {"method": "PUT"}, {"path": "/bundles/43/configure"}, {"key": "order-2"}], ids=str
)
async def test_a_key_applies_to_one_mode_method_and_path(
    changes: dict[str, Any], tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    await configured_store.record(tenant, configured(1), BOX_VARIANT, idempotency_key(), render_response)
    other = replace(idempotency_key(body="other"), **changes)
    assert await configured_store.stored_response(tenant, other, NOW) is None
    found = await configured_store.record(tenant, configured(2), BOX_VARIANT, other, render_response)
    assert not found.replayed


async def test_shops_do_not_share_idempotency_keys(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    await configured_store.record(tenant, configured(1), BOX_VARIANT, idempotency_key(), render_response)
    assert await configured_store.stored_response(replace(tenant, id=999), idempotency_key(), NOW) is None


async def test_simultaneous_calls_with_one_key_get_the_same_response(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    responses = await asyncio.gather(
        *(
            configured_store.record(
                tenant, configured(number), BOX_VARIANT, idempotency_key(), lambda _, number=number: f"{number}".encode()  # type: ignore[misc]
            )
            for number in range(1, 51)
        )
    )  # fmt: skip
    (row,) = await rows(database, configured_bundles)
    assert {found.body for found in responses} == {f"{row['id']}".encode()}
    assert [found.replayed for found in responses].count(False) == 1


async def test_two_processes_with_one_key_store_one_bundle(
    tenant: Tenant, settings: Settings, database: Database
) -> None:
    """Two processes that use the same idempotency key store only one bundle. Each process has its own writer, so the database
    decides which bundle is stored."""
    async with open_database(settings.database) as other:
        stores = (SqlConfiguredStore(database), SqlConfiguredStore(other))
        for number in range(1, 40, 2):
            key = idempotency_key(f"order-{number}")
            responses = await asyncio.gather(
                *(
                    store.record(tenant, configured(number + index), ghost(f"{number}", number), key, render_response)
                    for index, store in enumerate(stores)
                )
            )
            assert len({found.body for found in responses}) == 1
            assert sorted(found.replayed for found in responses) == [False, True]
    assert len(await rows(database, configured_bundles)) == 20
    assert len(await rows(database, ghost_variants)) == 20


@pytest.mark.parametrize(("later", "replayed"), [(RESPONSE_SECONDS - 1, True), (RESPONSE_SECONDS, False)])
async def test_a_key_expires_after_a_day(
    later: int, replayed: bool, tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    await configured_store.record(tenant, configured(1), BOX_VARIANT, idempotency_key(), render_response)
    found = await configured_store.stored_response(tenant, idempotency_key(), NOW + later)
    assert (found is not None) == replayed

    again = await configured_store.record(
        tenant, configured(2, configured_at=NOW + later), BOX_VARIANT, idempotency_key(), render_response
    )
    assert again.replayed == replayed
    assert len(await rows(database, configured_bundles)) == (1 if replayed else 2)
    assert len(await rows(database, idempotency_keys)) == 1
    assert RESPONSE_SECONDS == DAY


async def test_stored_response_is_compressed_and_returned_byte_for_byte(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    body = orjson.dumps({"lines": [{"id": 9001, "title": "Kaffeebecher “Ä”"}] * 200})
    await configured_store.record(tenant, configured(), BOX_VARIANT, idempotency_key(), lambda _: body)

    found = await configured_store.stored_response(tenant, idempotency_key(), NOW)

    assert found == StoredResponse(body, replayed=True)
    (row,) = await rows(database, idempotency_keys)
    assert (row["encoding"], len(row["answer"]) < len(body) / 20) == ("deflate", True)


async def test_a_response_stored_by_an_older_version_is_returned_unchanged(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    await configured_store.record(tenant, configured(), BOX_VARIANT, idempotency_key(), render_response)
    older = update(idempotency_keys).values(answer=BYTES, encoding="identity")
    await database.write(lambda connection: connection.execute(older))

    assert await configured_store.stored_response(tenant, idempotency_key(), NOW) == StoredResponse(
        BYTES, replayed=True
    )


async def test_an_expired_key_accepts_another_body(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    await configured_store.record(tenant, configured(1), BOX_VARIANT, idempotency_key(), render_response)
    later, key = NOW + RESPONSE_SECONDS, idempotency_key(body="other")
    assert await configured_store.stored_response(tenant, key, later) is None
    found = await configured_store.record(tenant, configured(2, configured_at=later), BOX_VARIANT, key, render_response)
    assert not found.replayed


async def test_expire_deletes_responses_older_than_a_day(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    for number, age in enumerate((RESPONSE_SECONDS + 1, RESPONSE_SECONDS, RESPONSE_SECONDS - 1, 0), start=1):
        bundle = configured(number, configured_at=NOW - age)
        await configured_store.record(tenant, bundle, BOX_VARIANT, idempotency_key(f"{number}"), render_response)

    await configured_store.expire(NOW)

    assert [row["key"] for row in await rows(database, idempotency_keys)] == ["3", "4"]
    assert len(await rows(database, configured_bundles)) == 4


async def test_a_recorded_ghost_is_found_by_its_identity(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    mine = ghost("identity", 5)
    assert await configured_store.ghost(tenant, "identity") is None
    found = await configured_store.record(tenant, configured(1), mine, None, render_response)
    assert found.body == b"variant 5, subscription None"
    assert await configured_store.ghost(tenant, "identity") == mine
    assert await configured_store.ghost(tenant, "other") is None
    assert await configured_store.ghost(replace(tenant, id=999), "identity") is None


async def test_simultaneous_calls_share_one_ghost(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    """When simultaneous calls have each created a variant on the platform, only the first variant is recorded. The other calls
    find it with a second look-up, and use it."""

    async def record(number: int) -> StoredResponse:
        made = ghost("identity", 100 + number)
        try:
            return await configured_store.record(tenant, configured(number), made, None, render_response)
        except GhostRetired:
            shared = await configured_store.ghost(tenant, "identity")
            assert shared is not None
            return await configured_store.record(tenant, configured(number), shared, None, render_response)

    responses = await asyncio.gather(*map(record, range(1, 101)))
    (row,) = await rows(database, ghost_variants)
    assert {found.body for found in responses} == {f"variant {row['variant_id']}, subscription None".encode()}
    assert {bundle["variant_id"] for bundle in await rows(database, configured_bundles)} == {row["variant_id"]}


async def test_the_time_of_the_last_use_is_stored(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    await configured_store.record(tenant, configured(1), ghost("identity", 5), None, render_response)
    await configured_store.record(
        tenant, configured(2, configured_at=NOW + 60), ghost("identity", 5), None, render_response
    )
    (row,) = await rows(database, ghost_variants)
    assert row["last_used_at"] == NOW + 60


async def use_ghosts(
    store: SqlConfiguredStore, tenant: Tenant, ages: list[int], product_id: int = PAIR_PRODUCT
) -> None:
    """Store one ghost variant for each of these ages (in seconds): identities "901/0", "901/1", …, variants 901000, 901001, …"""
    for number, age in enumerate(ages):
        variant = product_id * 1000 + number
        bundle = configured(variant, configured_at=NOW - age)
        await store.record(tenant, bundle, ghost(f"{product_id}/{number}", variant, product_id), None, render_response)


def numbers(ghosts: Sequence[Ghost]) -> list[int]:
    """Return the numbers that `use_ghosts` assigned to these ghost variants."""
    return [found.variant_id % 1000 for found in ghosts]


async def test_nothing_is_retired_below_the_limit(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    await use_ghosts(configured_store, tenant, [MONTH * 2] * 9)
    await use_ghosts(configured_store, tenant, [MONTH * 2] * 9, GIFT_BOX)
    assert await retire(configured_store, tenant, PAIR_PRODUCT, 10, NOW - MONTH, NOW) == []


async def test_the_least_recently_used_ghosts_are_retired_to_below_the_limit(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    ages = [
        MONTH + DAY * number for number in (3, 20, 1, 19, 2, 18, 5, 17, 4, 16, 7, 15, 6, 14, 9, 13, 8, 12, 10, 11, 21)
    ]
    await use_ghosts(configured_store, tenant, ages)

    retired = await retire(configured_store, tenant, PAIR_PRODUCT, 20, NOW - MONTH, NOW)

    assert sorted(numbers(retired)) == [1, 3, 20]
    in_use = [row for row in await rows(database, ghost_variants) if row["retired_at"] is None]
    assert len(in_use) == 18
    assert await configured_store.ghost(tenant, f"{PAIR_PRODUCT}/20") is None
    assert await configured_store.ghost(tenant, f"{PAIR_PRODUCT}/0") is not None
    assert await retire(configured_store, tenant, PAIR_PRODUCT, 20, NOW - MONTH, NOW) == []


async def test_a_ghost_used_recently_is_not_retired(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    await use_ghosts(configured_store, tenant, [0, MONTH - 2, MONTH - 1, MONTH, *[DAY] * 16])
    retired = await retire(configured_store, tenant, PAIR_PRODUCT, 10, NOW - MONTH, NOW)
    assert numbers(retired) == [3]


async def test_retired_ghosts_are_not_counted_again(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    await use_ghosts(configured_store, tenant, [MONTH * 2] * 12)
    assert len(await retire(configured_store, tenant, PAIR_PRODUCT, 10, NOW - MONTH, NOW)) == 3
    assert await retire(configured_store, tenant, PAIR_PRODUCT, 10, NOW - MONTH, NOW) == []


async def test_only_ghosts_of_the_product_and_shop_are_retired(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    await use_ghosts(configured_store, tenant, [MONTH * 2] * 10)
    await use_ghosts(configured_store, tenant, [MONTH * 3] * 10, GIFT_BOX)
    other = replace(tenant, id=999)
    assert await retire(configured_store, other, PAIR_PRODUCT, 10, NOW - MONTH, NOW) == []
    retired = await retire(configured_store, tenant, PAIR_PRODUCT, 10, NOW - MONTH, NOW)
    assert {found.product_id for found in retired} == {PAIR_PRODUCT}
    assert await configured_store.ghost(tenant, f"{GIFT_BOX}/0") is not None


async def test_a_retired_identity_gets_a_new_variant(
    tenant: Tenant, configured_store: SqlConfiguredStore, database: Database
) -> None:
    await use_ghosts(configured_store, tenant, [MONTH * 2] * 10)
    (retired,) = await retire(configured_store, tenant, PAIR_PRODUCT, 10, NOW - MONTH, NOW)

    found = await configured_store.record(
        tenant, configured(1), replace(retired, variant_id=999), None, render_response
    )

    assert found.body == b"variant 999, subscription None"
    assert await configured_store.ghost(tenant, retired.identity) == replace(retired, variant_id=999)
    of_identity = [row for row in await rows(database, ghost_variants) if row["identity"] == retired.identity]
    assert [(row["variant_id"], row["retired_at"]) for row in of_identity] == [(retired.variant_id, NOW), (999, None)]


async def test_look_up_returns_a_configured_bundle_as_stored(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    item = ConfiguredItem(1002, 111, 1, 2, "Shirt “M”", "M", Decimal("19.90"), {"Your name": "Ä"}, (2009, 2010))
    await configured_store.record(tenant, configured(7, items=(item,)), BOX_VARIANT, None, render_response)
    (found,) = await configured_store.look_up(tenant, [BundleRef(7, None)])
    assert found == StoredBundle(7, BOX, BOX_VARIANT, (item,))
    assert str(found.items[0].unit_price) == "19.90"


async def test_selection_is_read_as_it_was_configured(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    properties = {"Your name": "Ä", "A box": "true"}
    item = ConfiguredItem(1002, 111, 1, 2, "Shirt", "M", Decimal("19.90"), properties, (), ("name", "wrapped"))
    made = configured(7, items=(item,), country="US", subscription=MONTHLY)
    await configured_store.record(tenant, made, BOX_VARIANT, None, render_response)
    await configured_store.record(tenant, configured(8), BOX_VARIANT, None, render_response)

    found, once = await configured_store.selection(tenant, 7), await configured_store.selection(tenant, 8)

    choice = SubscriptionChoice(7, 1, "month")
    assert found == StoredSelection(7, BOX, "native", "US", (item,), choice, ONE_TIME, NOW)
    assert found is not None
    assert found.selected(None)[0].answers == (("name", "Ä"), ("wrapped", "true"))
    assert once is not None
    assert (once.subscription, once.country) == (None, None)


async def test_unique_id_and_selection_are_those_of_the_shop(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    await configured_store.record(tenant, configured(7), BOX_VARIANT, None, render_response)
    other = replace(tenant, id=999)

    assert await configured_store.unique_id(tenant, 7) == f"{7:032x}"
    assert [await configured_store.unique_id(one, number) for one, number in ((tenant, 6), (other, 7))] == [None, None]
    assert [await configured_store.selection(one, number) for one, number in ((tenant, 6), (other, 7))] == [None, None]


async def test_look_up_keeps_the_order_of_the_request(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    """Bundles are looked up by id, or as the newest bundle of a ghost variant, in the order of the request. If an entry contains
    both ids, the bundle's id takes precedence. Unknown bundles are omitted."""
    for number, variant in ((1, 500), (2, 500), (3, 501)):
        await configured_store.record(tenant, configured(number), ghost(f"{variant}", variant), None, render_response)
    await configured_store.record(tenant, configured(4), BOX_VARIANT, None, render_response)
    refs = [
        BundleRef(4, None),
        BundleRef(None, 501),
        BundleRef(99, None),
        BundleRef(None, 500),
        BundleRef(None, 99),
        BundleRef(1, 501),
        BundleRef(99, 500),
        BundleRef(None, BOX_VARIANT),
        BundleRef(1, None),
    ]
    assert [found.id for found in await configured_store.look_up(tenant, refs)] == [4, 3, 2, 1, 1]
    assert await configured_store.look_up(tenant, []) == []
    assert await configured_store.look_up(replace(tenant, id=999), refs) == []


@pytest.mark.parametrize("by", ["id", "ghost variant"])
async def test_a_hundred_bundles_are_looked_up_in_one_query(
    by: str,
    tenant: Tenant,
    configured_store: SqlConfiguredStore,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hundred bundles in a cart are looked up in a single query, because one query per bundle would be slow."""
    numbers = range(1, 101)
    for number in numbers:
        await configured_store.record(
            tenant, configured(number), ghost(f"{number}", 500 + number), None, render_response
        )
    queries = watch_queries(database, monkeypatch)
    refs = [BundleRef(number, None) if by == "id" else BundleRef(None, 500 + number) for number in numbers]
    assert [found.id for found in await configured_store.look_up(tenant, refs)] == list(numbers)
    assert len(queries) == 1


def watch_queries(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that records all queries from now on."""
    queries: list[object] = []
    read = database.read

    async def watched(query: Callable[[Connection], T]) -> T:
        def watch(connection: Connection) -> T:
            event.listen(connection, "before_cursor_execute", lambda *_: queries.append(1))
            return query(connection)

        return await read(watch)

    monkeypatch.setattr(database, "read", watched)
    return queries


async def test_the_newest_bundle_of_a_ghost_is_the_one_recorded_last(
    tenant: Tenant, configured_store: SqlConfiguredStore
) -> None:
    """The newest bundle of a ghost variant is found even though ids are random and several bundles are recorded in the same
    second."""
    for number in (50, 90, 10):
        await configured_store.record(tenant, configured(number), ghost("identity", 500), None, render_response)
    newest = await configured_store.newest_of_ghost(tenant, 500, BOX)
    assert newest is not None
    assert newest.id == 10
    assert await configured_store.newest_of_ghost(tenant, 500, 43) is None
    assert await configured_store.newest_of_ghost(tenant, 501, BOX) is None
    assert await configured_store.newest_of_ghost(replace(tenant, id=999), 500, BOX) is None


async def test_the_bundle_of_a_retired_ghost_is_found(tenant: Tenant, configured_store: SqlConfiguredStore) -> None:
    await use_ghosts(configured_store, tenant, [MONTH * 2] * 10)
    (retired,) = await retire(configured_store, tenant, PAIR_PRODUCT, 10, NOW - MONTH, NOW)
    found = await configured_store.newest_of_ghost(tenant, retired.variant_id, BOX)
    assert found is not None
    assert await configured_store.look_up(tenant, [BundleRef(None, retired.variant_id)]) == [found]
