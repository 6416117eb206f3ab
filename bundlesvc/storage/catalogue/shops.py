"""Read access to shops and their bundles."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select, update

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.publication import Phase, phase_at
from bundlesvc.domain.shop import Shop, Tenant
from bundlesvc.storage.catalogue.generations import FIRST_LOAD, of_shop
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.database.conditions import among
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import HAS_TIMES, bundles, experiments, shops


class SqlShopStore:
    """Implements the `ShopStore` port on the database."""

    def __init__(self, database: Database, cache: RevisionCache) -> None:
        self._database = database
        self._cache = cache

    async def tenants(self, shop_ids: Collection[int] | None = None) -> Sequence[Tenant]:
        return await self._database.read(lambda connection: _tenants(connection, shop_ids))

    async def revisions(self) -> Mapping[int, int]:
        return await self._database.read(_revisions)

    async def bundle(self, tenant: Tenant, bundle_id: int) -> Bundle | None:
        return await self._cache.one(tenant, "bundle", bundle_id, partial(self._read_bundle, tenant, bundle_id))

    async def _read_bundle(self, tenant: Tenant, bundle_id: int) -> Bundle | None:
        def query(connection: Connection) -> Bundle | None:
            wanted = of_shop(bundles, tenant.id) & (bundles.c.id == bundle_id)
            document = connection.execute(select(bundles.c.document).where(wanted)).scalar()
            return None if document is None else _in_phase(from_document(document, Bundle), tenant.phase)

        return await self._database.read_shop(tenant, query)

    async def published_bundles(self, tenant: Tenant, limit: int) -> Sequence[Bundle]:
        def query(connection: Connection) -> Sequence[Bundle]:
            rows = connection.execute(
                select(bundles.c.document).where(_published(tenant)).order_by(bundles.c.id).limit(limit)
            )
            return [from_document(document, Bundle) for document in rows.scalars()]

        return await self._cache.one(tenant, "published", limit, lambda: self._database.read_shop(tenant, query))

    async def published_ids(self, tenant: Tenant, product_id: int | None = None) -> Sequence[int]:
        def query(connection: Connection) -> Sequence[int]:
            wanted = _published(tenant)
            if product_id is not None:
                wanted &= bundles.c.product_id == product_id
            return connection.execute(select(bundles.c.id).where(wanted).order_by(bundles.c.id)).scalars().all()

        return await self._cache.one(
            tenant, "published-ids", product_id, lambda: self._database.read_shop(tenant, query)
        )

    async def bundles(self, tenant: Tenant, bundle_ids: Sequence[int]) -> Sequence[Bundle]:
        async def read(missing: list[int]) -> Mapping[int, Bundle]:
            def query(connection: Connection) -> Mapping[int, Bundle]:
                wanted = of_shop(bundles, tenant.id) & bundles.c.id.in_(missing)
                rows = connection.execute(select(bundles.c.id, bundles.c.document).where(wanted))
                return {row.id: _in_phase(from_document(row.document, Bundle), tenant.phase) for row in rows}

            return await self._database.read_shop(tenant, query)

        return list((await self._cache.many(tenant, "bundle", bundle_ids, read)).values())

    async def bundle_of_product(self, tenant: Tenant, product_id: int) -> Bundle | None:
        def query(connection: Connection) -> int | None:
            wanted = _published(tenant) & (bundles.c.product_id == product_id)
            return connection.execute(select(func.min(bundles.c.id)).where(wanted)).scalar()

        bundle_id = await self._cache.one(
            tenant, "of-product", product_id, lambda: self._database.read_shop(tenant, query)
        )
        return None if bundle_id is None else await self.bundle(tenant, bundle_id)

    async def is_item(self, tenant: Tenant, product_id: int) -> bool:
        def query(connection: Connection) -> bool:
            # few documents contain the digits of the product id, so few are parsed
            wanted = of_shop(bundles, tenant.id) & bundles.c.document.contains(f"{product_id}")
            documents = connection.execute(select(bundles.c.document).where(wanted)).scalars()
            return any(product_id in from_document(document, Bundle).product_ids for document in documents)

        return await self._cache.one(tenant, "is-item", product_id, lambda: self._database.read_shop(tenant, query))

    async def experiments(self, tenant: Tenant) -> Sequence[Experiment]:
        def query(connection: Connection) -> Sequence[Experiment]:
            mine = of_shop(experiments, tenant.id)
            rows = connection.execute(select(experiments.c.document).where(mine).order_by(experiments.c.id))
            return [from_document(document, Experiment) for document in rows.scalars()]

        return await self._cache.one(tenant, "experiments", "", lambda: self._database.read_shop(tenant, query))

    async def ping(self) -> None:
        if self._database.health.failure is StorageUnavailable:  # the database may be available again
            await self._database.try_writing()
        self._database.health.check()
        await self._database.read(lambda connection: connection.execute(select(shops.c.id).limit(1)).scalar())


def _published(tenant: Tenant) -> ColumnElement[bool]:
    """Return the SQL condition that selects the shop's bundles that are published in its current phase."""
    now, begins_at, ends_at = tenant.phase.start, bundles.c.begins_at, bundles.c.ends_at
    begun = begins_at.is_(None) | (begins_at <= now)
    return of_shop(bundles, tenant.id) & bundles.c.published & begun & (ends_at.is_(None) | (ends_at > now))


