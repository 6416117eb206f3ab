"""`bundlesvc platform secret` rotates the client secret of an app, and `connect --refresh-token` connects an authorised app."""

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from bundlesvc.domain.live_platform.connection import ClientCredentials, PlatformConnection
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import platform_connections
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher
from tests.cli.command_line import Result, Run, assert_error
from tests.cli.conftest import Connect, in_database
from tests.cli.live_shop import CLIENT_CREDENTIALS, DOMAIN
from tests.cli.platform.test_platform import stored, stored_connection
from tests.conftest import SECRET_KEY
from tests.standin.app.apps import CLIENT_ID, REFRESHED_SECONDS
from tests.standin.app.webhooks import SECRET
from tests.standin.faults import refused
from tests.standin.server import ACCESS_TOKEN, TOKEN, Standin

NEW = "standin-secret-of-tomorrow"
DROP = ("platform", "secret", "drop", "--shop", "live")

Add = Callable[..., Result]


@pytest.fixture
def add(live: Run, monkeypatch: pytest.MonkeyPatch) -> Add:
    """A function that runs `platform secret add` for the shop "live", with the given bytes on standard input."""

    def add(secret: bytes = f"{NEW}\n".encode()) -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(secret)))
        return live("platform", "secret", "add", "--shop", "live")

    return add


class TestFixedToken:
    def test_both_secrets_are_stored_until_the_old_one_is_dropped(
        self, connected: Run, add: Add, database_path: Path, standin: Standin
    ) -> None:
        result = add()
        assert (result.code, result.out) == (0, ""), result.err
        assert "both secrets are valid" in result.err
        assert "bundlesvc platform secret drop --shop live" in result.err
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, NEW, previous_secret=SECRET)
        assert NEW not in in_database(database_path, stored_connection)
        assert standin.requests == [], "a fixed token shows nothing of the secret"

        result = connected(*DROP)
        assert (result.code, result.err) == (0, "live: the old secret is dropped.\n")
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, NEW)

    def test_doctor_reminds_of_the_old_secret(self, connected: Run, add: Add) -> None:
        reminder = "live: two secrets for webhooks are accepted. When the old one is no longer in use, drop it"
        assert reminder not in connected("doctor").out
        assert add().code == 0
        assert f"• {reminder}" in connected("doctor").out
        assert connected(*DROP).code == 0
        assert reminder not in connected("doctor").out

    def test_dropping_twice_changes_nothing(self, connected: Run, database_path: Path) -> None:
        result = connected(*DROP)
        assert (result.code, result.err) == (0, "live: has one secret.\n")
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, SECRET)

    def test_third_secret_is_refused(self, connected: Run, add: Add, database_path: Path) -> None:
        assert add().code == 0
        assert_error(add(b"third\n"), "there are two secrets", "platform secret drop --shop live")
        connection = stored(database_path)
        assert connection is not None
        assert connection.webhook_secrets == (NEW, SECRET)

    def test_same_secret_is_refused(self, connected: Run, add: Add, database_path: Path) -> None:
        assert_error(add(f"{SECRET}\n".encode()), "this is the client secret that is stored")

    def test_connecting_again_drops_both(self, connected: Run, add: Add, connect: Connect, database_path: Path) -> None:
        assert add().code == 0
        assert connect("--no-check", secrets=f"{TOKEN}\n{NEW}\n".encode()).code == 0
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, NEW)

    @pytest.mark.parametrize("secret", [b"", b"\n", b"two words\n"])
    def test_missing_secret(self, secret: bytes, connected: Run, add: Add, database_path: Path) -> None:
        assert_error(add(secret), "the new client secret of the app is missing", "one line on standard input")
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, SECRET)

    def test_shop_that_is_not_connected(self, live: Run, add: Add) -> None:
        assert_error(add(), "not connected", "platform connect --shop live")
        assert_error(live(*DROP), "not connected", "platform connect --shop live")


