"""The keys in the platform's metafield leak to an attacker who also has a copy of the database.

They are derived keys. The secret keys themselves would decrypt the access token and the webhook secret of every live shop of the
service."""

import pytest
from sqlalchemy import select

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import TokenInvalid
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import platform_connections
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import DISCOUNT, FernetCipher, credentials_cipher, derived_keys
from tests.api.conftest import MakeApi
from tests.conftest import SECRET_KEY

CONNECTION = PlatformConnection("roaster.example", "token-of-the-shop", "secret-of-the-app")
NOW = 1_800_000_000


@pytest.fixture
async def sealed(make_api: MakeApi, database: Database) -> str:
    """The encrypted credentials of a live shop in the database."""
    await make_api()
    tenant = await SqlKeyStore(database).tenant("demo")
    assert isinstance(tenant, Tenant)
    await SqlCredentialStore(database, credentials_cipher([SECRET_KEY])).connect(tenant, CONNECTION, NOW)
    query = select(platform_connections.c.sealed)
    return str(await database.read(lambda connection: connection.execute(query).scalar()))


async def test_keys_of_the_metafield_do_not_decrypt_credentials(sealed: str, settings: Settings) -> None:
    metafield = derived_keys(settings.secret_keys, DISCOUNT)
    with pytest.raises(TokenInvalid):
        FernetCipher(metafield).unseal(sealed)


async def test_the_service_itself_decrypts_them(sealed: str, settings: Settings) -> None:
    claims = credentials_cipher(settings.secret_keys).unseal(sealed)
    assert claims["accessToken"] == CONNECTION.access_token
