"""`bundlesvc platform` and `doctor` for a shop on a real Vendure server."""

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher
from tests.cli.command_line import Result, Run, assert_error
from tests.cli.conftest import in_database
from tests.cli.live_shop import in_thread
from tests.conftest import SECRET_KEY
from tests.failures.live_platform.vendure_faults import graphql_error
from tests.servers.free_port import free_port
from tests.standin.faults import Answered
from tests.storage.prepared import make_database
from tests.vendure.fixtures import SeededEngine
from tests.vendure.proxy import EngineProxy

pytestmark = pytest.mark.process

MARKETS = ', markets: [{countryCode: US, currency: USD, exchangeRate: "1.10", channel: us}]'
SHOP_FILE = """
shop: {{handle: tea, name: Tea, domain: tea.example, locale: en, headlessEnabled: true, templates: [default],
       platform: {{kind: vendure, domain: tea.example{more}}}}}
bundles:
  - {{id: 50, name: Crate, type: native, layout: single-page, platformProductId: "222", parentVariantId: "2001",
     sections: [{{id: 1, name: All, order: 0, products: [{{bundleItemId: 1, platformProductId: "111"}}]}}]}}
"""
PLUGIN_MISSING = (
    "tea: native bundles: the plugin @bundlesvc/vendure-plugin is missing, and orders are charged at full price. "
    "Install @bundlesvc/vendure-plugin"
)

Connect = Callable[..., Result]


