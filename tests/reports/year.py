"""A year of sales, stored in one go: configured bundles, sales and order totals as the service would have stored them."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from sqlalchemy import Connection, Table, insert

from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import bundle_sales, configured_bundles, order_totals
from tests.storage.configured_bundles import DAY, NOW

DAYS = 365
BEGIN = NOW - NOW % DAY - (DAYS - 1) * DAY
BUNDLES = tuple(range(20, 40))
COUNTRIES = ("DE", "DE", "DE", "AT", "CH", "FR", "NL", "US", None)
CURRENCIES = ("EUR", "EUR", "EUR", "CHF", "USD")
TIERS = (("percentage", "10.00"), ("percentage", "15.00"), ("percentage", "20.00"), ("none", "0.00"))
PART = 20_000


async def store_year(database: Database, tenant: Tenant, configured: int, orders: int) -> None:
    """Store a year of sales: `configured` bundles, `orders` orders with a bundle, and as many orders without one."""
    random = Random(1)
    every = configured // orders
    made: list[dict[str, Any]] = []
    sold: list[dict[str, Any]] = []
    totals: list[dict[str, Any]] = []
    for number in range(configured):
        row = _configured(random, tenant.id, number + 1, BEGIN + number * DAYS * DAY // configured)
        made.append(row)
        if number % every == 0 and len(sold) < orders:
            placed = min(row["configured_at"] + random.randrange(3 * DAY), NOW)
            sold.append(_sale(random, row, f"{number}", placed))
            totals += _totals(sold[-1], tenant.id)
    for table, rows in ((configured_bundles, made), (bundle_sales, sold), (order_totals, totals)):
        for part in _parts(rows):
            await database.write(lambda connection, table=table, part=part: _insert(connection, table, part))  # type: ignore[misc]


def _insert(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    connection.execute(insert(table), rows)


def _parts(rows: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    return (rows[first : first + PART] for first in range(0, len(rows), PART))


def _configured(random: Random, shop_id: int, number: int, time: int) -> dict[str, Any]:
    kind, value = random.choice(TIERS)
    bundle = random.choice(BUNDLES)
    return {
        "id": number,
        "shop_id": shop_id,
        "bundle_id": bundle,
        "bundle_type": "native",
        "title": "Box",
        "product_id": 501,
        "variant_id": 5001,
        "country": random.choice(COUNTRIES),
        "test": False,
        "unique_id": f"{number:032x}",
        "original": "47.98",
        "discounted": "43.18",
        "discount_type": kind,
        "discount_value": value,
        "currency": "EUR",
        "items": '[{"variant_id":1001,"product_id":111,"section_id":1,"count":3,"title":"Shirt","variant_title":"M",'
        '"unit_price":"19.99","properties":{},"fee_variant_ids":[],"answer_keys":[]}]',
        "experiment_id": "summer" if bundle < 22 else None,
        "arm": bundle - 20 if bundle < 22 else None,
        "configured_at": time,
    }


def _sale(random: Random, made: dict[str, Any], order_id: str, placed: int) -> dict[str, Any]:
    revenue = random.randrange(1000, 9000)
    return {
        "shop_id": made["shop_id"],
        "order_id": order_id,
        "place": 0,
        "placed_at": placed,
        "test": False,
        "country": made["country"],
        "bundle_id": made["bundle_id"],
        "configured_bundle_id": made["id"],
        "configured_at": made["configured_at"],
        "configured_country": made["country"],
        "experiment_id": made["experiment_id"],
        "arm": made["arm"],
        "discount_type": made["discount_type"],
        "discount_value": made["discount_value"],
        "units": 3,
        "currency": random.choice(CURRENCIES),
        "revenue": revenue,
        "discount": revenue // 10,
        "refunded": 0,
    }


def _totals(sale: dict[str, Any], shop_id: int) -> Iterator[dict[str, Any]]:
    """Generate the total of the order that a sale belongs to, and the total of another order without a bundle."""
    for suffix, with_bundle in (("", True), ("-other", False)):
        yield {
            "shop_id": shop_id,
            "order_id": f"{sale['order_id']}{suffix}",
            "version": 1,
            "placed_at": sale["placed_at"],
            "test": False,
            "cancelled": False,
            "with_bundle": with_bundle,
            "currency": sale["currency"],
            "total": sale["revenue"],
        }
