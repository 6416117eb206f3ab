"""`check_integrity` finds any damage, and reports nothing for an intact database."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from decimal import Decimal

import orjson
import pytest
from sqlalchemy import Connection, text

from bundlesvc.domain.configured import RecordedIds
from bundlesvc.domain.ghosts.prices import MarketPromise
from bundlesvc.domain.identifiers import GHOST_VARIANT_FLOOR
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts import whole_tables
from bundlesvc.storage.ghosts.market_promises import SqlMarketPromises
from bundlesvc.storage.maintenance import integrity
from bundlesvc.storage.maintenance.integrity import Finding, check_integrity
from bundlesvc.storage.shoppers.reminders import SqlReminders
from tests.process.shop import PAIR_PRODUCT
from tests.storage.configured_bundles import CART_VARIANT, MONTHLY, configured, ghost, idempotency_key
from tests.storage.conftest import ON_SQLITE

Damage = Callable[[str], Awaitable[list[tuple[str, str, int]]]]


@pytest.fixture
async def used(
    database: Database, tenant: Tenant, configured_store: SqlConfiguredStore, platform: EmbeddedPlatform
) -> Database:
    """A database with three configured bundles: two native ones, and one sold as a ghost variant."""
    for number in (1, 2):

        def render(recorded: RecordedIds, number: int = number) -> bytes:
            return orjson.dumps({"configured_bundle_id": number, "variant": recorded.variant_id})

        bundle = configured(number, subscription=MONTHLY)
        await configured_store.record(tenant, bundle, CART_VARIANT, idempotency_key(f"{number}"), render)
    await _sell_as_ghost(database, tenant, configured_store, platform)
    await SqlReminders(database).add_reminder(tenant, CART_VARIANT, "mira@mail.example", "Box", 1)
    return database


async def _sell_as_ghost(
    database: Database, tenant: Tenant, store: SqlConfiguredStore, platform: EmbeddedPlatform
) -> None:
    variant = await platform.create_ghost_variant(tenant, PAIR_PRODUCT, "identity", Decimal(20))
    assert variant >= GHOST_VARIANT_FLOOR
    await SqlMarketPromises(database).add(tenant, variant, "CH", MarketPromise("CH", Decimal(18)))
    await platform.set_ghost_price(tenant, variant, await platform.market_terms(tenant, "CH"), Decimal(21))
    await store.record(tenant, configured(3), ghost("identity", variant), None, lambda _: b"{}")


@pytest.fixture
def damage(kind: str, used: Database, settings: Settings) -> Damage:
    """A function that runs a statement without foreign key checks, and returns what the integrity check then finds: table,
    message and number of rows."""

    async def run(statement: str) -> list[tuple[str, str, int]]:
        if kind == "sqlite":
            with closing(sqlite3.connect(settings.database)) as connection:
                assert connection.execute(statement).rowcount > 0
                connection.commit()
        else:
            await used.write(lambda connection: _unchecked(connection, statement))
        return [(found.table, found.message, found.rows) for found in await check_integrity(used)]

    return run


def _unchecked(connection: Connection, statement: str) -> None:
    connection.execute(text("SET LOCAL session_replication_role = replica"))
    assert connection.execute(text(statement)).rowcount > 0


async def test_nothing_is_wrong_in_a_used_database(used: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_tables, "PART_ROWS", 1)
    assert await check_integrity(used) == []


@ON_SQLITE
@pytest.mark.parametrize(
    ("statement", "table", "message", "rows"),
    [
        (
            "DELETE FROM configured_bundles WHERE id = 2",
            "idempotency_keys",
            "refers to configured_bundles that its shop does not have",
            1,
        ),
        (
            "UPDATE subscriptions SET configured_bundle_id = 77 WHERE configured_bundle_id = 2",
            "subscriptions",
            "refers to configured_bundles that its shop does not have",
            1,
        ),
        ("UPDATE stock_reminders SET shop_id = 5", "stock_reminders", "refers to a shop that is not stored", 1),
        ("DELETE FROM products WHERE id = 222", "variants", "refers to products that its shop does not have", 1),
        ("UPDATE configured_bundles SET original = 'NaN'", "configured_bundles", "its original cannot be read", 3),
        (
            "UPDATE configured_bundles SET discounted = '-1.00'",
            "configured_bundles",
            "its discounted cannot be read",
            3,
        ),
        (
            "UPDATE configured_bundles SET items = '[{}]' WHERE id = 1",
            "configured_bundles",
            "its items cannot be read",
            1,
        ),
        ("UPDATE products SET document = '{' WHERE id = 222", "products", "its document cannot be read", 1),
        ("UPDATE shops SET document = '[]'", "shops", "its document cannot be read", 1),
        ("UPDATE subscriptions SET next_date = 'soon'", "subscriptions", "its next_date cannot be read", 2),
        ("UPDATE catalogue_ghosts SET price = ''", "catalogue_ghosts", "its price cannot be read", 1),
        ("UPDATE ghost_promises SET promise = 'Infinity'", "ghost_promises", "its promise cannot be read", 1),
        (
            "UPDATE ghost_variants SET variant_id = variant_id + 1",
            "ghost_variants",
            "is of a ghost variant that the embedded platform does not have",
            1,
        ),
        ("UPDATE ghost_variants SET gone_at = 5", "ghost_variants", "is in use, but gone from the platform", 1),
        (
            "UPDATE ghost_variants SET claim = 'x', check_at = NULL",
            "ghost_variants",
            "is claimed without an end",
            1,
        ),
        ("UPDATE idempotency_keys SET encoding = 'identity'", "idempotency_keys", "its response cannot be opened", 2),
        (
            "UPDATE idempotency_keys SET configured_bundle_id = 2 WHERE configured_bundle_id = 1",
            "idempotency_keys",
            "its response is that of another configured bundle",
            1,
        ),
    ],
)
async def test_damage_is_found(statement: str, table: str, message: str, rows: int, damage: Damage) -> None:
    assert (table, message, rows) in await damage(statement)


@ON_SQLITE
async def test_a_finding_names_no_shopper(damage: Damage, used: Database) -> None:
    await damage("UPDATE stock_reminders SET shop_id = 5")
    (found,) = await check_integrity(used)
    assert found.examples == [{"shop_id": 5, "variant_id": CART_VARIANT}]


async def test_references_between_shops_are_found(damage: Damage, used: Database) -> None:
    columns = "headless_enabled, revision, document"
    copy = f"INSERT INTO shops (id, handle, {columns}) SELECT 9, 'other', {columns} FROM shops"
    assert await damage(copy) == []
    found = await damage("UPDATE configured_bundles SET shop_id = 9 WHERE id = 1")
    message = "refers to configured_bundles that its shop does not have"
    assert found == [("idempotency_keys", message, 1), ("subscriptions", message, 1)]


@ON_SQLITE
async def test_a_finding_names_the_first_rows(damage: Damage, used: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "EXAMPLES", 2)
    await damage("UPDATE configured_bundles SET original = ''")
    assert await check_integrity(used) == [
        Finding("configured_bundles", "its original cannot be read", 3, [{"number": 1}, {"number": 2}])
    ]
