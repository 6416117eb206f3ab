"""`bundlesvc shops` and `bundlesvc subscriptions`."""

from pathlib import Path

import pytest

from tests.cli.command_line import Run, assert_error
from tests.cli.conftest import Record
from tests.process.shop import SHOP
from tests.storage.configured_bundles import MONTHLY, configured, idempotency_key


@pytest.fixture
def with_other(loaded: Run, tmp_path: Path) -> Run:
    """The command line, with the shops "demo" and "other" loaded."""
    other = tmp_path / "other.yaml"
    other.write_text("shop: {handle: other, name: Other Shop, currency: EUR}\n")
    assert loaded("load", other).code == 0
    return loaded


def test_no_shops_are_printed_as_none(run: Run) -> None:
    assert run("shops", "list").out == "none\n"
    assert run("shops", "list", "--json").json == []


def test_shops_are_listed(with_other: Run) -> None:
    assert with_other("shops", "list", "--json").json == [
        {"shop": "demo", "name": "Demo Shop", "enabled": True, "platform": "embedded", "revision": 1},
        {"shop": "other", "name": "Other Shop", "enabled": False, "platform": "embedded", "revision": 1},
    ]
    assert with_other("shops", "list").out.splitlines() == [
        "shop   name        enabled  platform  revision",
        "demo   Demo Shop   yes      embedded  1",
        "other  Other Shop  no       embedded  1",
    ]


def test_a_shop_is_disabled_and_enabled(loaded: Run) -> None:
    for command, enabled in (("disable", False), ("disable", False), ("enable", True)):
        result = loaded("shops", command, "demo")
        assert (result.code, result.out, result.err) == (0, "", f"demo: {command}d.\n")
        (shop,) = loaded("shops", "list", "--json").json
        assert shop["enabled"] == enabled


def test_loading_again_enables_the_shop_as_in_its_file(loaded: Run) -> None:
    loaded("shops", "disable", "demo")
    assert "loaded" in loaded("load", SHOP).err
    (shop,) = loaded("shops", "list", "--json").json
    assert shop["enabled"]


@pytest.mark.parametrize("command", ["enable", "disable", "delete"])
def test_an_unknown_shop_is_reported(command: str, loaded: Run) -> None:
    assert_error(loaded("shops", command, "nope"), "there is no shop nope", "shops list")


def test_a_shop_is_deleted_with_everything(with_other: Run, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bundlesvc.storage.catalogue.shop_deletion.NOTICE_SECONDS", 0)
    assert with_other("keys", "create", "--shop", "demo", "--label", "web").code == 0
    record(configured(5, subscription=MONTHLY), idempotency_key())

    result = with_other("shops", "delete", "demo", "--yes")

    assert (result.code, result.out) == (0, ""), result.err
    assert result.err == "demo: deleted, with 3 bundles, 1 key, 1 configured bundle, 1 subscription.\n"
    assert [shop["shop"] for shop in with_other("shops", "list", "--json").json] == ["other"]
    assert_error(with_other("shops", "delete", "demo", "--yes"), "there is no shop demo")
    assert with_other("load", SHOP).code == 0
    assert with_other("subscriptions", "list", "--json").json == []


def test_without_yes_no_shop_is_deleted(loaded: Run) -> None:
    result = loaded("shops", "delete", "demo")
    assert_error(result, "the shop demo would be deleted, with 3 bundles. Add --yes to do it.")
    assert [shop["shop"] for shop in loaded("shops", "list", "--json").json] == ["demo"]


def test_a_connected_shop_is_not_deleted(connected: Run) -> None:
    result = connected("shops", "delete", "live", "--yes")
    assert_error(result, "live is connected", "bundlesvc platform disconnect --shop live")
    (shop,) = connected("shops", "list", "--json").json
    assert shop["enabled"]


def test_no_subscriptions_are_printed_as_none(loaded: Run) -> None:
    assert loaded("subscriptions", "list").out == "none\n"
    assert loaded("subscriptions", "list", "--json").json == []


def test_subscriptions_are_listed(loaded: Run, record: Record) -> None:
    record(configured(5, subscription=MONTHLY))
    assert loaded("subscriptions", "list", "--json").json == [
        {
            "id": 1,
            "shop": "demo",
            "configuredBundleId": 5,
            "bundle": "Box",
            "groupId": 7,
            "frequency": 1,
            "unit": "month",
            "email": "mira@mail.example",
            "status": "pending",
            "nextDate": "2026-12-21",
            "order": None,
            "contract": None,
            "created": "2027-01-15T08:00:00+00:00",
        }
    ]
    assert "mira@mail.example" in loaded("subscriptions", "list").out


def test_a_subscription_is_cancelled_once(loaded: Run, record: Record) -> None:
    record(configured(5, subscription=MONTHLY))
    result = loaded("subscriptions", "cancel", 1)
    assert (result.code, result.out, result.err) == (0, "", "1: cancelled.\n")
    (found,) = loaded("subscriptions", "list", "--json").json
    assert found["status"] == "cancelled"
    assert_error(loaded("subscriptions", "cancel", 1), "no pending or active subscription 1")


@pytest.mark.parametrize("number", [0, 99, 2**63 - 1, 2**63, 10**30])
def test_an_unknown_subscription_is_reported(number: int, loaded: Run) -> None:
    result = loaded("subscriptions", "cancel", number)
    assert "Traceback" not in result.err, result.err
    assert result.code in (1, 2)
    assert str(number) in result.err
