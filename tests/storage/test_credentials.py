"""Connections with a client id; of several replacements exactly one succeeds."""

from dataclasses import replace

from bundlesvc.domain.connection import ClientCredentials, PlatformConnection
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.credentials import SqlCredentialStore
from bundlesvc.storage.database import Database
from bundlesvc.storage.tables import platform_connections
from bundlesvc.token_cipher import FernetCipher, credentials_cipher, new_secret_key
from tests.storage.test_platform_changes import CONNECTION, KEY, NOW, connections, linked

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
