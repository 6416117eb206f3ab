"""Stores which visitors saw which arm of an A/B test, and adds up the orders that they placed afterwards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select, text

from bundlesvc.domain.experiments.results import ArmFigures
from bundlesvc.domain.money import from_presentment_units
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports.experiments import SeenArm
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.retrying import write_retrying
from bundlesvc.storage.database.tables import experiment_visitors, order_totals, shops
from bundlesvc.storage.shoppers.visitor_hashes import visitor_hashes

_NAMES = [column.name for column in experiment_visitors.c]
_ADD = text(
    f"INSERT INTO experiment_visitors ({', '.join(_NAMES)}) VALUES ({', '.join(f':{name}' for name in _NAMES)}) "  # noqa: S608
    "ON CONFLICT DO NOTHING"
)


class SqlExperimentStore:
    """Implements the `ExperimentStore` port on the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, seen: Sequence[SeenArm]) -> None:
        await write_retrying(self._database, lambda connection: _add(connection, seen))

    async def figures(self, tenant: Tenant, experiment_id: str, *, test: bool) -> Mapping[int, ArmFigures]:
        return await self._database.read(lambda connection: _figures(connection, tenant.id, experiment_id, test=test))


def _add(connection: Connection, seen: Sequence[SeenArm]) -> None:
    by_shop: dict[int, list[SeenArm]] = defaultdict(list)
    for one in seen:
        by_shop[one.shop_id].append(one)
    existing = select(shops.c.id).where(shops.c.id.in_(by_shop)).order_by(shops.c.id)
    for shop_id in connection.execute(existing.with_for_update(read=True, key_share=True)).scalars().all():
        rows = list(_rows(connection, shop_id, by_shop[shop_id]))
        connection.execute(_ADD, rows)


def _rows(connection: Connection, shop_id: int, seen: Sequence[SeenArm]) -> Iterable[dict[str, Any]]:
    """Build the rows in a fixed order, so that two processes that add the same rows cannot deadlock."""
    hashes = visitor_hashes(connection, shop_id, {one.exposure.visitor_id for one in seen})
    rows = [
        {
            "shop_id": shop_id,
            "experiment_id": one.exposure.experiment_id,
            "test": one.test,
            "visitor": hashes[one.exposure.visitor_id],
            "arm": one.exposure.arm,
            "seen_at": one.seen_at,
        }
        for one in seen
    ]
    return sorted(rows, key=lambda row: (row["experiment_id"], row["test"], row["visitor"]))


def _figures(connection: Connection, shop_id: int, experiment_id: str, *, test: bool) -> dict[int, ArmFigures]:
    """Compute the figures of an A/B test. Orders are counted before visitors: rows stored in between can then only increase the
    number of visitors, so the result never contains orders of visitors who are not counted."""
    seen = experiment_visitors.c
    own = (seen.shop_id == shop_id) & (seen.experiment_id == experiment_id) & (seen.test == test)
    counted = select(seen.arm, func.count()).where(own).group_by(seen.arm)
    orders, sums, spent = _orders(connection, own)
    return {
        arm: ArmFigures(visitors, orders[arm], dict(sorted(sums[arm].items())), tuple(spent[arm].values()))
        for arm, visitors in connection.execute(counted)
    }


_Orders = tuple[Mapping[int, int], Mapping[int, Mapping[str, int]], Mapping[int, Mapping[str, float]]]


def _orders(connection: Connection, own: ColumnElement[bool]) -> _Orders:
    """Read the orders that visitors placed after they saw an arm. Returns, for each arm, the number of orders, the totals by
    currency, and the amount that each visitor spent."""
    seen, total = experiment_visitors.c, order_totals.c
    query = (
        select(seen.arm, seen.visitor, total.currency, total.total, total.rate)
        .join_from(
            order_totals,
            experiment_visitors,
            (seen.shop_id == total.shop_id) & (seen.visitor == total.visitor) & (seen.test == total.test),
        )
        .where(own, total.visitor.is_not(None), ~total.cancelled, total.placed_at >= seen.seen_at)
    )
    orders: dict[int, int] = defaultdict(int)
    sums: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    spent: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for arm, visitor, currency, units, rate in connection.execute(query):
        orders[arm] += 1
        sums[arm][currency] += units
        spent[arm][visitor] += float(from_presentment_units(units, currency) / Decimal(rate))
    return orders, sums, spent
