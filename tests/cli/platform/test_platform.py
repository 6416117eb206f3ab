"""`bundlesvc platform` connects a shop to Shopify, and manages its webhooks."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bundlesvc.domain.live_platform.connection import ClientCredentials, PlatformConnection
from bundlesvc.platforms.shopify.webhooks.messages import CHANGES, NOTICES
from bundlesvc.ports import TokenInvalid
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import platform_connections
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import DISCOUNT, FernetCipher, credentials_cipher, derived_keys, new_secret_key
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.conftest import Connect, in_database
from tests.cli.live_shop import CLIENT_CREDENTIALS, DOMAIN, SECRETS, SHOP_FILE
from tests.conftest import SECRET_KEY
from tests.process.shop import SHOP
from tests.standin.app.apps import CLIENT_ID, TOKEN_SECONDS
from tests.standin.app.webhooks import SECRET
from tests.standin.data.shop import WebhookSubscription
from tests.standin.faults import Answered, refused, server_error
from tests.standin.server import ACCESS_TOKEN, TOKEN, Standin

ADDRESS = "https://bundles.example/webhooks/platform/live"
SUBSCRIBE = ("platform", "webhooks", "subscribe", "--shop", "live", "--url", "https://bundles.example")
LIST = ("platform", "webhooks", "list", "--shop", "live")
UNSUBSCRIBE = ("platform", "webhooks", "unsubscribe", "--shop", "live")
DISCONNECT = ("platform", "disconnect", "--shop", "live")
TOPICS = [*CHANGES, *NOTICES]


def stored(path: Path, secret_key: str = SECRET_KEY) -> PlatformConnection | None:
    """The stored connection of the shop "live"."""

    async def use(database: Database) -> PlatformConnection | None:
        tenant = await SqlKeyStore(database).tenant("live")
        assert tenant is not None
        return await SqlCredentialStore(database, credentials_cipher([secret_key])).of(tenant)

    return in_database(path, use)


async def stored_connection(database: Database) -> str:
    """Return the encrypted credentials of the only platform connection in the database."""
    query = select(platform_connections.c.sealed)
    return str(await database.read(lambda connection: connection.execute(query).scalar_one()))


async def connection_count(database: Database) -> int:
    query = select(func.count()).select_from(platform_connections)
    return await database.read(lambda connection: connection.execute(query).scalar_one())


def existing(number: int, topic: str, uri: str = ADDRESS) -> WebhookSubscription:
    """A webhook subscription that already exists in the shop."""
    return WebhookSubscription(number, topic.replace("/", "_").upper(), uri)


class TestConnect:
    def test_valid_token_is_stored(self, connect: Connect, standin: Standin, database_path: Path) -> None:
        result = connect()
        assert (result.code, result.out) == (0, ""), result.err
        assert result.err == "live: connected. Currency EUR, weights in kg.\n"
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, SECRET)
        assert standin.calls == {"ShopSettings": 1, "AccessScopes": 1}

    def test_client_id_and_secret_are_stored(self, connect: Connect, standin: Standin, database_path: Path) -> None:
        """The client id and secret are stored together with the token that was fetched to check them, so that the service does
        not fetch another one."""
        standin.tokens.clear()
        result = connect("--client-credentials", secrets=CLIENT_CREDENTIALS)
        assert (result.code, result.out) == (0, ""), result.err
        assert result.err == "live: connected. Currency EUR, weights in kg.\n"
        connection = stored(database_path)
        assert connection is not None
        assert connection.grant is not None
        assert (connection.access_token, connection.webhook_secret) == ("standin-token-1", SECRET)
        assert connection.grant.client_id == CLIENT_ID
        assert connection.grant.expires_at - connection.grant.obtained_at == TOKEN_SECONDS
        assert standin.calls == {ACCESS_TOKEN: 1, "ShopSettings": 1, "AccessScopes": 1}

    def test_keys_of_discount_strings_do_not_decrypt_stored_credentials(
        self, connect: Connect, database_path: Path
    ) -> None:
        """Neither the keys for discount strings nor the secret key itself can decrypt stored credentials. This matters because
        all these keys may be stored in the platform's metafield."""
        assert connect().code == 0
        sealed = in_database(database_path, stored_connection)
        metafield = FernetCipher([*derived_keys([SECRET_KEY], DISCOUNT), SECRET_KEY])
        with pytest.raises(TokenInvalid):
            metafield.unseal(sealed)

    def test_client_id_without_a_check(self, connect: Connect, standin: Standin, database_path: Path) -> None:
        assert connect("--client-credentials", "--no-check", secrets=b"any-id\nany-secret\n").code == 0
        assert stored(database_path) == PlatformConnection(DOMAIN, "", "any-secret", ClientCredentials("any-id"))
        assert standin.requests == []

    @pytest.mark.parametrize(
        ("secrets", "words"),
        [
            (f"other-id\n{SECRET}\n", ("does not know an app with this client ID", "application_cannot_be_found")),
            (f"{CLIENT_ID}\nother-secret\n", ("the client ID or the client secret is refused", "invalid_client")),
        ],
    )
    def test_refused_app_leaves_the_earlier_connection(
        self, secrets: str, words: tuple[str, ...], connect: Connect, database_path: Path
    ) -> None:
        connect()
        result = connect("--client-credentials", secrets=secrets.encode())
        assert_error(result, "nothing was stored", DOMAIN, "HTTP 400", *words)
        assert "other-secret" not in result.err
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, SECRET)

    def test_app_that_is_not_installed(self, connect: Connect, standin: Standin, database_path: Path) -> None:
        standin.app.installed = False
        result = connect("--client-credentials", secrets=CLIENT_CREDENTIALS)
        assert_error(result, "nothing was stored", "the app is not installed in this shop: install it there")
        assert stored(database_path) is None

    @pytest.mark.parametrize("options", [(), ("--client-credentials",)])
    def test_missing_scopes_are_named_and_the_shop_is_connected(
        self, options: tuple[str, ...], connect: Connect, standin: Standin, database_path: Path
    ) -> None:
        standin.missing_scopes |= {"read_markets", "read_own_subscription_contracts", "write_products"}
        result = connect(*options, secrets=CLIENT_CREDENTIALS if options else SECRETS)
        assert (result.code, result.out) == (1, "")
        assert result.err.splitlines() == [
            "live: connected. Currency EUR, weights in kg.",
            (
                "bundlesvc: live: the app lacks the access scopes read_markets, read_own_subscription_contracts. Add "
                "them to the app, approve them in the shop, and connect again: bundlesvc platform connect --shop live"
            ),
        ]
        assert stored(database_path) is not None

    def test_bundles_with_ghost_variants_need_the_write_scope(
        self, live: Run, connect: Connect, standin: Standin, tmp_path: Path
    ) -> None:
        (tmp_path / "changed.yaml").write_text(SHOP_FILE.replace("type: native", "type: multiple-products"))
        assert live("load", tmp_path / "changed.yaml").code == 0
        standin.missing_scopes.add("write_products")
        assert "lacks the access scope write_products. " in connect().err

    def test_credentials_are_stored_encrypted(self, connect: Connect, database_path: Path) -> None:
        result = connect()
        files = b"".join(path.read_bytes() for path in database_path.parent.iterdir())
        assert b"gAAAA" in files, "one of the files contains the connection"
        for secret in (TOKEN, SECRET):
            assert secret.encode() not in files
            assert secret not in result.out + result.err

    def test_another_secret_key_does_not_decrypt_them(self, connect: Connect, database_path: Path) -> None:
        connect()
        assert stored(database_path, new_secret_key()) is None

    def test_connecting_again_replaces_the_credentials(
        self, connect: Connect, standin: Standin, database_path: Path
    ) -> None:
        connect()
        standin.tokens = {"newer-token"}
        assert connect(secrets=b"newer-token\nnewer-secret\n").code == 0
        assert stored(database_path) == PlatformConnection(DOMAIN, "newer-token", "newer-secret")

    @pytest.mark.parametrize(
        "secrets", [f"  {TOKEN} \r\n{SECRET}\r\n", f"{TOKEN}\n{SECRET}", f"{TOKEN}\n{SECRET}\nmore\n"]
    )
    def test_lines_may_have_spaces_and_any_line_ends(self, secrets: str, connect: Connect, database_path: Path) -> None:
        assert connect(secrets=secrets.encode()).code == 0
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, SECRET)

    def test_token_without_a_check(self, connect: Connect, standin: Standin, database_path: Path) -> None:
        result = connect("--no-check", secrets=b"any-token\nany-secret\n")
        assert (result.code, result.out, result.err) == (0, "", "live: connected.\n")
        assert stored(database_path) == PlatformConnection(DOMAIN, "any-token", "any-secret")
        assert standin.requests == []

    def test_refused_token_leaves_the_earlier_connection(
        self, connect: Connect, standin: Standin, database_path: Path
    ) -> None:
        connect()
        result = connect(secrets=b"wrong-token\nnewer-secret\n")
        assert_error(
            result,
            "nothing was stored",
            DOMAIN,
            "the access token is refused",
            "HTTP 401",
            "Invalid API key",
            "--client-cr",
        )
        assert "wrong-token" not in result.err
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, SECRET)

    def test_refused_token_is_not_stored(self, connect: Connect, database_path: Path) -> None:
        assert_error(connect(secrets=b"wrong-token\nsecret\n"), "HTTP 401")
        assert stored(database_path) is None

    @pytest.mark.parametrize(("status", "words"), [(402, "frozen"), (403, "scope"), (404, "no shop"), (423, "locked")])
    def test_refusal_of_the_shop_is_explained(
        self, status: int, words: str, connect: Connect, standin: Standin, database_path: Path
    ) -> None:
        standin.fail_next(refused(status), times=None)
        assert_error(connect(), "nothing was stored", words, f"HTTP {status}")
        assert stored(database_path) is None

    def test_unreachable_platform(self, connect: Connect, monkeypatch: pytest.MonkeyPatch, database_path: Path) -> None:
        monkeypatch.setenv("BUNDLESVC_PLATFORM_ENDPOINT", "http://127.0.0.1:1")
        assert_error(connect(), DOMAIN, "cannot be reached")
        assert stored(database_path) is None

    @pytest.mark.parametrize(
        ("secrets", "word"),
        [
            (b"", "access token"),
            (b"\n", "access token"),
            (b"\nclient-secret\n", "access token"),
            (b"access-token\n", "client secret"),
            (b"access-token\n   \n", "client secret"),
            (b"access-token client-secret\n", "access token"),
            (b"access-t\xc3\xb6ken\nclient-secret\n", "access token"),
            (b"access-token\nclient-\xff\n", "client secret"),
            (b"access\x00token\nclient-secret\n", "access token"),
        ],
    )
    def test_missing_line(
        self, secrets: bytes, word: str, connect: Connect, standin: Standin, database_path: Path
    ) -> None:
        result = connect(secrets=secrets)
        assert_error(
            result,
            f"the {'Admin API ' if word == 'access token' else ''}{word}",
            "is missing",
            "two lines on standard input",
        )
        assert "client-" not in result.err
        assert "access-" not in result.err
        assert stored(database_path) is None
        assert standin.requests == []

    @pytest.mark.parametrize(
        ("secrets", "what"),
        [(b"", "client ID"), (b"\nsecret\n", "client ID"), (b"client id\n", "client ID"), (b"id\n", "client secret")],
    )
    def test_missing_line_of_an_app(self, secrets: bytes, what: str, connect: Connect) -> None:
        result = connect("--client-credentials", secrets=secrets)
        assert_error(
            result,
            f"the {what} of the app is missing",
            "two lines on standard input: the client ID of the app, then the",
        )

    def test_unknown_shop(self, connect: Connect, standin: Standin) -> None:
        assert_error(connect(shop="nope"), "there is no shop nope", "shops list")
        assert standin.requests == []

    def test_shop_on_the_embedded_platform(self, live: Run, connect: Connect) -> None:
        live("load", SHOP)
        assert_error(connect(shop="demo"), "demo", "come from its file", "kind: shopify")

    @pytest.mark.parametrize("domain", ["roaster.example", "shop.myshopify.com.evil.example"])
    def test_domain_outside_the_platform(
        self, domain: str, live: Run, connect: Connect, standin: Standin, tmp_path: Path
    ) -> None:
        (tmp_path / "changed.yaml").write_text(SHOP_FILE.replace(DOMAIN, f'"{domain}"'))
        assert live("load", tmp_path / "changed.yaml").code == 0
        assert_error(connect(), f"{domain} is not a domain such as", "platform.domain")
        assert standin.requests == []

    def test_without_secret_keys(self, connect: Connect, monkeypatch: pytest.MonkeyPatch, standin: Standin) -> None:
        monkeypatch.delenv("BUNDLESVC_SECRET_KEYS")
        assert_error(connect(), "BUNDLESVC_SECRET_KEYS is not set")
        assert standin.requests == []

    def test_demo_mode_uses_the_keys_of_the_demo(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch, database_path: Path
    ) -> None:
        monkeypatch.delenv("BUNDLESVC_SECRET_KEYS")
        monkeypatch.setenv("BUNDLESVC_DEMO", "1")
        assert connect().code == 0
        (key,) = (database_path.parent / "demo-secret-keys").read_text().split()
        assert stored(database_path, key) == PlatformConnection(DOMAIN, TOKEN, SECRET)

    def test_shop_option_is_required(self, live: Run) -> None:
        assert_usage(live("platform", "connect"), "Missing option '--shop'")

    @pytest.mark.process
    def test_terminal_prompts_for_a_token_and_hides_secrets(self, live: Run, database_path: Path) -> None:
        with at_a_terminal("platform", "connect", "--shop", "live") as (process, terminal):
            shown = _shown_until(terminal, "client ID of the app (none: press Enter): ")
            os.write(terminal, b"\n")
            shown += _shown_until(terminal, "Admin API access token: ")
            os.write(terminal, f"{TOKEN}\n".encode())
            shown += _shown_until(terminal, "client secret of the app: ")
            os.write(terminal, f"{SECRET}\n".encode())
            shown += _shown_until(terminal, "connected. Currency EUR, weights in kg.")
            assert process.wait(30) == 0
        assert TOKEN not in shown
        assert SECRET not in shown
        assert stored(database_path) == PlatformConnection(DOMAIN, TOKEN, SECRET)

    @pytest.mark.process
    @pytest.mark.parametrize("options", [(), ("--client-credentials",)])
    def test_terminal_prompts_for_a_client_id(self, options: tuple[str, ...], live: Run, database_path: Path) -> None:
        with at_a_terminal("platform", "connect", "--shop", "live", *options) as (process, terminal):
            shown = _shown_until(terminal, "client ID of the app")
            os.write(terminal, f"{CLIENT_ID}\n".encode())
            shown += _shown_until(terminal, "client secret of the app: ")
            os.write(terminal, f"{SECRET}\n".encode())
            shown += _shown_until(terminal, "connected. Currency EUR, weights in kg.")
            assert process.wait(30) == 0
        assert CLIENT_ID in shown, "the client ID is not a secret"
        assert SECRET not in shown
        connection = stored(database_path)
        assert connection is not None
        assert connection.grant is not None
        assert connection.grant.client_id == CLIENT_ID

    def test_unknown_shop_is_reported_before_reading_secrets(self, connect: Connect) -> None:
        assert_error(connect(shop="nope", secrets=b""), "there is no shop nope")


