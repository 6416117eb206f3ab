"""Two processes that share one database, each with its own connections."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from decimal import Decimal
from secrets import randbelow

import pytest
from sqlalchemy import func, select

from bundlesvc.domain.ghosts.prices import MarketPromise
from bundlesvc.domain.idempotency import RESPONSE_SECONDS, StoredResponse
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change, ProductUpdate
from bundlesvc.domain.shop import PlatformLink, Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.ports import GhostRetired
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import configured_bundles, shops
from bundlesvc.storage.ghosts.market_promises import SqlMarketPromises
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.storage.live_platforms.own_updates import SqlOwnUpdates
from bundlesvc.storage.migrations.schema import downgrade, upgrade
from bundlesvc.storage.shoppers.reminders import SqlReminders
from bundlesvc.token_cipher import credentials_cipher
from tests.conftest import SECRET_KEY, MakeKey
from tests.fakes import delivery
from tests.process.shop import BOX_VARIANT, PAIR_PRODUCT
from tests.storage.configured_bundles import DAY, NOW, configured, ghost, idempotency_key, render_response, retire
from tests.storage.prepared import the_shop

ROUNDS = 20
FIRST_ID = 8 * 10**15
MONTH = 30 * DAY


@pytest.fixture
async def both(database: Database, settings: Settings) -> AsyncIterator[tuple[Database, Database]]:
    async with open_database(settings.database) as other:
        yield database, other


async def test_an_expired_key_is_used_once(tenant: Tenant, both: tuple[Database, Database]) -> None:
    """An expired idempotency key is reused only once, whichever process replaces the expired response."""
    first = SqlConfiguredStore(both[0])
    for number in range(1, ROUNDS + 1):
        old = configured(1000 + number, configured_at=NOW - RESPONSE_SECONDS)
        await first.record(tenant, old, BOX_VARIANT, idempotency_key(f"{number}"), render_response)
        responses = await asyncio.gather(
            *(
                SqlConfiguredStore(both[place % 2]).record(
                    tenant,
                    configured(number * 10_000 + place),
                    BOX_VARIANT,
                    idempotency_key(f"{number}"),
                    lambda _, place=place: f"{place}".encode(),  # type: ignore[misc]
                )
                for place in range(4)
            )
        )
        assert len({found.body for found in responses}) == 1
        assert [found.replayed for found in responses].count(False) == 1


async def test_processes_share_ghosts_and_ids_are_unique(tenant: Tenant, both: tuple[Database, Database]) -> None:
    """Processes share ghost variants, and never give two of them the same id, even though the processes choose from few ids and
    often pick one that is taken."""
    platforms = [EmbeddedPlatform(each, RevisionCache(), lambda: FIRST_ID + randbelow(120)) for each in both]
    identities = [f"{number}" for number in range(100)]
    made = await asyncio.gather(
        *(
            platform.create_ghost_variant(tenant, PAIR_PRODUCT, identity, Decimal(5))
            for identity in identities
            for platform in platforms
        )
    )
    assert made[::2] == made[1::2]
    assert len(set(made)) == 100


async def test_the_first_of_two_promises_in_a_market_counts(tenant: Tenant, both: tuple[Database, Database]) -> None:
    promises = [SqlMarketPromises(database) for database in both]
    for ghost_id in range(ROUNDS):
        stand = await asyncio.gather(
            *(
                promises[number % 2].add(tenant, ghost_id, "US", MarketPromise("US", Decimal(number + 1)))
                for number in range(4)
            )
        )
        assert set(stand) == {await promises[0].find(tenant, ghost_id, "US")}


async def test_processes_record_one_ghost_of_an_identity(tenant: Tenant, both: tuple[Database, Database]) -> None:
    """Two processes have created several ghost variants for the same identity on the platform. One of them is recorded, and
    recording any other raises GhostRetired."""
    stores = [SqlConfiguredStore(database) for database in both]
    responses = await asyncio.gather(
        *(
            stores[number % 2].record(
                tenant, configured(number), ghost("identity", 100 + number), None, render_response
            )
            for number in range(1, ROUNDS)
        ),
        return_exceptions=True,
    )
    (found,) = [each for each in responses if isinstance(each, StoredResponse)]
    assert all(isinstance(each, StoredResponse | GhostRetired) for each in responses)
    shared = await stores[0].ghost(tenant, "identity")
    assert shared is not None
    assert found.body == f"variant {shared.variant_id}, subscription None".encode()


async def test_a_ghost_in_use_is_not_retired(tenant: Tenant, both: tuple[Database, Database]) -> None:
    """Either the use or the retirement of a ghost variant succeeds, never both."""
    first, second = (SqlConfiguredStore(database) for database in both)
    old = NOW - 2 * MONTH
    for number in range(1, ROUNDS + 1):
        mine = ghost(f"{number}", number, PAIR_PRODUCT)
        await first.record(tenant, configured(number, configured_at=old), mine, None, render_response)
        retired, used = await asyncio.gather(
            retire(second, tenant, PAIR_PRODUCT, 0, NOW - MONTH, NOW),
            first.record(tenant, configured(1000 + number), mine, None, render_response),
            return_exceptions=True,
        )
        assert not isinstance(retired, BaseException)
        assert bool(retired) == isinstance(used, BaseException)
        in_use = await first.ghost(tenant, f"{number}")
        assert (in_use is None) == bool(retired)
        await retire(second, tenant, PAIR_PRODUCT, 0, NOW + DAY, NOW)


async def test_each_ghost_is_retired_by_one_process(tenant: Tenant, both: tuple[Database, Database]) -> None:
    stores = [SqlConfiguredStore(database) for database in both]
    for number in range(1, ROUNDS + 1):
        bundle = configured(number, configured_at=NOW - 2 * MONTH)
        await stores[0].record(tenant, bundle, ghost(f"{number}", number), None, render_response)
    retired = await asyncio.gather(*(retire(store, tenant, PAIR_PRODUCT, ROUNDS, NOW - MONTH, NOW) for store in stores))
    assert sorted(len(ghosts) for ghosts in retired) == [0, ROUNDS // 10]


async def test_one_of_two_processes_replaces_a_connection(tenant: Tenant, both: tuple[Database, Database]) -> None:
    cipher = credentials_cipher([SECRET_KEY])
    stores = [SqlCredentialStore(database, cipher) for database in both]
    shop = replace(tenant, shop=replace(tenant.shop, platform=PlatformLink("live", "a.example")))
    stored = PlatformConnection("a.example", "0")
    await stores[0].connect(shop, stored, NOW)
    for number in range(1, ROUNDS + 1):
        wanted = [PlatformConnection("a.example", f"{number}-{process}") for process in range(2)]
        done = await asyncio.gather(
            *(store.replace(shop, stored, one, NOW) for store, one in zip(stores, wanted, strict=True))
        )
        assert sorted(done) == [False, True]
        stored = wanted[done.index(True)]
        assert [await store.of(shop) for store in stores] == [stored, stored]


async def test_a_key_is_revoked_once(tenant: Tenant, make_key: MakeKey, both: tuple[Database, Database]) -> None:
    key = await make_key()
    revoked = await asyncio.gather(*(SqlKeyStore(database).revoke_key(key[:16]) for database in both * 3))
    assert sorted(revoked) == [False] * 5 + [True]


async def test_every_simultaneous_change_raises_the_revision(tenant: Tenant, both: tuple[Database, Database]) -> None:
    """Each of several simultaneous changes raises the revision number, by which processes notice changes."""
    await asyncio.gather(
        *(SqlKeyStore(both[number % 2]).set_headless("demo", enabled=number < 5) for number in range(ROUNDS))
    )
    revision = await both[0].read(lambda connection: connection.execute(select(shops.c.revision)).scalar_one())
    assert revision == tenant.revision + ROUNDS


async def test_both_processes_touch_keys_at_once(
    tenant: Tenant, make_key: MakeKey, both: tuple[Database, Database]
) -> None:
    for _ in range(3):
        await make_key()
    ids = [key.id for _, key in await SqlKeyStore(both[0]).keys()]
    for number in range(ROUNDS):
        at = NOW + number * 1000
        orders = (ids, ids[::-1])
        await asyncio.gather(
            *(
                SqlKeyStore(database).touch_keys(dict.fromkeys(order, at))
                for database, order in zip(both, orders, strict=True)
            )
        )
    assert {key.last_used_at for _, key in await SqlKeyStore(both[0]).keys()} == {at}


async def test_a_reminder_is_registered_once(tenant: Tenant, both: tuple[Database, Database]) -> None:
    stores = [SqlReminders(database) for database in both]
    new = await asyncio.gather(
        *(stores[number % 2].add_reminder(tenant, 1001, "a@b.example", "Box", NOW) for number in range(ROUNDS))
    )
    assert sorted(new) == [False] * (ROUNDS - 1) + [True]


async def test_simultaneous_first_loads_store_one_shop(both: tuple[Database, Database]) -> None:
    """Simultaneous first loads of a shop store it only once, although neither process sees the rows of the other."""
    shop = the_shop()
    smaller = ShopFile(replace(shop.shop, name="Smaller"))
    await asyncio.gather(
        *(SqlShopFileStore(both[number % 2]).replace((shop, smaller)[number % 2]) for number in range(6))
    )
    assert await SqlShopFileStore(both[0]).stored("demo") in (shop, smaller)
    count = select(func.count()).select_from(shops)
    assert await both[0].read(lambda connection: connection.execute(count).scalar()) == 1


async def test_a_reader_of_the_change_log_misses_no_change(tenant: Tenant, both: tuple[Database, Database]) -> None:
    """A reader of the change log misses no change. It remembers the highest number that it has read, so no lower number may
    appear later."""
    logs = [SqlChangeLog(database) for database in both]
    seen: list[int] = []
    done = asyncio.Event()

    async def follow() -> None:
        finished = False
        while not finished:
            finished = done.is_set()
            seen.extend(change.number for change in await logs[0].after(seen[-1] if seen else 0))

    follower = asyncio.create_task(follow())
    await asyncio.gather(
        *(
            logs[number % 2].record(tenant, delivery(f"d-{number}", [Change(PRODUCT, number)]), NOW)
            for number in range(200)
        )
    )
    done.set()
    await follower
    assert len(seen) == 200


async def test_a_delivery_to_both_processes_is_recorded_once(tenant: Tenant, both: tuple[Database, Database]) -> None:
    logs = [SqlChangeLog(database) for database in both]
    new = await asyncio.gather(
        *(logs[number % 2].record(tenant, delivery("d-1", [Change(PRODUCT, 7)]), NOW) for number in range(6))
    )
    assert sorted(new) == [False] * 5 + [True]
    assert len(await logs[0].after(0)) == 1


async def test_both_see_each_others_updates_of_products(tenant: Tenant, both: tuple[Database, Database]) -> None:
    stores = [SqlOwnUpdates(database) for database in both]
    await asyncio.gather(
        *(stores[number % 2].add(tenant, ProductUpdate(7, NOW + number // 2), NOW) for number in range(6))
    )
    for store in stores:
        assert [await store.includes(tenant, ProductUpdate(7, NOW + second)) for second in range(4)] == [True] * 3 + [
            False
        ]


async def test_tables_are_upgraded_once(both: tuple[Database, Database]) -> None:
    await both[0].write(lambda connection: downgrade(connection, "base"))
    upgraded = await asyncio.gather(*(database.write(upgrade) for database in both * 2))
    assert sorted(upgraded) == [False] * 3 + [True]


async def test_pruning_during_configure_loses_nothing(tenant: Tenant, both: tuple[Database, Database]) -> None:
    store = SqlConfiguredStore(both[0])

    async def expire() -> None:
        for _ in range(ROUNDS):
            await SqlConfiguredStore(both[1]).expire(NOW + 2 * RESPONSE_SECONDS)

    async def configure() -> None:
        for number in range(1, ROUNDS * 2):
            await store.record(tenant, configured(number), BOX_VARIANT, idempotency_key(f"{number}"), render_response)

    await asyncio.gather(expire(), configure())
    count = select(func.count()).select_from(configured_bundles)
    assert await both[0].read(lambda connection: connection.execute(count).scalar()) == ROUNDS * 2 - 1
