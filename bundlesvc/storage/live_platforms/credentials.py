"""Connections to live platforms. Tokens and secrets are stored encrypted, using a key reserved for this purpose."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import sqlalchemy
from sqlalchemy import delete, insert, select, update

from bundlesvc.domain.live_platform.connection import (
    FIRST_KEY,
    OLDER_KEY,
    UNKNOWN_KEY,
    ClientCredentials,
    PlatformConnection,
)
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import RotatingCipher, TokenInvalid
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import platform_connections


class SqlCredentialStore:
    """Implements the `CredentialStore` and `CredentialKeys` ports, and adds methods for the commands that connect shops and
    rotate secret keys."""

    def __init__(self, database: Database, cipher: RotatingCipher) -> None:
        self._database = database
        self._cipher = cipher

    async def of(self, tenant: Tenant) -> PlatformConnection | None:
        query = _sealed(tenant)
        connection = self._open(await self._database.read(lambda connection: connection.execute(query).scalar()))
        # The shop file may name another domain by now. A token is sent only to the domain that it was issued for.
        return connection if connection and connection.domain == tenant.shop.platform.domain else None

    async def connect(self, tenant: Tenant, connection: PlatformConnection, now: int) -> None:
        """Store the connection, replacing an earlier one."""
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
        """Delete the shop's connection to its platform. Returns False when there is none."""
        stored = delete(platform_connections).where(platform_connections.c.shop_id == tenant.id)
        return await self._database.write(lambda connection: connection.execute(stored).rowcount == 1)

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        replacement = self._cipher.seal(_claims(new), now)
        return await self._swap(tenant, lambda sealed: replacement if self._open(sealed) == old else None)

    async def encrypted_with(self, tenant: Tenant) -> str | None:
        query = _sealed(tenant)
        return self._key_of(await self._database.read(lambda connection: connection.execute(query).scalar()))

    async def reseal(self, tenant: Tenant, now: int) -> bool:
        """Re-encrypt the credentials of the shop's connection with the first key. Returns False when they are not encrypted with
        an older key."""

        def resealed(sealed: str) -> str | None:
            return self._cipher.seal(self._cipher.unseal(sealed), now) if self._key_of(sealed) == OLDER_KEY else None

        return await self._swap(tenant, resealed)

    async def _swap(self, tenant: Tenant, changed: Callable[[str], str | None]) -> bool:
        """Pass the stored token to `changed`, and store the result in its place. Returns False when no token is stored, or when
        `changed` returns None."""
        query = _sealed(tenant)

        def work(connection: sqlalchemy.Connection) -> bool:
            while sealed := connection.execute(query).scalar():
                new = changed(sealed)
                if new is None:
                    return False
                same = (platform_connections.c.shop_id == tenant.id) & (platform_connections.c.sealed == sealed)
                if connection.execute(update(platform_connections).where(same).values(sealed=new)).rowcount == 1:
                    return True
                # On PostgreSQL, another transaction has replaced the stored token in the meantime, perhaps with the same token
                # encrypted with another key.
            return False

        return await self._database.write(work)

    def _key_of(self, sealed: str | None) -> str | None:
        if sealed is None:
            return None
        if self._cipher.is_current(sealed):
            return FIRST_KEY
        return UNKNOWN_KEY if self._open(sealed) is None else OLDER_KEY

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
