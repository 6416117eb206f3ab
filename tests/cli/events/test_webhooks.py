"""`bundlesvc webhooks` adds, lists and removes endpoints."""

import pytest

from tests.cli.command_line import Run, assert_error, assert_usage
from tests.conftest import SECRET_KEY

URL = "https://shop.example/hooks"


@pytest.fixture(autouse=True)
def secret_keys(loaded: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)


def test_endpoint_is_added_listed_and_removed(loaded: Run) -> None:
    added = loaded("webhooks", "add", "--shop", "demo", "--url", URL, "--event", "order.proven", "--json").json
    assert added["secret"].startswith("whsec_")
    (listed,) = loaded("webhooks", "list", "--json").json
    assert (listed["id"], listed["url"], listed["events"], listed["state"]) == (
        added["id"],
        URL,
        "order.proven",
        "active",
    )
    assert added["secret"] not in loaded("webhooks", "list").out
    assert loaded("webhooks", "remove", added["id"]).code == 0
    assert loaded("webhooks", "list", "--json").json == []
    assert_error(loaded("webhooks", "remove", added["id"]), "there is no endpoint")


def test_secret_alone_is_printed(loaded: Run) -> None:
    result = loaded("webhooks", "add", "--shop", "demo", "--url", URL)
    assert result.out.startswith("whsec_")
    assert result.out.count("\n") == 1
    assert "receives bundle.changed, bundle.configured, order.proven" in result.err


def test_faults_are_reported(loaded: Run) -> None:
    assert_error(loaded("webhooks", "add", "--shop", "other", "--url", URL), "there is no shop other")
    assert_error(
        loaded("webhooks", "add", "--shop", "demo", "--url", "http://shop.example"), "must begin with https://"
    )
    assert_usage(loaded("webhooks", "add", "--shop", "demo", "--url", URL, "--event", "bundle.eaten"), "bundle.eaten")


def test_nothing_to_list_or_replay(loaded: Run) -> None:
    assert loaded("webhooks", "deliveries", "--json").json == []
    assert loaded("webhooks", "replay").err == "0 events to send again.\n"