class TestClientId:
    @pytest.fixture
    def app(self, connect: Connect, standin: Standin) -> Standin:
        assert connect("--client-credentials", secrets=CLIENT_CREDENTIALS).code == 0
        return standin

    def test_new_secret_is_stored_with_a_token_that_was_fetched_with_it(
        self, app: Standin, add: Add, database_path: Path
    ) -> None:
        app.app.other_secret = NEW
        assert add().code == 0
        connection = stored(database_path)
        assert connection is not None
        assert connection.webhook_secrets == (NEW, SECRET)
        assert connection.access_token == "standin-token-2"

    def test_secret_that_the_platform_refuses_is_not_stored(self, app: Standin, add: Add, database_path: Path) -> None:
        before = stored(database_path)
        result = add()
        assert_error(result, "nothing was stored", "the client ID or the client secret is refused")
        assert NEW not in result.err
        assert stored(database_path) == before

    def test_token_that_was_renewed_meanwhile_stays(
        self, app: Standin, add: Add, database_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A token that the service renews between the two steps of the command is kept."""
        app.app.other_secret = NEW
        of = SqlCredentialStore.of

        async def renewed_after(self: SqlCredentialStore, *arguments: object) -> PlatformConnection | None:
            found = await of(self, *arguments)  # type: ignore[arg-type]
            assert found is not None
            await self.connect(arguments[0], replace(found, access_token="renewed"), 0)  # type: ignore[arg-type]
            return found

        with monkeypatch.context() as patch:
            patch.setattr(SqlCredentialStore, "of", renewed_after)
            assert_error(add(), "nothing was changed", "Try again.")
        connection = stored(database_path)
        assert connection is not None
        assert (connection.access_token, connection.webhook_secrets) == ("renewed", (SECRET,))


class TestRefreshToken:
    @pytest.fixture
    def secrets(self, standin: Standin) -> bytes:
        """The credentials of an app that was authorised in the shop: client ID, client secret and refresh token."""
        standin.tokens.clear()
        return f"{CLIENT_ID}\n{SECRET}\n{standin.app.authorize()}\n".encode()

    def test_first_token_is_fetched_and_stored(
        self, secrets: bytes, connect: Connect, standin: Standin, database_path: Path
    ) -> None:
        result = connect("--refresh-token", secrets=secrets)
        assert (result.code, result.err) == (0, "live: connected. Currency EUR, weights in kg.\n")
        connection = stored(database_path)
        assert connection is not None
        assert connection.grant is not None
        assert connection.grant.expires_at - connection.grant.obtained_at == REFRESHED_SECONDS
        assert connection.grant.refresh_token not in secrets.decode(), "it is replaced with every token"
        assert connection.grant.refresh_token not in in_database(database_path, stored_connection)
        assert standin.calls[ACCESS_TOKEN] == 1

    def test_without_a_check(self, secrets: bytes, connect: Connect, standin: Standin, database_path: Path) -> None:
        assert connect("--refresh-token", "--no-check", secrets=secrets).code == 0
        refresh = secrets.decode().split()[2]
        assert stored(database_path) == PlatformConnection(
            DOMAIN, "", SECRET, ClientCredentials(CLIENT_ID, refresh_token=refresh)
        )
        assert standin.requests == []

    def test_check_that_failed_can_be_repeated(
        self, secrets: bytes, connect: Connect, standin: Standin, database_path: Path
    ) -> None:
        """A failed check can be repeated, even though the refresh token was already used and its replacement is lost."""
        standin.fail_next(refused(423), "ShopSettings")
        assert connect("--refresh-token", secrets=secrets).code == 1
        assert stored(database_path) is None
        assert connect("--refresh-token", secrets=secrets).code == 0

    def test_refused_refresh_token_says_what_to_do(self, connect: Connect, database_path: Path) -> None:
        result = connect("--refresh-token", secrets=f"{CLIENT_ID}\n{SECRET}\nold-refresh-token\n".encode())
        assert_error(
            result,
            "nothing was stored",
            "the refresh token has expired or was revoked: authorize the app in the shop again",
        )
        assert "old-refresh-token" not in result.err

    def test_missing_line(self, connect: Connect) -> None:
        result = connect("--refresh-token", secrets=b"id\nsecret\n")
        assert_error(result, "the refresh token of the app is missing", "three lines on standard input")


def test_connection_of_the_previous_release_has_one_secret(connected: Run, database_path: Path) -> None:
    """A connection that the previous release stored, without a previous secret and without a refresh token, has exactly one
    secret."""

    async def use(database: Database) -> PlatformConnection | None:
        tenant = await SqlKeyStore(database).tenant("live")
        assert tenant is not None
        cipher = credentials_cipher([SECRET_KEY])
        store = SqlCredentialStore(database, cipher)
        claims = {"domain": DOMAIN, "accessToken": "token", "webhookSecret": SECRET, "grant": {"client_id": "id"}}
        await store.connect(tenant, PlatformConnection(DOMAIN, ""), 0)
        await _overwrite(database, cipher.seal(claims, 0))
        return await store.of(tenant)

    assert in_database(database_path, use) == PlatformConnection(DOMAIN, "token", SECRET, ClientCredentials("id"))


async def _overwrite(database: Database, sealed: str) -> None:
    await database.write(lambda connection: connection.execute(update(platform_connections).values(sealed=sealed)))
