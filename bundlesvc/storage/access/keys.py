"""API keys and their shops, for authentication and for the operator."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, insert, or_, select, update

from bundlesvc.domain.access.key import TOUCH_INTERVAL, ApiKey, KeyLimits
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.catalogue.generations import FIRST_LOAD
from bundlesvc.storage.catalogue.shops import raise_revision, tenant_of
from bundlesvc.storage.database.conditions import among
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.noting import Note, note_nothing
from bundlesvc.storage.database.tables import api_keys, shops


class SqlKeyStore:
    """The `KeyStore` and `KeyAdmin` ports, backed by the database. Demo keys are active only if `demo` is true. `note` records
    every change to a key in the same transaction, without secrets."""

    def __init__(self, database: Database, *, demo: bool = False, note: Note = note_nothing) -> None:
        self._database = database
        self._note = note
        self._active = active(demo=demo)

    async def active_keys(self, shop_ids: Collection[int] | None = None) -> Sequence[ApiKey]:
        query = select(*_KEY).where(self._active, among(api_keys.c.shop_id, shop_ids))
        return await self._database.read(lambda connection: [_key(row) for row in connection.execute(query)])

    async def active_key(self, digest: str) -> ApiKey | None:
        query = select(*_KEY).where(self._active, api_keys.c.digest == digest)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else _key(row)

    async def touch_keys(self, last_used: Mapping[int, int]) -> None:
        def work(connection: Connection) -> None:
            # Keys are updated in a fixed order, so that two processes cannot deadlock.
            for key_id, used_at in sorted(last_used.items()):
                stale = or_(api_keys.c.last_used_at.is_(None), api_keys.c.last_used_at <= used_at - TOUCH_INTERVAL)
                connection.execute(update(api_keys).where(api_keys.c.id == key_id, stale).values(last_used_at=used_at))

        await self._database.write(work)

    async def tenant(self, handle: str) -> Tenant | None:
        query = select(shops).where(_named(handle))
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else tenant_of(row)

    async def add_key(self, key: ApiKey) -> None:
        def work(connection: Connection) -> None:
            connection.execute(insert(api_keys).values(_row(key)))
            raise_revision(connection, key.shop_id)
            self._note(connection, key.shop_id, (_NOTED, key.prefix), None, _noted(_row(key), _DESCRIBED))

        await self._database.write(work)

    async def keys(self) -> Sequence[tuple[str, ApiKey]]:
        query = select(shops.c.handle, *_KEY).join(shops).order_by(api_keys.c.id)
        return await self._database.read(
            lambda connection: [(handle, _key(row)) for handle, *row in connection.execute(query)]
        )

    async def revoke_key(self, prefix: str) -> bool:
        return await self._change_key(prefix, {"active": False})

    async def set_origins(self, prefix: str, origins: Sequence[str]) -> bool:
        return await self._change_key(prefix, {"origins": orjson.dumps(list(origins)).decode()})

    async def set_limits(self, prefix: str, limits: KeyLimits) -> bool:
        return await self._change_key(prefix, limits)

    async def set_headless(self, handle: str, *, enabled: bool) -> bool:
        switched = await self._database.write(lambda connection: switch_headless(connection, handle, enabled=enabled))
        return switched is not None

    async def _change_key(self, prefix: str, values: Mapping[str, Any]) -> bool:
        def work(connection: Connection) -> bool:
            wanted = (api_keys.c.prefix == prefix) & api_keys.c.active
            before = connection.execute(select(api_keys).where(wanted).with_for_update()).mappings().first()
            if before is None:
                return False
            connection.execute(update(api_keys).where(wanted).values(values))
            raise_revision(connection, before["shop_id"])
            path = (_NOTED, prefix)
            self._note(connection, before["shop_id"], path, _noted(dict(before), values), _noted(values, values))
            return True

        return await self._database.write(work)


def active(*, demo: bool) -> ColumnElement[bool]:
    """Return the SQL condition for valid keys: a key is valid if it has not been revoked and, unless `demo` is set, is not a demo
    key."""
    return api_keys.c.active if demo else api_keys.c.active & ~api_keys.c.demo


def switch_headless(connection: Connection, handle: str, *, enabled: bool) -> int | None:
    """Enable or disable the APIs for a shop, within a transaction. Returns the id of the shop, or None when the shop does not
    exist."""
    values = {"headless_enabled": enabled, "revision": shops.c.revision + 1}
    return connection.execute(update(shops).where(_named(handle)).values(values).returning(shops.c.id)).scalar()


def _named(handle: str) -> ColumnElement[bool]:
    """Return the SQL condition that selects the shop with this handle, if the shop has been loaded."""
    return (shops.c.handle == handle) & (shops.c.generation != FIRST_LOAD)


_NOTED = "keys"
_DESCRIBED = ("label", "test", "scopes", "origins", "rate_limit", "visitor_limit")


def _noted(values: Mapping[str, Any], columns: Iterable[str]) -> dict[str, Any]:
    """Return the values of these columns of a key, in the form in which changes are recorded."""
    lists = ("scopes", "origins")
    return {name: orjson.loads(values[name]) if name in lists else values[name] for name in columns}


def _row(key: ApiKey) -> dict[str, Any]:
    return {
        "shop_id": key.shop_id,
        "digest": key.digest,
        "prefix": key.prefix,
        "label": key.label,
        "test": key.test,
        "scopes": orjson.dumps(key.scopes).decode(),
        "origins": orjson.dumps(key.origins).decode(),
        "rate_limit": key.rate_limit,
        "visitor_limit": key.visitor_limit,
        "active": key.active,
        "created_at": key.created_at,
        "demo": key.demo,
    }


_KEY = [api_keys.c[each.name] for each in fields(ApiKey) if each.init]


def _key(values: Sequence[Any]) -> ApiKey:
    """Build the key from these values, which are in the order of its fields. Values are not looked up by name, because that takes
    twice as long when a process reads all keys at startup."""
    id_, shop_id, digest, prefix, label, test, scopes, origins, *rest = values
    return ApiKey(id_, shop_id, digest, prefix, label, test, _texts(scopes), _texts(origins), *rest)


@lru_cache(maxsize=1024)
def _texts(document: str) -> tuple[str, ...]:
    """Parse a JSON list of strings. Cached, because most keys have the same lists."""
    return tuple(orjson.loads(document))
