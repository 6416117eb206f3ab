"""Connections to live platforms. Token and secret are kept encrypted, with the keys that sign discount strings."""

import sqlalchemy
from sqlalchemy import delete, insert, select

from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Connection, SealBroken, Sealer
from bundlesvc.storage.database import Database
from bundlesvc.storage.tables import platform_connections


class SqlConnections:
    """The port `Connections`, and what the command that connects a shop needs."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    async def of(self, tenant: Tenant) -> Connection | None:
        query = select(platform_connections.c.sealed).where(platform_connections.c.shop_id == tenant.id)
        sealed = await self._database.read(lambda connection: connection.execute(query).scalar())
        connection = None if sealed is None else self._open(sealed)
        # The file may name another domain since: a token is never sent where it was not given for.
        return connection if connection and connection.domain == tenant.shop.platform.domain else None

    async def connect(self, tenant: Tenant, connection: Connection, now: int) -> None:
        """Keep the connection in place of an earlier one."""
        claims = {
            "domain": connection.domain,
            "accessToken": connection.access_token,
            "webhookSecret": connection.webhook_secret,
        }
        row = {"shop_id": tenant.id, "sealed": self._sealer.seal(claims, now), "connected_at": now}

        def work(connection: sqlalchemy.Connection) -> None:
            connection.execute(delete(platform_connections).where(platform_connections.c.shop_id == tenant.id))
            connection.execute(insert(platform_connections).values(row))

        await self._database.write(work)

    def _open(self, sealed: str) -> Connection | None:
        try:
            claims = self._sealer.unseal(sealed)
        except SealBroken:
            return None
        return Connection(claims["domain"], claims["accessToken"], claims["webhookSecret"])
