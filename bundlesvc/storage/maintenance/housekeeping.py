"""Maintenance of the whole database: backups and pruning."""

import asyncio
import errno
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import exists, not_, or_, select

from bundlesvc.domain.idempotency import RESPONSE_SECONDS
from bundlesvc.domain.retention import Retention
from bundlesvc.domain.subscription import CANCELLED, EXPIRED, PENDING
from bundlesvc.private_files import create
from bundlesvc.storage.configured.daily_counts import count_days
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.deletion import EVERY_ROW, delete_old
from bundlesvc.storage.database.sqlite import connections
from bundlesvc.storage.database.tables import (
    audit_entries,
    bundle_orders,
    bundle_sales,
    configured_bundles,
    configured_days,
    experiment_visitors,
    idempotency_keys,
    manage_responses,
    open_pages,
    order_totals,
    order_verdicts,
    outgoing_deliveries,
    outgoing_events,
    preview_links,
    shop_revisions,
    stock_reminders,
    subscriptions,
    usage_days,
    usage_writers,
)
from bundlesvc.storage.maintenance.ended_experiments import forget_ended_experiments
from bundlesvc.storage.open_pages import OPEN_SECONDS
from bundlesvc.storage.shoppers.personalisation_answers import remove_old_answers
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests

WRITER_SECONDS = 2 * 24 * 60 * 60
"""Seconds after which a batch of usage is no longer resent. A process resends a batch when it is unsure whether it was stored."""

_OF_OPEN_REVISION = exists().where(
    shop_revisions.c.shop_id == audit_entries.c.shop_id,
    shop_revisions.c.number == audit_entries.c.revision,
    shop_revisions.c.state.in_(("draft", "scheduled")),
)
"""Whether an entry of the audit log is about an open draft. Such entries are kept, because the rule that a second person must
publish a draft needs the names in them."""


async def backup(source: Path, target: Path) -> None:
    """Make a consistent copy of a SQLite file, even while it is in use. Only the current user can access the copy. Raises
    FileExistsError when the target exists, and OSError when the copy fails."""
    try:
        await asyncio.to_thread(_copy, source, target)
    except sqlite3.Error as error:
        raise OSError(errno.EIO, f"The backup failed: {error}", str(target)) from error


def _copy(source: Path, target: Path) -> None:
    """Copy a database file through a separate connection, because the copy takes a while, cannot run in a transaction, and must
    not block writers."""
    create(target)
    try:
        with closing(sqlite3.connect(source, connections.BUSY_TIMEOUT_MS / 1000, isolation_level=None)) as connection:
            connection.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error:
        target.unlink()  # an incomplete copy is not a backup
        raise


async def prune(database: Database, now: int, retention: Retention) -> dict[str, int]:
    """Delete expired data: stored responses, completed requests about shoppers, preview links, and all data whose retention
    period has ended. Configured bundles with a subscription, a stored response or an order are kept. Returns the number of
    deleted rows of each kind.

    Works in small transactions, so that the service can write in between. Before deleting, empties SQLite's `-wal` file, which
    may be the reason for a full disk, and stores how many bundles were configured on each day."""
    await database.overwrite_deleted()
    await count_days(database, now)
    made, subscribed = configured_bundles.c, subscriptions.c
    needed = [
        made.id.in_(select(table.c.configured_bundle_id)) for table in (subscriptions, idempotency_keys, order_verdicts)
    ]
    await SqlShopperRequests(database).expire(now)
    await delete_old(database, usage_writers.c.written_at, now - WRITER_SECONDS)
    responses = (idempotency_keys.c.created_at, manage_responses.c.created_at)
    expired = [await delete_old(database, created_at, now - RESPONSE_SECONDS) for created_at in responses]
    deleted = {"stored responses": sum(expired)}
    await delete_old(database, preview_links.c.expires_at, now)
    await delete_old(database, open_pages.c.seen_at, now - OPEN_SECONDS)
    for name, seconds, recorded_at, condition in (
        ("stock reminders", retention.reminders, stock_reminders.c.created_at, EVERY_ROW),
        ("pending subscriptions", retention.pending_subscriptions, subscribed.created_at, subscribed.status == PENDING),
        (
            "cancelled subscriptions",
            retention.cancelled_subscriptions,
            subscribed.created_at,
            subscribed.status.in_((CANCELLED, EXPIRED)),
        ),
        ("verdicts", retention.orders, order_verdicts.c.placed_at, EVERY_ROW),
        ("orders", retention.orders, bundle_orders.c.placed_at, EVERY_ROW),
        ("sales", retention.orders, bundle_sales.c.placed_at, EVERY_ROW),
        ("order totals", retention.orders, order_totals.c.placed_at, EVERY_ROW),
        ("seen arms", retention.orders, experiment_visitors.c.seen_at, EVERY_ROW),
        ("daily counts", retention.orders, configured_days.c.day, EVERY_ROW),
        ("configured bundles", retention.configured_bundles, made.configured_at, not_(or_(*needed))),
        ("usage records", retention.usage, usage_days.c.day, EVERY_ROW),
        ("audit entries", retention.audit, audit_entries.c.at, not_(_OF_OPEN_REVISION)),
        ("deliveries", retention.events, outgoing_deliveries.c.created_at, EVERY_ROW),
        ("events", retention.events, outgoing_events.c.at, EVERY_ROW),
    ):
        if seconds is not None:
            deleted[name] = await delete_old(database, recorded_at, now - seconds, condition)
    deleted["seen arms"] = deleted.get("seen arms", 0) + await forget_ended_experiments(database)
    if retention.answers is not None:
        deleted["personalisations"] = await remove_old_answers(database, now - retention.answers)
    if any(deleted.values()):
        await database.overwrite_deleted()
    return deleted
