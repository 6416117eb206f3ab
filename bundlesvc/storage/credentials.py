"""Connections to live platforms. Tokens and secrets are stored encrypted, with a key that opens nothing else."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import sqlalchemy
from sqlalchemy import delete, insert, select, update

from bundlesvc.domain.connection import ClientCredentials, PlatformConnection
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import TokenCipher, TokenInvalid
from bundlesvc.storage.database import Database
from bundlesvc.storage.tables import platform_connections


class SqlCredentialStore:
    """The port `CredentialStore`, and what the command that connects a shop needs."""

    def __init__(self, database: Database, cipher: TokenCipher) -> None:
        self._database = database
        self._cipher = cipher

    async def of(self, tenant: Tenant) -> PlatformConnection | None:
        query = _sealed(tenant)
        connection = self._open(await self._database.read(lambda connection: connection.execute(query).scalar()))
        # The shop file may name another domain since. A token is sent only to the domain that it was given for.
        return connection if connection and connection.domain == tenant.shop.platform.domain else None

    async def connect(self, tenant: Tenant, connection: PlatformConnection, now: int) -> None:
        """Store the connection in place of an earlier one."""
        row = {
            "shop_id": tenant.id,
            "sealed": self._cipher.seal(_claims(connection), now),
            "connected_at": now,
        }

        def work(connection: sqlalchemy.Connection) -> None:
            connection.execute(delete(platform_connections).where(platform_connections.c.shop_id == tenant.id))
            connection.execute(insert(platform_connections).values(row))

        await self._database.write(work)

    async def disconnect(self, tenant: Tenant) -> bool:
        """Delete the connection. False when there is none."""
        stored = delete(platform_connections).where(platform_connections.c.shop_id == tenant.id)
        return await self._database.write(lambda connection: connection.execute(stored).rowcount == 1)

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        query, resealed = _sealed(tenant), self._cipher.seal(_claims(new), now)

        def work(connection: sqlalchemy.Connection) -> bool:
            sealed = connection.execute(query).scalar()
            if self._open(sealed) != old:
                return False
            # On PostgreSQL another transaction may have written another text in the meantime.
            same = (platform_connections.c.shop_id == tenant.id) & (platform_connections.c.sealed == sealed)
            return connection.execute(update(platform_connections).where(same).values(sealed=resealed)).rowcount == 1

        return await self._database.write(work)

    def _open(self, sealed: str | None) -> PlatformConnection | None:
        if sealed is None:
            return None
        try:
            claims = self._cipher.unseal(sealed)
        except TokenInvalid:
            return None
        grant = ClientCredentials(**claims["grant"]) if claims.get("grant") else None
        previous = claims.get("previousSecret", "")
        return PlatformConnection(claims["domain"], claims["accessToken"], claims["webhookSecret"], grant, previous)


def _sealed(tenant: Tenant) -> sqlalchemy.Select[Any]:
    return select(platform_connections.c.sealed).where(platform_connections.c.shop_id == tenant.id)


def _claims(connection: PlatformConnection) -> Mapping[str, Any]:
    return {
        "domain": connection.domain,
        "accessToken": connection.access_token,
        "webhookSecret": connection.webhook_secret,
        "grant": connection.grant and asdict(connection.grant),
        "previousSecret": connection.previous_secret,
    }