def _in_phase(bundle: Bundle, phase: Phase) -> Bundle:
    """Return the bundle with its publication state in a phase."""
    published = bundle.is_published_in(phase)
    return bundle if published == bundle.published else replace(bundle, published=published)


def _tenants(connection: Connection, shop_ids: Collection[int] | None) -> list[Tenant]:
    listed = among(shops.c.id, shop_ids) & (shops.c.generation != FIRST_LOAD)
    rows = connection.execute(select(shops).where(listed).order_by(shops.c.id))
    times = _times(connection, shop_ids)
    return [_with_times(tenant_of(row), times[row.id]) for row in rows]


def _with_times(tenant: Tenant, times: Collection[int]) -> Tenant:
    return replace(tenant, times=tuple(sorted(times)), phase=phase_at(times, 0)) if times else tenant


def _times(connection: Connection, shop_ids: Collection[int] | None) -> defaultdict[int, set[int]]:
    """Read the times at which bundles start and stop being sold, by shop."""
    in_use = (bundles.c.shop_id == shops.c.id) & (bundles.c.generation == shops.c.generation) & bundles.c.published
    query = (
        select(bundles.c.shop_id, bundles.c.begins_at, bundles.c.ends_at)
        .join(shops, in_use)
        .where(among(shops.c.id, shop_ids), HAS_TIMES)
    )
    found: defaultdict[int, set[int]] = defaultdict(set)
    for shop_id, begins_at, ends_at in connection.execute(query):
        found[shop_id].update(time for time in (begins_at, ends_at) if time is not None)
    return found


def _revisions(connection: Connection) -> dict[int, int]:
    listed = select(shops.c.id, shops.c.revision).where(shops.c.generation != FIRST_LOAD)
    return {row.id: row.revision for row in connection.execute(listed)}


def tenant_of(row: Row[Any]) -> Tenant:
    """Build the tenant from a row of `shops`. Whether the shop is enabled is read from the column, not from the document, because
    commands change only the column."""
    shop = from_document(row.document, Shop)
    return Tenant(row.id, row.revision, replace(shop, headless_enabled=row.headless_enabled))


def raise_revision(connection: Connection, shop_id: int) -> None:
    """Increment a shop's revision in the same transaction as a change, so that every process notices the change."""
    connection.execute(update(shops).where(shops.c.id == shop_id).values(revision=shops.c.revision + 1))
