"""The Prometheus alerts: promtool accepts them, and each one says what to do and where to read more."""

import re
from pathlib import Path

import pytest
import yaml

from bundlesvc.api.documentation.markdown import render
from tests.api.live.drawing import RULES, alerts, rules
from tests.servers.promtool import promtool, run_promtool

__all__ = ["promtool"]

ROOT = Path(__file__).parents[2]
UNIT_TESTS = [Path(__file__).with_name(name) for name in ("alerts.test.yaml", "objectives.test.yaml")]


@pytest.mark.process
def test_rules_are_valid(promtool: str) -> None:
    checked = run_promtool(promtool, "check", "rules", *map(str, RULES))
    assert sum(map(int, re.findall(r"(\d+) rules found", checked))) == len(rules())


@pytest.mark.process
def test_alerts_fire_when_they_should(promtool: str) -> None:
    run_promtool(promtool, "test", "rules", *map(str, UNIT_TESTS))


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_every_alert_has_a_case_in_which_it_fires_and_one_in_which_it_is_silent(rule: dict[str, str]) -> None:
    cases = [
        case
        for file in UNIT_TESTS
        for test in yaml.safe_load(file.read_text("utf-8"))["tests"]
        for case in test["alert_rule_test"]
    ]
    assert {bool(case["exp_alerts"]) for case in cases if case["alertname"] == rule["alert"]} == {True, False}


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_every_alert_says_what_to_do(rule: dict[str, dict[str, str]]) -> None:
    notes = rule["annotations"]
    assert notes.keys() == {"summary", "description", "runbook_url"}
    assert len(notes["description"]) > 40
    assert notes["description"].endswith(".")
    assert rule["labels"]["severity"] in ("page", "ticket")
    path, _, section = notes["runbook_url"].partition("#")
    guide = ROOT / path
    _, page = render(guide.read_text("utf-8"), Path())
    assert section in re.findall(r'id="([^"]+)"', page)
