"""A shop connected with a client id and a client secret: processes share and renew its access tokens."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bundlesvc.domain.live_platform.connection import ClientCredentials, PlatformConnection
from bundlesvc.platforms.shopify.client import token_renewal
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import CREDENTIALS, FernetCipher, derived_keys
from tests.api.conftest import Api
from tests.api.live.conftest import Deliver
from tests.cli.live_shop import DOMAIN, MUG, SHIRT
from tests.conftest import SECRET_KEY
from tests.fakes import FakeClock
from tests.standin.app.apps import CLIENT_ID
from tests.standin.app.webhooks import SECRET, Webhook, product_body
from tests.standin.server import ACCESS_TOKEN, Standin

PRODUCTS = "/bundles/42/products"

ConnectApp = Callable[[str], Awaitable[None]]


@pytest.fixture
def live_settings(live_settings: Settings) -> Settings:
    """Settings that cache the platform's data for one second."""
    return replace(live_settings, cache_products_ttl=1, cache_prices_ttl=1, cache_negative_ttl=1)


@pytest.fixture
async def connect_app(
    apis: list[Api], database: Database, connections: SqlCredentialStore, clock: FakeClock, standin: Standin
) -> ConnectApp:
    """Make all fixed tokens invalid, and return a function that connects the shop with the app's client id and a client
    secret."""
    standin.tokens.clear()

    async def connect_app(secret: str) -> None:
        tenant = await SqlKeyStore(database).tenant("live")
        assert tenant is not None
        await connections.connect(
            tenant, PlatformConnection(DOMAIN, "", secret, ClientCredentials(CLIENT_ID)), int(clock.now())
        )

    return connect_app


async def test_processes_share_a_token(apis: list[Api], connect_app: ConnectApp, standin: Standin) -> None:
    await connect_app(SECRET)
    for response in await asyncio.gather(*(api.get(PRODUCTS) for api in apis * 10)):
        response.held()
    assert standin.calls[ACCESS_TOKEN] == 1


async def test_credentials_of_the_previous_release_can_be_read_and_are_encrypted_again(
    apis: list[Api], database: Database, clock: FakeClock, standin: Standin
) -> None:
    """Credentials encrypted by the previous release, which used the secret itself as the key, can be read and are
    re-encrypted."""
    standin.tokens.clear()
    tenant = await SqlKeyStore(database).tenant("live")
    assert tenant is not None
    secret_itself = SqlCredentialStore(database, FernetCipher([SECRET_KEY]))
    await secret_itself.connect(
        tenant, PlatformConnection(DOMAIN, "", SECRET, ClientCredentials(CLIENT_ID)), int(clock.now())
    )

    (await apis[0].get(PRODUCTS)).held()

    own_key = SqlCredentialStore(database, FernetCipher(derived_keys([SECRET_KEY], CREDENTIALS)))
    assert await own_key.of(tenant) is not None
    assert await secret_itself.of(tenant) is None


@pytest.mark.parametrize("outdates", [False, True])
async def test_tokens_are_renewed_for_days(
    apis: list[Api], connect_app: ConnectApp, standin: Standin, clock: FakeClock, outdates: bool
) -> None:
    """Tokens, each valid for two hours, are renewed for days, even when each new token invalidates the earlier ones."""
    standin.app.outdates = outdates
    await connect_app(SECRET)
    for hour in range(0, 48, 2):
        standin.shop.products[SHIRT].title = f"Shirt of {hour}"
        for api in apis:
            listed = (await api.get(f"{PRODUCTS}?countryCode=US")).held()
            assert "Age" not in listed.headers
            assert listed.json["products"][0]["title"] == f"Shirt of {hour}"
        clock.move(2 * 3600)
    assert standin.calls[ACCESS_TOKEN] == 3


async def test_shoppers_do_not_notice_a_withdrawn_token(
    apis: list[Api], connect_app: ConnectApp, standin: Standin, clock: FakeClock
) -> None:
    await connect_app(SECRET)
    (await apis[0].get(PRODUCTS)).held()
    clock.move(200_000)  # beyond the maximum age of entries that are served while the platform fails
    standin.app.withdraw_tokens()
    for response in await asyncio.gather(*(api.get(PRODUCTS) for api in apis * 10)):
        assert "Age" not in response.held().headers
    assert standin.calls[ACCESS_TOKEN] == 2


async def test_refused_app_can_be_connected_again(
    apis: list[Api], connect_app: ConnectApp, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    await connect_app("revoked-secret")
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            refused = (await apis[0].get(PRODUCTS)).held(503)
            assert refused.code == "platform_not_connected"
            assert int(refused.headers["Retry-After"]) >= 1
    lines = [record.getMessage() for record in caplog.records if "client secret" in record.getMessage()]
    assert len(lines) == 1
    assert "the client ID or the client secret is refused: connect the shop again (HTTP 400" in lines[0]
    assert "revoked-secret" not in caplog.text
    assert standin.calls[ACCESS_TOKEN] == 1
    await connect_app(SECRET)
    for api in apis:
        (await api.get(PRODUCTS)).held()


async def test_client_secret_signs_webhooks(
    apis: list[Api], connect_app: ConnectApp, standin: Standin, deliver: Deliver
) -> None:
    await connect_app("another-secret")
    body = product_body(standin.shop.products[MUG])
    assert await deliver(apis[0], Webhook("products/update", body)) == 403
    assert await deliver(apis[0], Webhook("products/update", body, secret="another-secret")) == 200


async def test_two_client_secrets_sign_webhooks_while_one_is_rotated(
    apis: list[Api],
    connect_app: ConnectApp,
    connections: SqlCredentialStore,
    database: Database,
    standin: Standin,
    deliver: Deliver,
) -> None:
    """Webhooks signed with either client secret are accepted during a rotation.

    Every process reads the connection on each delivery, so a change takes effect immediately."""
    await connect_app(SECRET)
    tenant = await SqlKeyStore(database).tenant("live")
    assert tenant is not None
    body = product_body(standin.shop.products[MUG])

    async def statuses() -> list[int]:
        signed = [Webhook("products/update", body, secret=secret) for secret in (SECRET, "new-secret")]
        return [await deliver(api, webhook) for webhook in signed for api in apis]

    one = await connections.of(tenant)
    assert one is not None
    assert await statuses() == [200, 200, 403, 403]
    both = replace(one, webhook_secret="new-secret", previous_secret=SECRET)
    assert await connections.replace(tenant, one, both, 0)
    assert await statuses() == [200, 200, 200, 200]
    assert await connections.replace(tenant, both, replace(both, previous_secret=""), 0)
    assert await statuses() == [403, 403, 200, 200]


async def test_authorized_app_is_served_for_days(
    monkeypatch: pytest.MonkeyPatch,
    apis: list[Api],
    connections: SqlCredentialStore,
    database: Database,
    standin: Standin,
    clock: FakeClock,
) -> None:
    """An authorised app is served for days: each access token is valid for an hour, and each renewal changes the refresh
    token."""
    monkeypatch.setattr(token_renewal, "POLL", 0.01)
    standin.tokens.clear()
    tenant = await SqlKeyStore(database).tenant("live")
    assert tenant is not None
    grant = ClientCredentials(CLIENT_ID, refresh_token=standin.app.authorize())
    await connections.connect(tenant, PlatformConnection(DOMAIN, "", SECRET, grant), int(clock.now()))
    for _ in range(24):
        for response in await asyncio.gather(*(api.get(PRODUCTS) for api in apis * 5)):
            assert "Age" not in response.held().headers
        clock.move(2 * 3600)
    assert standin.calls[ACCESS_TOKEN] == 24
