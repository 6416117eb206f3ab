"""Stores the webhook endpoints of shops, with encrypted secrets."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from bundlesvc.domain.events.event import Endpoint
from bundlesvc.ports import RotatingCipher, TokenInvalid
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.noting import Note, note_nothing
from bundlesvc.storage.database.tables import outgoing_deliveries, shop_revisions, shops, webhook_endpoints
from bundlesvc.storage.database.transaction import lock_shop

_SECRET = "secret"  # noqa: S105 - the name of a field
_ROWS = webhook_endpoints.c


class SqlWebhookEndpoints:
    """Implements the `EndpointStore` port, and adds methods for rotating the secret keys. `note` records every change in the same
    transaction."""

    def __init__(self, database: Database, cipher: RotatingCipher, note: Note = note_nothing) -> None:
        self._database = database
        self._cipher = cipher
        self._note = note

    async def add(self, shop_id: int, endpoint: Endpoint, secret: str) -> None:
        row = {
            "id": endpoint.id,
            "shop_id": shop_id,
            "url": endpoint.url,
            "types": " ".join(endpoint.types),
            "sealed": self._cipher.seal({_SECRET: secret}, endpoint.created_at),
            "created_at": endpoint.created_at,
            "disabled": False,
        }

        def work(connection: Connection) -> None:
            lock_shop(connection, shop_id)
            mine = select(_ROWS.id).where(_ROWS.shop_id == shop_id)
            if connection.execute(mine).first() is None:  # no endpoint followed the revisions until now
                last = select(func.coalesce(func.max(shop_revisions.c.position), 0))
                position = last.where(shop_revisions.c.shop_id == shop_id).scalar_subquery()
                connection.execute(update(shops).where(shops.c.id == shop_id).values(followed_position=position))
            connection.execute(insert(webhook_endpoints).values(row))
            self._note(connection, shop_id, (_NOTED, endpoint.id), None, _noted(endpoint.url, endpoint.types))

        await self._database.write(work)

    async def all(self) -> Sequence[Endpoint]:
        columns = (*webhook_endpoints.c, shops.c.handle)
        query = select(*columns).join(shops, shops.c.id == _ROWS.shop_id).order_by(shops.c.handle, _ROWS.created_at)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [
            Endpoint(row.id, row.handle, row.url, tuple(row.types.split()), row.created_at, row.disabled)
            for row in rows
        ]

    async def remove(self, endpoint_id: str) -> bool:
        def work(connection: Connection) -> bool:
            connection.execute(delete(outgoing_deliveries).where(outgoing_deliveries.c.endpoint_id == endpoint_id))
            removed = delete(webhook_endpoints).where(_ROWS.id == endpoint_id)
            row = connection.execute(removed.returning(_ROWS.shop_id, _ROWS.url, _ROWS.types)).first()
            if row is None:
                return False
            self._note(connection, row.shop_id, (_NOTED, endpoint_id), _noted(row.url, row.types.split()), None)
            return True

        return await self._database.write(work)

    async def outdated(self) -> tuple[int, int]:
        """Return the number of secrets that `reseal` would re-encrypt, and the number that no key can decrypt."""
        sealed = await self._database.read(lambda connection: connection.execute(select(_ROWS.sealed)).scalars().all())
        older = [each for each in sealed if not self._cipher.is_current(each)]
        lost = sum(opened_secret(self._cipher, each) is None for each in older)
        return len(older) - lost, lost

    async def reseal(self, now: int) -> tuple[int, int]:
        """Re-encrypt all secrets with the first key. Returns the number of secrets re-encrypted, and the number that no key can
        decrypt."""

        def work(connection: Connection) -> tuple[int, int]:
            resealed = lost = 0
            for row in connection.execute(select(_ROWS.id, _ROWS.sealed).with_for_update()).all():
                if self._cipher.is_current(row.sealed):
                    continue
                try:
                    sealed = self._cipher.seal(self._cipher.unseal(row.sealed), now)
                except TokenInvalid:
                    lost += 1
                    continue
                connection.execute(update(webhook_endpoints).where(_ROWS.id == row.id).values(sealed=sealed))
                resealed += 1
            return resealed, lost

        return await self._database.write(work)


_NOTED = "webhooks"


def _noted(url: str, types: Sequence[str]) -> dict[str, Any]:
    """Return an endpoint in the form in which changes are recorded."""
    return {"url": url, "events": [*types]}


def opened_secret(cipher: RotatingCipher, sealed: str) -> str | None:
    """Decrypt the secret of an endpoint; None when no key decrypts it."""
    try:
        return str(cipher.unseal(sealed)[_SECRET])
    except (TokenInvalid, KeyError):
        return None
