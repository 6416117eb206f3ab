"""Tests of the operator commands: what they report about the plugin in the real engine."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from bundlesvc import __version__
from bundlesvc.domain.checkout.checkout_function import key_name
from bundlesvc.token_cipher import DISCOUNT, derived_keys, new_secret_key
from tests.process.serving import SECRET_KEY
from tests.servers.postgres_server import PostgresServer
from tests.vendure.admin import Admin
from tests.vendure.seeding import READER, add_administrator
from tests.vendure_plugin.catalogue import set_stock
from tests.vendure_plugin.connected_shop import run, settings_for, write_shop_file
from tests.vendure_plugin.linked.linked_shop import LinkedShop
from tests.vendure_plugin.linked.webhook_gate import until
from tests.vendure_plugin.operating.test_diagnosis import disabled_promotion
from tests.vendure_plugin.plugin import copied_plugin
from tests.vendure_plugin.shop import DemoEngine, options, started_engine

pytestmark = pytest.mark.process

CHECK, DOCTOR = ("platform", "check", "--shop", "demo"), ("doctor",)


def faults(linked: LinkedShop, *command: str, **settings: str) -> list[str]:
    """Return the problems that a command reports for this shop, without their remedies. First waits until no webhook is
    pending."""
    until(linked.is_quiet)
    return faults_in(linked.folder, linked.settings | settings, *command)


def faults_in(folder: Path, settings: dict[str, str], *command: str) -> list[str]:
    """Return the problems that a command reports for a service whose data is in this folder."""
    printed = run(folder, settings, *command, may_fail=True)
    return [line.removeprefix("✗ demo: ").split(". ")[0] for line in printed.splitlines() if line.startswith("✗ demo")]


@contextmanager
def connected_with(linked: LinkedShop, token: str) -> Iterator[None]:
    """Connect the shop with another key inside this context."""
    try:
        connect(linked, token)
        yield
    finally:
        connect(linked, Admin(linked.engine.address, READER, READER).token)


def connect(linked: LinkedShop, token: str) -> None:
    run(linked.folder, linked.settings, "platform", "connect", "--shop", "demo", "--no-check", sent=token)


@pytest.mark.parametrize("command", [CHECK, DOCTOR], ids=["check", "doctor"])
def test_disabled_promotion_is_named(command: tuple[str, ...], linked: LinkedShop) -> None:
    with disabled_promotion(linked.engine):
        found = faults(linked, *command)
    assert found == [
        f"native bundles: the promotion of the plugin is disabled in the channel {channel}"
        for channel in ("__default_channel__", "us", "ch", "jp")
    ]


def test_key_that_the_plugin_lacks_is_named(linked: LinkedShop) -> None:
    new = new_secret_key()
    found = faults(linked, *CHECK, BUNDLESVC_SECRET_KEYS=f"{new},{SECRET_KEY}")
    (key,) = derived_keys([new], DISCOUNT)
    assert found == [f"native bundles: the plugin lacks the key {key_name(key)}"]


def test_plugin_that_is_older_and_has_other_keys_is_named(
    postgres: PostgresServer, filled: str, tmp_path: Path
) -> None:
    ours, others = derived_keys([SECRET_KEY], DISCOUNT), derived_keys([new_secret_key()], DISCOUNT)
    database, older = postgres.new_database(filled), copied_plugin("0.0.9", tmp_path / "older")
    plugin = options(SECRET_KEY, keys=others)
    with postgres.lent(database), started_engine(postgres, database, plugin, older) as engine:
        connect_shop(tmp_path, engine)
        for command in (CHECK, DOCTOR):
            assert faults_in(tmp_path, settings_for(engine), *command) == [
                "the plugin sends no webhooks: changes show late, and orders do not come in",
                f"native bundles: the plugin is 0.0.9, and this service is {__version__}",
                f"native bundles: the plugin lacks the key {key_name(ours[0])}",
                f"native bundles: the plugin has a key that this service no longer has, {key_name(others[0])}",
            ]


def connect_shop(folder: Path, engine: DemoEngine) -> None:
    """Load the demo shop's file, and connect the shop, even if there are problems with the plugin."""
    (folder / "var").mkdir()
    write_shop_file(engine, folder / "shop.yaml")
    run(folder, {}, "load", "shop.yaml")
    token = Admin(engine.address, READER, READER).token
    run(folder, settings_for(engine), "platform", "connect", "--shop", "demo", "--no-check", sent=token)


@pytest.mark.parametrize(
    ("permission", "lacking"),
    [
        ("ReadCatalog", "the key lacks the permission ReadBundleOrders in the default channel: orders do not come in"),
        ("ReadBundleOrders", "the key lacks the permission ReadCatalog in the default channel"),
    ],
)
def test_missing_permission_is_named(permission: str, lacking: str, linked: LinkedShop) -> None:
    name = f"{permission}@shop.example".lower()
    add_administrator(linked.engine.admin, name, permission)
    with connected_with(linked, Admin(linked.engine.address, name, name).token):
        assert lacking in faults(linked, *CHECK)
    assert faults(linked, *CHECK) == []


def test_webhooks_of_the_plugin_are_listed(linked: LinkedShop) -> None:
    command = ("platform", "webhooks", "list", "--shop", "demo")
    set_stock(linked.engine, "10021", 1_000_000)
    linked.gate.wait_for(len)
    until(linked.is_quiet)
    (listed,) = orjson.loads(run(linked.folder, linked.settings, *command, "--json"))
    assert listed["address"] == f"{linked.gate.address}/webhooks/platform/demo"
    assert listed["secret"] == key_name(linked.secret)
    assert (listed["topic"], listed["waiting"], listed["waitingSince"], listed["failure"]) == ("events", 0, None, None)
    assert listed["lastDelivered"] in run(linked.folder, linked.settings, *command)
