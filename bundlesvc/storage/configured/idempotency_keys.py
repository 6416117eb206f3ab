"""The responses stored under idempotency keys (docs/contract.md#idempotency)."""

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, TextClause, delete, text

from bundlesvc.domain.configured import ConfiguredBundle
from bundlesvc.domain.errors import IdempotencyKeyReused
from bundlesvc.domain.idempotency import RESPONSE_SECONDS, IdempotencyKey, StoredResponse
from bundlesvc.storage.configured.response_encoding import decode_response, encode_response
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.parts.deletion import delete_old
from bundlesvc.storage.database.prepared_insert import PreparedInsert
from bundlesvc.storage.database.scheduling.grouping import MAX_GROUP, Grouping
from bundlesvc.storage.database.tables import idempotency_keys
from bundlesvc.storage.database.transaction import InsertedRow

_INSERT = PreparedInsert(idempotency_keys)

_WANTED = "({n}, CAST(:shop_id{n} AS BIGINT), CAST(:test{n} AS BOOLEAN), :method{n}, :path{n}, :key{n})"
_STORED = """
    WITH wanted (number, shop_id, test, method, path, "key") AS (VALUES {wanted})
    SELECT number, body_digest, answer, encoding, created_at
    FROM wanted CROSS JOIN idempotency_keys AS stored
    WHERE stored.shop_id = wanted.shop_id AND stored.test = wanted.test AND stored.method = wanted.method
        AND stored.path = wanted.path AND stored."key" = wanted."key"
"""


class ScopedKey(NamedTuple):
    """An idempotency key within its shop: the primary key of a stored response."""

    shop_id: int
    test: bool
    method: str
    path: str
    key: str

    @classmethod
    def of(cls, shop_id: int, key: IdempotencyKey) -> "ScopedKey":
        return cls(shop_id, key.test, key.method, key.path, key.key)


class StoredResponses:
    """Finds responses by their keys. Look-ups that are waiting at the same time share one query."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._groups = Grouping(self._find, "stored responses")

    async def find(self, shop_id: int, key: IdempotencyKey, now: int) -> StoredResponse | None:
        """Find the response stored for this key; None when there is none. Raises IdempotencyKeyReused, StorageUnavailable."""
        return _response(await self._groups.add(ScopedKey.of(shop_id, key)), key, now)

    async def expire(self, now: int) -> None:
        """Delete the responses that have expired."""
        await delete_old(self._database, idempotency_keys.c.created_at, now - RESPONSE_SECONDS)

    async def _find(self, keys: Sequence[ScopedKey]) -> Sequence[Row[Any] | None]:
        return await self._database.read(partial(_rows, keys))


def find_response(connection: Connection, shop_id: int, key: IdempotencyKey, now: int) -> StoredResponse | None:
    """Find the response stored for this key, within a transaction; None when there is none. Raises IdempotencyKeyReused."""
    (row,) = _rows([ScopedKey.of(shop_id, key)], connection)
    return _response(row, key, now)


def inserted_response(shop_id: int, key: IdempotencyKey, configured: ConfiguredBundle, body: bytes) -> InsertedRow:
    """Build the row that stores a new response under an idempotency key."""
    answer, encoding = encode_response(body)
    return _INSERT, {
        **ScopedKey.of(shop_id, key)._asdict(),
        "body_digest": key.body_digest,
        "answer": answer,
        "encoding": encoding,
        "configured_bundle_id": configured.id,
        "created_at": configured.configured_at,
    }


def store_response(
    connection: Connection, shop_id: int, key: IdempotencyKey, configured: ConfiguredBundle, body: bytes
) -> None:
    """Store a new response, replacing one that has expired."""
    expired = idempotency_keys.c.created_at <= configured.configured_at - RESPONSE_SECONDS
    same_key = delete(idempotency_keys).filter_by(**ScopedKey.of(shop_id, key)._asdict())
    connection.execute(same_key.where(expired))
    statement, row = inserted_response(shop_id, key, configured, body)
    statement.run(connection, [row])


def _rows(keys: Sequence[ScopedKey], connection: Connection) -> list[Row[Any] | None]:
    """Fetch the row of each key; None for a key that has no row."""
    values = {f"{name}{number}": value for number, key in enumerate(keys) for name, value in key._asdict().items()}
    found = {row.number: row for row in connection.execute(_query(len(keys)), values)}
    return [found.get(number) for number in range(len(keys))]


@lru_cache(MAX_GROUP)
def _query(keys: int) -> TextClause:
    """Build the query for this number of keys. CROSS JOIN makes SQLite look up each key in the index; with `IN`, it would scan
    the whole table."""
    return text(_STORED.format(wanted=", ".join(_WANTED.format(n=number) for number in range(keys))))


def _response(row: Row[Any] | None, key: IdempotencyKey, now: int) -> StoredResponse | None:
    if row is None or row.created_at <= now - RESPONSE_SECONDS:
        return None
    if row.body_digest != key.body_digest:
        raise IdempotencyKeyReused
    return StoredResponse(decode_response(row.answer, row.encoding), replayed=True)