@pytest.fixture
def live(run: Run, engine: SeededEngine, database_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line with a shop on Vendure that is not connected yet."""
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
    monkeypatch.setenv("BUNDLESVC_VENDURE_ENDPOINT", engine.address)
    make_database(database_path, shop_file=SHOP_FILE.format(more=""))
    return run


@pytest.fixture
def connect(live: Run, monkeypatch: pytest.MonkeyPatch) -> Connect:
    """A function that runs `bundlesvc platform connect` with a given key on standard input."""

    def connect(key: str, *options: str) -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{key}\n".encode())))
        return live("platform", "connect", "--shop", "tea", *options)

    return connect


def stored(path: Path) -> PlatformConnection | None:
    async def read(database: Database) -> PlatformConnection | None:
        tenant = await SqlKeyStore(database).tenant("tea")
        assert tenant is not None
        return await SqlCredentialStore(database, credentials_cipher([SECRET_KEY])).of(tenant)

    return in_database(path, read)


def with_a_market(run: Run, folder: Path) -> None:
    path = folder / "tea.yaml"
    path.write_text(SHOP_FILE.format(more=MARKETS))
    assert run("load", path).code == 0


def test_key_is_checked_and_stored(connect: Connect, engine: SeededEngine, database_path: Path) -> None:
    result = connect(engine.api_key)
    assert result.code == 0, result.err
    assert result.err == "tea: connected. Currency EUR, weights in kg.\n"
    secret = result.out.removeprefix("Webhook secret: ").strip()
    assert secret.startswith("whsec_")
    assert stored(database_path) == PlatformConnection("tea.example", engine.api_key, secret)


def test_webhook_secret_stays_when_the_key_changes(connect: Connect, live: Run, database_path: Path) -> None:
    first = connect("a:key", "--no-check").out.split()[-1]
    rotated = live("platform", "secret", "add", "--shop", "tea")
    second = rotated.out.split()[-1]
    assert "Give the new one to the plugin" in rotated.err
    result = connect("another:key", "--no-check")
    assert (result.code, result.out) == (0, "")
    both = PlatformConnection("tea.example", "another:key", second, previous_secret=first)
    assert stored(database_path) == both
    assert_error(live("platform", "secret", "add", "--shop", "tea"), "there are two secrets")
    assert live("platform", "secret", "drop", "--shop", "tea").err == "tea: the old secret is dropped.\n"
    assert stored(database_path) == replace(both, previous_secret="")


@pytest.mark.parametrize("key", ["no:key", "0" * 64])
def test_wrong_key_is_not_stored(key: str, connect: Connect, database_path: Path) -> None:
    result = connect(key)
    assert_error(result, "nothing was stored", "the key is refused, or lacks the permission ReadCatalog")
    assert key not in result.err
    assert stored(database_path) is None


def test_engine_that_is_away(connect: Connect, monkeypatch: pytest.MonkeyPatch, quick_retries: None) -> None:
    monkeypatch.setenv("BUNDLESVC_VENDURE_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    assert_error(connect("a:key"), "nothing was stored", "tea.example: The commerce platform cannot be reached")


@pytest.fixture
def proxy(
    live: Run, engine: SeededEngine, monkeypatch: pytest.MonkeyPatch, quick_retries: None
) -> Iterator[EngineProxy]:
    """A proxy between the commands and Vendure."""
    with in_thread(EngineProxy(engine.address)) as proxy:
        monkeypatch.setenv("BUNDLESVC_VENDURE_ENDPOINT", proxy.url)
        yield proxy


UUIDS = {
    "data": {
        "activeChannel": {"id": "9f0c1a52-55c0-4f0e-8d0b-2a1b7a0a7c11", "defaultCurrencyCode": "EUR"},
        "globalSettings": {},
    }
}


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (
            Answered(200, UUIDS),
            "the id '9f0c1a52-55c0-4f0e-8d0b-2a1b7a0a7c11' is not a whole number: this service needs the default Ent",
        ),
        (graphql_error("GRAPHQL_VALIDATION_FAILED", 400), "the platform refuses a query of this service"),
        (graphql_error("CHANNEL_NOT_FOUND"), "there is no channel with the token"),
        (graphql_error("INTERNAL_SERVER_ERROR"), "tea.example: The commerce platform sent an invalid response"),
        (Answered(404, b"<html>"), "an unexpected response (HTTP 404)"),
    ],
)
def test_connect_names_why_the_platform_fails(
    fault: Answered, reason: str, connect: Connect, live: Run, proxy: EngineProxy, database_path: Path
) -> None:
    proxy.fault = fault
    assert_error(connect("a:key"), "nothing was stored", reason)
    assert stored(database_path) is None
    connect("a:key", "--no-check")
    result = live("platform", "check", "--shop", "tea")
    assert (result.code, result.out.count("✗")) == (1, 1)
    assert reason in result.out


def test_options_of_another_platform_are_refused(connect: Connect) -> None:
    assert_error(connect("a:key", "--client-credentials"), "are for apps on Shopify")


@pytest.mark.parametrize(
    "command",
    [
        ["webhooks", "subscribe", "--url", "https://bundles.example"],
        ["webhooks", "unsubscribe"],
        ["function", "activate"],
        ["function", "status"],
    ],
    ids=" ".join,
)
def test_commands_of_another_platform_say_where_to_look(command: list[str], live: Run, connect: Connect) -> None:
    connect("a:key", "--no-check")
    result = live("platform", *command, "--shop", "tea")
    assert_error(result, "tea is not on Shopify", "bundlesvc platform check --shop tea")


def test_webhooks_of_an_engine_without_the_plugin(connect: Connect, live: Run, engine: SeededEngine) -> None:
    connect(engine.api_key)
    result = live("platform", "webhooks", "list", "--shop", "tea")
    assert_error(result, "tea: the plugin @bundlesvc/vendure-plugin is missing, and no webhooks are sent")


def test_webhooks_cannot_be_listed_with_a_refused_key(connect: Connect, live: Run, proxy: EngineProxy) -> None:
    connect("no:key", "--no-check")
    proxy.fault = graphql_error("FORBIDDEN")
    result = live("platform", "webhooks", "list", "--shop", "tea")
    assert_error(result, "tea: the key may not read the state of the plugin")


def test_plugin_without_webhooks_has_none_to_list(connect: Connect, live: Run, proxy: EngineProxy) -> None:
    connect("a:key", "--no-check")
    installed: dict[str, Any] = {"version": "0.1.0", "keys": [], "promotion": [], "webhooks": None}
    proxy.fault = Answered(200, {"data": {"bundlesvc": installed}})
    assert live("platform", "webhooks", "list", "--shop", "tea").out == "none\n"


def test_api_key_of_one_channel_does_not_read_a_market(
    connect: Connect, live: Run, engine: SeededEngine, tmp_path: Path
) -> None:
    with_a_market(live, tmp_path)
    result = connect(engine.api_key)
    assert result.code == 1
    assert (
        "bundlesvc: tea: the key is not valid in the channel us. An API key is valid in the channel that it"
        in result.err
    )


def test_check_and_doctor_find_that_the_plugin_is_missing(
    connect: Connect, live: Run, engine: SeededEngine, tmp_path: Path
) -> None:
    with_a_market(live, tmp_path)
    assert connect(engine.session).code == 0
    for command in (["platform", "check", "--shop", "tea"], ["doctor"]):
        result = live(*command)
        assert result.code == 1
        assert "✓ tea: tea.example responds; bundles: 1\n" in result.out
        assert f"✗ {PLUGIN_MISSING}" in result.out
        assert result.out.count("✗") == 1
        assert result.err == "bundlesvc: 1 problem found.\n"


def test_check_of_a_shop_that_is_not_connected(live: Run) -> None:
    result = live("platform", "check", "--shop", "tea")
    assert "✗ tea: not connected" in result.out
    assert result.code == 1


def test_disconnected_shop_has_no_key(connect: Connect, live: Run, engine: SeededEngine, database_path: Path) -> None:
    connect(engine.api_key)
    result = live("platform", "disconnect", "--shop", "tea", "--yes")
    assert (result.code, result.err) == (0, "tea: disconnected.\n")
    assert stored(database_path) is None
