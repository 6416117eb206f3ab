"""Connections with a client ID: exactly one of several concurrent replacements of a connection succeeds, and encryption keys can
be rotated."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from bundlesvc.domain.live_platform.connection import (
    FIRST_KEY,
    OLDER_KEY,
    UNKNOWN_KEY,
    ClientCredentials,
    PlatformConnection,
)
from bundlesvc.domain.shop import Tenant
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import platform_connections
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import CREDENTIALS, FernetCipher, credentials_cipher, derived_keys, new_secret_key
from tests.servers.postgres_server import PostgresServer
from tests.storage.conftest import ON_POSTGRESQL
from tests.storage.live_platforms.test_platform_changes import CONNECTION, KEY, NOW, connections, linked

__all__ = ["connections"]

GRANTED = PlatformConnection(
    "roaster.example", "token-of-the-day", "secret-of-the-app", ClientCredentials("client-id", NOW, NOW + 86_399.5)
)


async def test_every_field_of_a_connection_is_stored(connections: SqlCredentialStore, tenant: Tenant) -> None:
    shop = linked(tenant, "roaster.example")
    await connections.connect(shop, GRANTED, NOW)
    assert await connections.of(shop) == GRANTED


async def test_a_connection_stored_before_client_ids_existed_is_read(
    connections: SqlCredentialStore, database: Database, tenant: Tenant
) -> None:
    claims = {"domain": "roaster.example", "accessToken": "token-of-the-shop", "webhookSecret": "secret-of-the-app"}
    row = {"shop_id": tenant.id, "sealed": FernetCipher([KEY]).seal(claims, NOW), "connected_at": NOW}
    await database.write(lambda connection: connection.execute(platform_connections.insert().values(row)) and None)
    assert await connections.of(linked(tenant, "roaster.example")) == CONNECTION


async def test_only_the_stored_connection_is_replaced(connections: SqlCredentialStore, tenant: Tenant) -> None:
    shop = linked(tenant, "roaster.example")
    newer = replace(GRANTED, access_token="newer-token")
    assert not await connections.replace(shop, GRANTED, newer, NOW), "nothing is stored"
    await connections.connect(shop, GRANTED, NOW)
    assert await connections.replace(shop, GRANTED, newer, NOW)
    assert not await connections.replace(shop, GRANTED, CONNECTION, NOW)
    assert await connections.of(shop) == newer
    await connections.connect(shop, CONNECTION, NOW)
    assert not await connections.replace(shop, newer, GRANTED, NOW)
    assert await connections.of(shop) == CONNECTION


async def test_a_replacement_is_encrypted_with_the_newest_key(
    connections: SqlCredentialStore, database: Database, tenant: Tenant
) -> None:
    shop, newest = linked(tenant, "roaster.example"), new_secret_key()
    await connections.connect(shop, GRANTED, NOW)
    newer = replace(GRANTED, access_token="newer-token")
    assert await SqlCredentialStore(database, credentials_cipher([newest, KEY])).replace(shop, GRANTED, newer, NOW)
    assert await SqlCredentialStore(database, credentials_cipher([newest])).of(shop) == newer


NEWEST = new_secret_key()


@pytest.fixture
def rotating(database: Database) -> SqlCredentialStore:
    """A credential store whose first key is new, and whose second key is the one that `connections` uses."""
    return SqlCredentialStore(database, credentials_cipher([NEWEST, KEY]))


@pytest.fixture
def rotated(database: Database) -> SqlCredentialStore:
    """A credential store that has only the new secret key."""
    return SqlCredentialStore(database, credentials_cipher([NEWEST]))


async def test_resealing_encrypts_a_connection_with_the_first_key(
    connections: SqlCredentialStore, rotating: SqlCredentialStore, rotated: SqlCredentialStore, tenant: Tenant
) -> None:
    shop = linked(tenant, "roaster.example")
    assert not await rotating.reseal(shop, NOW), "nothing is stored"
    await connections.connect(shop, GRANTED, NOW)
    assert await rotating.reseal(shop, NOW)
    assert await rotated.of(shop) == GRANTED
    assert not await rotating.reseal(shop, NOW), "it is current"


async def test_the_key_of_a_connection_is_known(
    connections: SqlCredentialStore, rotating: SqlCredentialStore, rotated: SqlCredentialStore, tenant: Tenant
) -> None:
    assert await connections.encrypted_with(tenant) is None
    await connections.connect(tenant, GRANTED, NOW)
    stores = (connections, rotating, rotated)
    assert [await store.encrypted_with(tenant) for store in stores] == [FIRST_KEY, OLDER_KEY, UNKNOWN_KEY]


async def test_a_connection_that_no_key_decrypts_is_not_changed(
    connections: SqlCredentialStore, rotated: SqlCredentialStore, tenant: Tenant
) -> None:
    shop = linked(tenant, "roaster.example")
    await connections.connect(shop, GRANTED, NOW)
    assert not await rotated.reseal(shop, NOW)
    assert await connections.of(shop) == GRANTED


async def test_a_connection_of_an_earlier_version_is_resealed_with_the_derived_key(
    connections: SqlCredentialStore, database: Database, tenant: Tenant
) -> None:
    """A connection that an earlier version of the service encrypted with the secret key itself is re-encrypted with the derived
    key."""
    shop = linked(tenant, "roaster.example")
    await SqlCredentialStore(database, FernetCipher([KEY])).connect(shop, GRANTED, NOW)
    assert await connections.encrypted_with(shop) == OLDER_KEY
    assert await connections.reseal(shop, NOW)
    assert await SqlCredentialStore(database, FernetCipher(derived_keys([KEY], CREDENTIALS))).of(shop) == GRANTED


class InterruptedCipher(FernetCipher):
    """A cipher that lets another transaction commit during its first decryption."""

    def __init__(self, commit: Callable[[], object]) -> None:
        super().__init__(derived_keys([NEWEST, KEY], CREDENTIALS))
        self._commits = [commit]

    def unseal(self, token: str) -> dict[str, Any]:
        while self._commits:
            self._commits.pop()()
        return super().unseal(token)


Interrupted = Callable[[SqlCredentialStore, PlatformConnection], Awaitable[SqlCredentialStore]]


@pytest.fixture
def interrupted(
    connections: SqlCredentialStore, database: Database, settings: Settings, postgres: PostgresServer, tenant: Tenant
) -> Interrupted:
    """A function that stores GRANTED, encrypted with the old key, and returns a store whose first change is interrupted. Between
    the read and the write of that change, another process stores the given connection, encrypted by the store `other`."""

    async def interrupted(other: SqlCredentialStore, connection: PlatformConnection) -> SqlCredentialStore:
        await other.connect(tenant, connection, NOW)
        query = select(platform_connections.c.sealed)
        sealed = await database.read(lambda connection: connection.execute(query).scalar_one())
        await connections.connect(tenant, GRANTED, NOW)
        statement, name = f"UPDATE platform_connections SET sealed = '{sealed}'", settings.database.rpartition("/")[2]
        return SqlCredentialStore(database, InterruptedCipher(lambda: postgres.sql(statement, name)))

    return interrupted


NEWER = replace(GRANTED, access_token="newer-token")


@ON_POSTGRESQL
async def test_resealing_does_not_overwrite_a_token_renewed_meanwhile(
    interrupted: Interrupted, connections: SqlCredentialStore, rotated: SqlCredentialStore, tenant: Tenant
) -> None:
    """Re-encryption does not overwrite a token that was renewed in the meantime by a process whose first key is still the old
    key."""
    store = await interrupted(connections, NEWER)
    assert await store.reseal(tenant, NOW)
    assert await rotated.of(linked(tenant, "roaster.example")) == NEWER


@ON_POSTGRESQL
async def test_a_renewed_token_is_stored_although_the_old_one_was_resealed_meanwhile(
    interrupted: Interrupted, rotated: SqlCredentialStore, tenant: Tenant
) -> None:
    """A renewed token is stored even if the old token was re-encrypted in the meantime. Otherwise the renewed token and the new
    refresh token would be lost."""
    store = await interrupted(rotated, GRANTED)
    assert await store.replace(tenant, GRANTED, NEWER, NOW)
    assert await rotated.of(linked(tenant, "roaster.example")) == NEWER
