"""`Procfile` and `app.json`, for hosts that start the service from a Procfile."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.deploy.files import ROOT, assert_is_command, read_settings

TEXT = {"type": "string"}
SCRIPTS = {"type": "object", "properties": {"postdeploy": TEXT}, "additionalProperties": False}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "minLength": 3, "maxLength": 30, "pattern": r"^[a-zA-Z\-_.]+$"},
        "description": {"type": "string", "maxLength": 140},
        "keywords": {"type": "array", "items": TEXT},
        "website": {"type": "string", "format": "uri"},
        "repository": {"type": "string", "format": "uri"},
        "logo": {"type": "string", "format": "uri"},
        "success_url": TEXT,
        "scripts": SCRIPTS,
        "env": {
            "type": "object",
            "propertyNames": {"pattern": "^[A-Z][A-Z0-9_]*$"},
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "description": TEXT,
                    "value": TEXT,
                    "required": {"type": "boolean"},
                    "generator": {"const": "secret"},
                },
            },
        },
        "formation": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "required": ["quantity"],
                "properties": {"quantity": {"type": "integer", "minimum": 0}, "size": TEXT},
                "additionalProperties": False,
            },
        },
        "addons": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["plan"],
                "properties": {"plan": TEXT, "as": TEXT, "options": {"type": "object"}},
                "additionalProperties": False,
            },
        },
        "buildpacks": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["url"],
                "properties": {"url": TEXT},
                "additionalProperties": False,
            },
        },
    },
}
"""The format of `app.json`, as its host documents it."""


@pytest.fixture(scope="module")
def app() -> Any:
    return json.loads((ROOT / "app.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def processes() -> dict[str, list[str]]:
    """The arguments of each process's command, after `python -m bundlesvc`."""
    lines = (ROOT / "Procfile").read_text("utf-8").splitlines()
    commands = dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    found = {name: command.split() for name, command in commands.items()}
    assert all(words[:3] == ["python", "-m", "bundlesvc"] for words in found.values())
    return {name: words[3:] for name, words in found.items()}


def test_app_json_has_the_documented_format(app: Any) -> None:
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(app)] == []


def test_procfile_starts_commands(processes: dict[str, list[str]]) -> None:
    assert set(processes) == {"release", "web"}
    for words in processes.values():
        assert_is_command(words)


def test_app_json_and_procfile_agree(app: Any, processes: dict[str, list[str]]) -> None:
    assert set(app["formation"]) == set(processes) - {"release"}


def test_app_json_sets_settings(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {name: about["value"] for name, about in app["env"].items() if "value" in about}
    assert {name for name, about in app["env"].items() if about.get("required")} == {"BUNDLESVC_SECRET_KEYS"}

    assert read_settings(given, monkeypatch).trusted_proxies == 1
