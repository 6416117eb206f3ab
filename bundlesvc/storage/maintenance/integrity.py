"""Checks a database: the file, references between rows, and whether the service can read every row."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, exists, func, select, true

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.domain.identifiers import GHOST_VARIANT_FLOOR
from bundlesvc.storage.database.health.causes import cause
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.whole_tables import key_of, parts
from bundlesvc.storage.database.tables import (
    bundles,
    catalogue_ghost_prices,
    catalogue_ghosts,
    experiments,
    ghost_promises,
    ghost_variants,
    metadata,
    products,
    shops,
    variants,
)
from bundlesvc.storage.database.transaction import Read
from bundlesvc.storage.maintenance.row_faults import FAULTS_OF, RowFaults

EXAMPLES = 3
"""The maximum number of example rows in a finding."""

PERSONAL = ("email",)
"""Key columns that a finding must not show, because they identify a person."""


_UNKNOWN = "refers to {} that its shop does not have"


@dataclass(slots=True)
class Finding:
    """A fault in some rows of a table; `examples` contains the keys of the first few rows. If no rows are given, the fault is in
    the table or the database itself."""

    table: str
    message: str
    rows: int = 0
    examples: list[Mapping[str, Any]] = field(default_factory=list)


async def check_integrity(database: Database) -> list[Finding]:
    """Find all faults in a snapshot of the database. When the file itself is damaged, nothing else is checked. Raises
    StorageUnavailable."""
    async with database.snapshot() as read:
        if damage := await _damage(read):
            return damage
        found = await read(_reference_faults)
        for table, faults in FAULTS_OF.items():
            found += await _row_faults(read, table, faults)
    return found


async def _damage(read: Read) -> list[Finding]:
    """Return the damage that SQLite finds in its file. A PostgreSQL database must be checked with PostgreSQL's own tools."""
    try:
        lines = await read(_check_file)
    except StorageUnavailable as failure:
        lines = [cause(failure)]
    return [Finding("database", line) for line in lines if line != "ok"]


def _check_file(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    checked = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars()
    return [line for text in checked for line in text.splitlines() if not line.startswith("***")]


def _reference_faults(connection: Connection) -> list[Finding]:
    return [finding for query in _references() if (finding := _missing(connection, *query)) is not None]


def _references() -> Iterator[tuple[Table, ColumnElement[bool], str]]:
    """Yield, for each foreign key, its table, the condition for rows whose reference is missing, and the message to report."""
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            parent = key.column.table
            missing = key.parent.is_not(None) & _none(parent, key.parent == key.column, *_same_shop(table, parent))
            yield (
                table,
                missing,
                "refers to a shop that is not stored" if parent is shops else _UNKNOWN.format(parent.name),
            )
    for table, parent, column in ((variants, products, "product_id"), (experiments, bundles, "bundle_id")):
        of_file = table.c.shop_id == parent.c.shop_id, table.c.generation == parent.c.generation
        in_use = exists().where(shops.c.id == table.c.shop_id, shops.c.generation == table.c.generation)
        missing = in_use & _none(parent, *of_file, table.c[column] == parent.c.id)
        yield table, missing, _UNKNOWN.format(parent.name)
    yield from _ghost_faults()


def _ghost_faults() -> Iterator[tuple[Table, ColumnElement[bool], str]]:
    """Yield the checks of ghost variants: whether one is missing from the embedded platform, or its state is contradictory. Only
    the high ids that the embedded platform assigns are looked up there, because a live platform stores its variants itself."""
    ghosts = ghost_variants.c
    in_use = ghosts.retired_at.is_(None)
    for table, relevant in ((catalogue_ghost_prices, true()), (ghost_promises, true()), (ghost_variants, in_use)):
        same = [table.c[name] == catalogue_ghosts.c[name] for name in ("shop_id", "variant_id")]
        embedded = table.c.variant_id >= GHOST_VARIANT_FLOOR
        missing = relevant & embedded & _none(catalogue_ghosts, *same)
        yield table, missing, "is of a ghost variant that the embedded platform does not have"
    gone = ghosts.gone_at.is_not(None) & in_use
    yield ghost_variants, gone, "is in use, but gone from the platform"
    yield ghost_variants, ghosts.claim.is_not(None) & ghosts.check_at.is_(None), "is claimed without an end"


def _same_shop(table: Table, parent: Table) -> list[ColumnElement[bool]]:
    return [table.c.shop_id == parent.c.shop_id] if "shop_id" in parent.c else []


def _none(parent: Table, *matches: ColumnElement[bool]) -> ColumnElement[bool]:
    return ~exists().select_from(parent).where(*matches)


def _missing(connection: Connection, table: Table, condition: ColumnElement[bool], message: str) -> Finding | None:
    count = connection.execute(select(func.count()).select_from(table).where(condition)).scalar_one()
    if not count:
        return None
    rows = connection.execute(select(table).where(condition).order_by(*table.primary_key.columns).limit(EXAMPLES))
    return Finding(table.name, message, count, [_example(table, row) for row in rows])


async def _row_faults(read: Read, table: Table, faults_of: RowFaults) -> list[Finding]:
    found: dict[str, Finding] = {}
    async for rows in parts(read, table):
        for row in rows:
            for message in faults_of(row):
                finding = found.setdefault(message, Finding(table.name, message))
                finding.rows += 1
                if finding.rows <= EXAMPLES:
                    finding.examples.append(_example(table, row))
    return list(found.values())


def _example(table: Table, row: Row[Any]) -> Mapping[str, Any]:
    names = [str(column.name) for column in table.primary_key.columns]
    return {name: value for name, value in zip(names, key_of(table, row), strict=True) if name not in PERSONAL}
