"""Commands that change keys and webhooks add entries without secrets to the audit log."""

import json
from typing import Any

import pytest

from tests.cli.command_line import Run
from tests.conftest import SECRET_KEY


def entries(run: Run, action: str) -> list[dict[str, Any]]:
    """The changes in all audit entries for an action, oldest first."""
    logged = [json.loads(line) for line in run("revisions", "audit", "--shop", "demo").out.splitlines()]
    assert {each["actor"] for each in logged if each["action"] == action} <= {f"bundlesvc {action}"}
    return [change for each in reversed(logged) if each["action"] == action for change in each["changes"]]


def test_every_change_of_a_key_is_logged(loaded: Run) -> None:
    made = loaded("keys", "create", "--shop", "demo", "--label", "web", "--json").json
    prefix = made["prefix"]
    loaded("keys", "origins", prefix, "--origin", "https://shop.example")
    loaded("keys", "limit", prefix, "--rate-limit", "1000", "--visitor-limit", "20")
    loaded("keys", "revoke", prefix)
    path = f"keys.{prefix}"
    assert entries(loaded, "keys") == [
        {
            "path": path,
            "before": None,
            "after": {
                "label": "web",
                "test": False,
                "scopes": ["headless", "embed"],
                "origins": [],
                "rate_limit": 100,
                "visitor_limit": None,
            },
        },
        {"path": path, "before": {"origins": []}, "after": {"origins": ["https://shop.example"]}},
        {
            "path": path,
            "before": {"rate_limit": 100, "visitor_limit": None},
            "after": {"rate_limit": 1000, "visitor_limit": 20},
        },
        {"path": path, "before": {"active": True}, "after": {"active": False}},
    ]
    assert made["key"] not in loaded("revisions", "audit", "--shop", "demo").out


def test_command_that_finds_no_key_logs_nothing(loaded: Run) -> None:
    loaded("keys", "revoke", "bnd_live_0000000")
    assert entries(loaded, "keys") == []


def test_endpoints_of_webhooks_are_logged(loaded: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
    url = "https://shop.example/hooks"
    made = loaded("webhooks", "add", "--shop", "demo", "--url", url, "--event", "order.proven", "--json").json
    loaded("webhooks", "remove", made["id"])
    path, endpoint = f"webhooks.{made['id']}", {"url": url, "events": ["order.proven"]}
    assert entries(loaded, "webhooks") == [
        {"path": path, "before": None, "after": endpoint},
        {"path": path, "before": endpoint, "after": None},
    ]
    assert made["secret"] not in loaded("revisions", "audit", "--shop", "demo").out