@contextmanager
def at_a_terminal(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run the command in its own process, and yield the process and the controlling end of its pseudo-terminal."""
    terminal, command_end = pty.openpty()
    command = [sys.executable, "-m", "bundlesvc", *arguments]
    with subprocess.Popen(
        command, stdin=command_end, stdout=command_end, stderr=command_end, start_new_session=True
    ) as process:
        os.close(command_end)
        try:
            yield process, terminal
        finally:
            process.kill()
            os.close(terminal)


def _shown_until(terminal: int, words: str) -> str:
    """Read the terminal's output up to these words."""
    shown = ""
    while words not in shown:
        shown += os.read(terminal, 1024).decode()
    return shown


class TestSubscribe:
    def test_every_topic_is_subscribed(self, connected: Run, standin: Standin) -> None:
        result = connected(*SUBSCRIBE)
        assert (result.code, result.err) == (0, "")
        assert result.out.splitlines() == [f"{topic}: subscribed" for topic in TOPICS]
        made = standin.shop.webhook_subscriptions
        assert {subscription.topic for subscription in made} == {topic.replace("/", "_").upper() for topic in TOPICS}
        assert {(subscription.uri, subscription.format) for subscription in made} == {(ADDRESS, "JSON")}

    def test_orders_are_not_subscribed_without_their_scope(self, connected: Run, standin: Standin) -> None:
        standin.missing_scopes.add("read_orders")
        assert connected(*SUBSCRIBE).out.splitlines() == [f"{topic}: subscribed" for topic in CHANGES]

    def test_orders_of_an_earlier_version_are_subscribed_again(self, connected: Run, standin: Standin) -> None:
        """Order webhooks that an earlier version of the service subscribed to are replaced, because they contain no order id."""
        connected(*SUBSCRIBE)
        (old,) = (one for one in standin.shop.webhook_subscriptions if one.topic == "ORDERS_CREATE")
        old.include_fields = ["line_items"]
        assert connected(*SUBSCRIBE).out == "orders/create: subscribed\n"
        (new,) = (one for one in standin.shop.webhook_subscriptions if one.topic == "ORDERS_CREATE")
        assert new.include_fields == ["id", "updated_at", "line_items"]
        assert connected(*SUBSCRIBE).out == ""

    def test_only_needed_fields_are_delivered(self, connected: Run, standin: Standin) -> None:
        connected(*SUBSCRIBE)
        fields = {one.topic: one.include_fields for one in standin.shop.webhook_subscriptions}
        assert fields.pop("INVENTORY_LEVELS_UPDATE") == ["inventory_item_id", "updated_at"]
        assert fields.pop("ORDERS_CREATE") == ["id", "updated_at", "line_items"]
        assert fields.pop("ORDERS_EDITED") == ["order_edit"]
        assert fields.pop("REFUNDS_CREATE") == ["id", "order_id"]
        assert set(map(tuple, fields.values())) == {("id", "updated_at")}

    def test_only_missing_topics_are_subscribed(self, connected: Run, standin: Standin) -> None:
        standin.shop.webhook_subscriptions += [
            existing(1, "products/update"),
            existing(2, "shop/update"),
            existing(3, "products/delete", "https://elsewhere.example/webhooks/platform/live"),
            existing(4, "app/uninstalled"),
        ]
        result = connected(*SUBSCRIBE)
        assert result.code == 0
        others = [topic for topic in TOPICS if topic not in ("products/update", "shop/update")]
        assert result.out.splitlines() == [f"{topic}: subscribed" for topic in others]
        assert len(standin.shop.webhook_subscriptions) == 4 + len(others)

    def test_second_run_subscribes_nothing(self, connected: Run, standin: Standin) -> None:
        connected(*SUBSCRIBE)
        result = connected(*SUBSCRIBE)
        assert (result.code, result.out) == (0, "")
        assert result.err == "live: all topics are subscribed already.\n"
        assert standin.calls["SubscribeWebhook"] == len(TOPICS)

    @pytest.mark.parametrize(
        "url", ["https://bundles.example/", "HTTPS://bundles.example", "https://bundles.example?x=1"]
    )
    def test_equal_addresses_in_other_spellings(self, url: str, connected: Run, standin: Standin) -> None:
        connected(*SUBSCRIBE)
        assert connected(*SUBSCRIBE[:-1], url).err == "live: all topics are subscribed already.\n"

    def test_service_below_a_path(self, connected: Run, standin: Standin) -> None:
        connected(*SUBSCRIBE[:-1], "https://shop.example/bundles/")
        addresses = {subscription.uri for subscription in standin.shop.webhook_subscriptions}
        assert addresses == {"https://shop.example/bundles/webhooks/platform/live"}

    def test_refused_topic_does_not_prevent_others(self, connected: Run, standin: Standin) -> None:
        error = {"field": ["topic"], "message": "Topic needs the scope read_markets"}
        result = {"webhookSubscriptionCreate": {"webhookSubscription": None, "userErrors": [error]}}
        standin.fail_next(Answered(200, {"data": result}), "SubscribeWebhook")
        refused_once = connected(*SUBSCRIBE)
        assert refused_once.code == 1
        lines = refused_once.out.splitlines()
        assert len([line for line in lines if line.endswith(": refused: Topic needs the scope read_markets")]) == 1
        assert len([line for line in lines if line.endswith(": subscribed")]) == len(TOPICS) - 1
        assert refused_once.err.startswith("bundlesvc: some topics are not subscribed")
        assert len(standin.shop.webhook_subscriptions) == len(TOPICS) - 1

    def test_failed_topic_does_not_prevent_others(self, connected: Run, standin: Standin) -> None:
        standin.fail_next(server_error(), "SubscribeWebhook")
        failed_once = connected(*SUBSCRIBE)
        assert failed_once.code == 1
        assert failed_once.out.count(": failed: ") == 1
        assert len(standin.shop.webhook_subscriptions) == len(TOPICS) - 1
        again = connected(*SUBSCRIBE)
        assert (again.code, again.out.count("\n")) == (0, 1)
        assert len(standin.shop.webhook_subscriptions) == len(TOPICS)

    @pytest.mark.parametrize(
        "url",
        [
            "http://bundles.example",
            "bundles.example",
            "https://",
            "https:/bundles.example",
            "ftp://x",
            "https://[::1",
            "",
            "x",
        ],
    )
    def test_addresses_that_are_not_https(self, url: str, connected: Run, standin: Standin) -> None:
        result = connected(*SUBSCRIBE[:-1], url)
        assert_error(result, f"{url} is not an https address", "https://bundles.example.com")
        assert standin.requests == []

    def test_url_option_is_required(self, live: Run) -> None:
        assert_usage(live(*SUBSCRIBE[:-2]), "Missing option '--url'")


class TestList:
    def test_table(self, connected: Run, standin: Standin) -> None:
        standin.shop.webhook_subscriptions += [
            existing(1, "orders/create", "pubsub://project:topic"),
            existing(2, "shop/update"),
            existing(3, "products/update"),
        ]
        result = connected(*LIST)
        assert (result.code, result.err) == (0, "")
        assert [line.split() for line in result.out.splitlines()] == [
            ["topic", "address"],
            ["products/update", ADDRESS],
            ["shop/update", ADDRESS],
            ["orders/create", "pubsub://project:topic"],
        ]

    def test_json(self, connected: Run, standin: Standin) -> None:
        standin.shop.webhook_subscriptions += [
            existing(number, TOPICS[number % len(TOPICS)]) for number in range(10 * len(TOPICS))
        ]
        listed = connected(*LIST, "--json").json
        assert listed == [{"topic": topic, "address": ADDRESS} for topic in sorted(TOPICS) for _ in range(10)]

    def test_no_subscriptions(self, connected: Run) -> None:
        assert connected(*LIST).out == "none\n"
        assert connected(*LIST, "--json").json == []

    def test_subscribed_topics_are_listed(self, connected: Run) -> None:
        connected(*SUBSCRIBE)
        listed = connected(*LIST, "--json").json
        assert sorted(one["topic"] for one in listed) == sorted(TOPICS)
        assert {one["address"] for one in listed} == {ADDRESS}


@pytest.mark.parametrize("arguments", [SUBSCRIBE, LIST], ids=["subscribe", "list"])
class TestUnreachableShop:
    def test_not_connected(self, arguments: tuple[str, ...], live: Run) -> None:
        assert_error(live(*arguments), "live: not connected", "bundlesvc platform connect --shop live")

    def test_other_secret_keys(
        self, arguments: tuple[str, ...], connected: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", new_secret_key())
        assert_error(connected(*arguments), "other BUNDLESVC_SECRET_KEYS", "platform connect --shop live")

    def test_rotated_secret_keys(
        self, arguments: tuple[str, ...], connected: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{new_secret_key()},{SECRET_KEY}")
        assert connected(*arguments).code == 0

    def test_revoked_token(self, arguments: tuple[str, ...], connected: Run, standin: Standin) -> None:
        standin.tokens.clear()
        assert_error(connected(*arguments), DOMAIN, "the access token is refused", "HTTP 401")

    def test_unknown_shop(self, arguments: tuple[str, ...], live: Run) -> None:
        other_arguments = [argument if argument != "live" else "nope" for argument in arguments]
        assert_error(live(*other_arguments), "there is no shop nope")

    def test_locked_shop(self, arguments: tuple[str, ...], connected: Run, standin: Standin) -> None:
        standin.fail_next(refused(423), times=None)
        assert_error(connected(*arguments), f"live: {DOMAIN}: the shop is locked", "HTTP 423")


def test_warnings_are_printed(connected: Run, standin: Standin) -> None:
    """Warnings are printed, for example when the platform responds with a newer API version than requested."""
    standin.versions = ("2027-01",)
    result = connected(*LIST, "--json")
    assert result.json == []
    assert result.err.startswith(f"bundlesvc: {DOMAIN}: the platform responds with API version 2027-01 instead of")
    assert result.err.count("\n") == 1


class TestUnsubscribe:
    def test_every_webhook_to_this_service_ends(self, connected: Run, standin: Standin) -> None:
        connected(*SUBSCRIBE)
        elsewhere = existing(1, "products/update", "https://elsewhere.example/hook")
        moved = existing(2, "products/update", "https://old.example/webhooks/platform/live")
        standin.shop.webhook_subscriptions += [elsewhere, moved]

        result = connected(*UNSUBSCRIBE)

        assert (result.code, result.err) == (0, "")
        ended = [f"{topic} to {ADDRESS}: unsubscribed" for topic in TOPICS]
        assert sorted(result.out.splitlines()) == sorted([*ended, f"products/update to {moved.uri}: unsubscribed"])
        assert standin.shop.webhook_subscriptions == [elsewhere]
        assert connected(*UNSUBSCRIBE).err == "live: no webhooks are subscribed.\n"

    def test_only_those_of_one_address(self, connected: Run, standin: Standin) -> None:
        connected(*SUBSCRIBE)
        moved = existing(2, "products/update", "https://old.example/webhooks/platform/live")
        standin.shop.webhook_subscriptions.append(moved)

        result = connected(*UNSUBSCRIBE, "--url", "https://old.example/")

        assert (result.code, result.out) == (0, f"products/update to {moved.uri}: unsubscribed\n")
        assert len(standin.shop.webhook_subscriptions) == len(TOPICS)

    def test_failed_one_does_not_prevent_others(self, connected: Run, standin: Standin) -> None:
        connected(*SUBSCRIBE)
        error = {"field": ["id"], "message": "Not now"}
        result = {"webhookSubscriptionDelete": {"deletedWebhookSubscriptionId": None, "userErrors": [error]}}
        standin.fail_next(Answered(200, {"data": result}), "UnsubscribeWebhook")

        refused_once = connected(*UNSUBSCRIBE)

        assert refused_once.code == 1
        assert refused_once.out.count(": refused: Not now\n") == 1
        assert refused_once.err == "bundlesvc: some webhooks are still subscribed.\n"
        assert len(standin.shop.webhook_subscriptions) == 1
        assert connected(*UNSUBSCRIBE).code == 0
        assert standin.shop.webhook_subscriptions == []

    def test_shop_that_is_not_connected(self, live: Run) -> None:
        assert_error(live(*UNSUBSCRIBE), "live", "connect")

    def test_address_that_is_not_https(self, connected: Run) -> None:
        assert_error(connected(*UNSUBSCRIBE, "--url", "http://old.example"), "is not an https address")


class TestDisconnect:
    def test_webhooks_end_and_credentials_are_deleted(
        self, connected: Run, standin: Standin, database_path: Path
    ) -> None:
        connected(*SUBSCRIBE)

        result = connected(*DISCONNECT, "--yes")

        assert (result.code, result.out, result.err) == (0, "", "live: disconnected.\n")
        assert standin.shop.webhook_subscriptions == []
        assert stored(database_path) is None
        assert in_database(database_path, connection_count) == 0
        assert_error(connected(*DISCONNECT, "--yes"), "live is not connected")
        assert connected("shops", "list", "--json").json[0]["shop"] == "live"

    def test_without_yes_nothing_happens(self, connected: Run, standin: Standin, database_path: Path) -> None:
        assert_error(connected(*DISCONNECT), "the stored credentials of live would be deleted", "Add --yes")
        assert standin.requests == []
        assert stored(database_path) is not None

    def test_webhooks_that_cannot_end_keep_the_credentials(
        self, connected: Run, standin: Standin, database_path: Path
    ) -> None:
        connected(*SUBSCRIBE)
        standin.fail_next(server_error(), "UnsubscribeWebhook")
        result = connected(*DISCONNECT, "--yes")
        assert_error(result, "live: its webhooks cannot be ended, and nothing was deleted", "--no-unsubscribe")
        assert stored(database_path) is not None
        assert connected(*DISCONNECT, "--yes").code == 0

    def test_shop_that_is_gone_is_disconnected_without_its_webhooks(
        self, connected: Run, standin: Standin, database_path: Path
    ) -> None:
        standin.fail_next(refused(401), times=None)
        assert_error(connected(*DISCONNECT, "--yes"), "nothing was deleted")
        calls = len(standin.requests)
        assert connected(*DISCONNECT, "--yes", "--no-unsubscribe").code == 0
        assert len(standin.requests) == calls
        assert stored(database_path) is None

    def test_credentials_that_no_key_decrypts_are_deleted(
        self, connected: Run, standin: Standin, database_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", new_secret_key())
        assert connected(*DISCONNECT, "--yes").code == 0
        assert in_database(database_path, connection_count) == 0
        assert standin.requests == []

    def test_unknown_shop_to_disconnect(self, live: Run) -> None:
        for options in ((), ("--yes",)):
            assert_error(live("platform", "disconnect", "--shop", "nope", *options), "there is no shop nope")
