"""Storage for the upkeep of ghost variants: claims the variants that are due for a check, and records the results."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, func, select, update

from bundlesvc.domain.configured import ConfiguredItem
from bundlesvc.domain.ghosts.variant import GHOST_STATES, Claim, ClaimedGhost, GhostCounts, Promise, PromiseChecks
from bundlesvc.domain.subscription import SubscriptionChoice
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles, ghost_variants, shops, subscriptions
from bundlesvc.storage.database.transaction import lock_shop
from bundlesvc.storage.ghosts.administration import STATE
from bundlesvc.storage.ghosts.records import CHECK_EVERY, newest_numbers
from bundlesvc.storage.ghosts.retirement import CLAIM_SECONDS, claimed_ghost, new_token, record_removal, retire

RETRY_SECONDS = 5 * 60
"""Seconds until a check that failed is repeated."""


class SqlGhostStore:
    """Implements the `GhostStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim_due(self, now: int, limit: int) -> Claim:
        claim = await self._database.write(lambda connection: _claim(connection, now, limit))
        return await self._database.read(lambda connection: _with_promises(connection, claim))

    async def settle(self, shop_id: int, claim: Claim, verdicts: PromiseChecks, now: int, grace: int) -> Claim:
        def work(connection: Connection) -> Claim:
            lock_shop(connection, shop_id)
            return _settle(connection, claim, verdicts, now, grace)

        return await self._database.write(work)

    async def removed(self, claim: Claim, now: int) -> None:
        await self._database.write(lambda connection: record_removal(connection, claim, now))

    async def counts(self, crowded: int) -> GhostCounts:
        return await self._database.read(lambda connection: _counts(connection, crowded))


def _claim(connection: Connection, now: int, limit: int) -> Claim:
    """Claim the ghost variants that are due for a check. Processes that claim at the same time get different rows, because
    PostgreSQL skips locked rows."""
    ghosts, token = ghost_variants.c, new_token()
    due = select(ghosts.id).where(ghosts.check_at <= now).order_by(ghosts.check_at).limit(limit)
    ids = connection.execute(due.with_for_update(skip_locked=True)).scalars().all()
    if not ids:
        return Claim(token, ())
    claimed = update(ghost_variants).where(ghosts.id.in_(ids)).values(claim=token, check_at=now + CLAIM_SECONDS)
    rows = connection.execute(claimed.returning(ghost_variants)).all()
    return Claim(token, tuple(claimed_ghost(row) for row in rows))


def _with_promises(connection: Connection, claim: Claim) -> Claim:
    """Return the claim with the selection of the newest configured bundle added to each ghost variant, using one query."""
    in_use = [claimed.id for claimed in claim.ghosts if not claimed.retired]
    if not in_use:
        return claim
    made = configured_bundles.c
    query = (
        select(configured_bundles, subscriptions.c.group_id, subscriptions.c.frequency, subscriptions.c.unit)
        .outerjoin(subscriptions, subscriptions.c.configured_bundle_id == made.id)
        .where(made.number.in_(newest_numbers(ghost_variants.c.id.in_(in_use))))
    )
    promises = {(row.shop_id, row.variant_id): _promise(row) for row in connection.execute(query)}
    return Claim(claim.token, tuple(_with_promise(claimed, promises) for claimed in claim.ghosts))


def _with_promise(claimed: ClaimedGhost, promises: Mapping[tuple[int, int], Promise]) -> ClaimedGhost:
    promise = None if claimed.retired else promises.get((claimed.shop_id, claimed.ghost.variant_id))
    return replace(claimed, promise=promise)


def _promise(row: Any) -> Promise:
    choice = None if row.group_id is None else SubscriptionChoice(row.group_id, row.frequency, row.unit)
    return Promise(row.bundle_id, from_document(row.items, tuple[ConfiguredItem, ...]), row.country, choice)


def _settle(connection: Connection, claim: Claim, verdicts: PromiseChecks, now: int, grace: int) -> Claim:
    """Record the results of checking the ghost variants that the claim still holds, and return the retired variants as a claim. A
    variant that was marked in the meantime is checked again."""
    ghosts = ghost_variants.c

    def change(ids: Sequence[int], **values: Any) -> None:
        mine = ghosts.id.in_(ids) & (ghosts.claim == claim.token) & ghosts.retired_at.is_(None)
        connection.execute(update(ghost_variants).where(mine).values(values))

    change(verdicts.held, marked=False, claim=None, broken_at=None, checked_at=now, check_at=now + CHECK_EVERY)
    change(verdicts.unknown, claim=None, check_at=now + RETRY_SECONDS)
    change(verdicts.broken_in_a_market, broken_at=func.coalesce(ghosts.broken_at, now))
    over = ghosts.id.in_(verdicts.broken) & (ghosts.last_used_at <= now - grace)
    over |= ghosts.id.in_(verdicts.broken_in_a_market) & (ghosts.broken_at <= now - grace)
    retired = retire(connection, over & (ghosts.claim == claim.token), claim.token, now)
    change(verdicts.broken, marked=True, claim=None, check_at=ghosts.last_used_at + grace)
    change(verdicts.broken_in_a_market, marked=True, claim=None, check_at=ghosts.broken_at + grace)
    return retired


def _counts(connection: Connection, crowded: int) -> GhostCounts:
    ghosts = ghost_variants.c
    states = connection.execute(select(STATE.label("state"), func.count().label("number")).group_by(STATE))
    found = {row.state: row.number for row in states}
    full = (
        select(shops.c.handle, ghosts.product_id, func.count())
        .join(shops, shops.c.id == ghosts.shop_id)
        .where(ghosts.gone_at.is_(None))
        .group_by(shops.c.handle, ghosts.product_id)
        .having(func.count() >= crowded)
    )
    crowds = {(handle, product): count for handle, product, count in connection.execute(full)}
    return GhostCounts({state: found.get(state, 0) for state in GHOST_STATES}, crowds)
