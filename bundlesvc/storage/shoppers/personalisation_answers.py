"""Finds and removes shoppers' answers to personalisation fields, which are stored in configured bundles and stored responses."""

import asyncio
import logging
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
from sqlalchemy import Connection, Select, Update, delete, select, tuple_, update

from bundlesvc.batches import batches
from bundlesvc.domain.configured import ConfiguredItem
from bundlesvc.domain.shopper import mentions
from bundlesvc.plain_values import UNREADABLE
from bundlesvc.storage.database.conditions import in_shops
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.scanning import scan, scan_parts
from bundlesvc.storage.database.tables import (
    HAS_ANSWERS,
    bundle_orders,
    configured_bundles,
    idempotency_keys,
    order_verdicts,
    shops,
)

logger = logging.getLogger(__name__)

PART = 100
"""The maximum number of configured bundles to change in one transaction."""


@dataclass(frozen=True, slots=True)
class ShoppersBundle:
    """A configured bundle with the data about its shopper; `configured_at` is in seconds since 1970, UTC."""

    id: int
    shop: str
    bundle_id: int
    bundle: str
    items: tuple[ConfiguredItem, ...]
    discounted: str
    currency: str
    visitor_id: str | None
    configured_at: int


async def bundles_that_mention(database: Database, email: str, shop_ids: Collection[int] | None) -> list[int]:
    """Return the ids of the configured bundles whose answers contain the e-mail address."""
    made = configured_bundles.c
    query = select(made.id, made.number, made.configured_at, made["items"])
    query = query.where(HAS_ANSWERS, in_shops(made.shop_id, shop_ids))
    return [
        row.id
        async for row in scan(database, query, made.configured_at, made.number)
        if "@" in row.items and any(mentions(answer, email) for answer in _answers(row.items))
    ]


def _answers(items: str) -> list[str]:
    try:
        return [answer for item in orjson.loads(items) for answer in item["properties"].values()]
    except UNREADABLE:
        return [items]  # search the whole raw text


async def bundles_with_ids(
    database: Database, ids: Collection[int], shop_ids: Collection[int] | None
) -> list[ShoppersBundle]:
    """Return the configured bundles with these ids, oldest first. Unknown ids are skipped."""
    made = configured_bundles.c
    columns: Select[Any] = select(
        made.id,
        shops.c.handle,
        made.bundle_id,
        made.title,
        made["items"],
        made.discounted,
        made.currency,
        made.visitor_id,
        made.configured_at,
    )
    query = columns.join(shops, shops.c.id == made.shop_id).where(in_shops(made.shop_id, shop_ids))
    found: list[ShoppersBundle] = []
    for part in in_parts(ids):
        found += await database.read(partial(_bundles, query.where(made.id.in_(part))))
    return sorted(found, key=lambda one: (one.configured_at, one.id))


def _bundles(query: Select[Any], connection: Connection) -> list[ShoppersBundle]:
    return [
        ShoppersBundle(
            row.id,
            row.handle,
            row.bundle_id,
            row.title,
            from_document(row.items, tuple[ConfiguredItem, ...]),
            row.discounted,
            row.currency,
            row.visitor_id,
            row.configured_at,
        )
        for row in connection.execute(query)
    ]


async def remove_answers(database: Database, ids: Collection[int]) -> int:
    """Remove shoppers' data from configured bundles: the answers, and the visitor's id, which is also removed from the bundles'
    orders. Items and prices are kept; stored responses, which repeat the answers, are deleted. Damaged bundles are logged.
    Returns the number of changed bundles."""
    changed = 0
    for part in in_parts(ids):
        changed += await _remove_part(database, part)
    return changed


async def remove_old_answers(database: Database, until: int) -> int:
    """Remove shoppers' data from all bundles that have answers and were configured up to the time `until`. Returns the number of
    changed bundles."""
    made = configured_bundles.c
    old = select(made.id, made.number, made.configured_at).where(HAS_ANSWERS, made.configured_at <= until)
    changed = 0
    async for rows in scan_parts(database, old, made.configured_at, made.number):
        changed += await remove_answers(database, [row.id for row in rows])
    return changed


async def _remove_part(database: Database, ids: Sequence[int]) -> int:
    """Remove shoppers' data from a batch of configured bundles in one transaction, then pause for as long as the transaction
    took, so that other processes can write."""
    begun = time.monotonic()
    changed, damaged = await database.write(partial(_remove, ids))
    for one in damaged:
        logger.warning(
            "the answers of configured bundle %d cannot be removed: it is damaged, see `bundlesvc db check`.", one
        )
    await asyncio.sleep(time.monotonic() - begun)
    return changed


def _remove(ids: Sequence[int], connection: Connection) -> tuple[int, list[int]]:
    """Remove shoppers' data from these configured bundles. Returns the number of changed bundles, and the ids of those with
    unreadable items."""
    made = configured_bundles.c
    connection.execute(delete(idempotency_keys).where(idempotency_keys.c.configured_bundle_id.in_(ids)))
    connection.execute(_forget_visitors(ids))
    rows = connection.execute(select(made.number, made.id, made["items"]).where(made.id.in_(ids))).all()
    damaged = []
    for row in rows:
        try:
            items = _without_answers(row.items)
        except UNREADABLE:
            damaged.append(row.id)
        else:
            changed = update(configured_bundles).where(made.number == row.number)
            connection.execute(changed.values(items=items, visitor_id=None))
    return len(rows) - len(damaged), damaged


def _forget_visitors(ids: Sequence[int]) -> Update:
    """Build the statement that removes the visitors' ids from the orders that contain these configured bundles."""
    bought = select(order_verdicts.c.shop_id, order_verdicts.c.order_id).where(
        order_verdicts.c.configured_bundle_id.in_(ids)
    )
    return (
        update(bundle_orders)
        .where(tuple_(bundle_orders.c.shop_id, bundle_orders.c.id).in_(bought))
        .values(visitor_id=None)
    )


def _without_answers(items: str) -> str:
    without: dict[str, object] = {"properties": {}, "answer_keys": []}
    return orjson.dumps([item | without for item in orjson.loads(items)]).decode()


def in_parts(ids: Collection[int]) -> Iterator[list[int]]:
    return batches(sorted(ids), PART)
