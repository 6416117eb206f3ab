"""The queries of the dashboard and the alerts, and their results when Prometheus evaluates them on data from a real scrape."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.scrape import Samples

CONFIG = Path(__file__).parents[3] / "config"
RULES, DASHBOARD = (CONFIG / "alerts.yaml", CONFIG / "objectives.yaml"), CONFIG / "grafana-dashboard.json"

OF_PROMETHEUS = {"instance", "job", "le"}
"""Labels that are missing from a scrape, or from some of its samples."""

MINUTES = 10
"""The length of the drawn period."""


class Query(NamedTuple):
    """A query, and the panel or rule that contains it."""

    owner: str
    text: str


def rules() -> list[dict[str, Any]]:
    """All Prometheus rules: alerts and recording rules."""
    return [
        rule for file in RULES for group in yaml.safe_load(file.read_text("utf-8"))["groups"] for rule in group["rules"]
    ]


def alerts() -> list[dict[str, Any]]:
    """The alerting rules."""
    return [rule for rule in rules() if "alert" in rule]


def panels() -> list[dict[str, Any]]:
    """The dashboard's panels, except those that are only headings."""
    found = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return [panel for panel in found if panel["type"] != "row"]


def queries() -> Iterator[Query]:
    """All queries of the alert rules, recording rules and dashboard, with Grafana's variables replaced."""
    for rule in rules():
        yield Query(rule.get("alert") or rule["record"], rule["expr"])
    for panel in panels():
        for target in panel["targets"]:
            text = target["expr"].replace("$__rate_interval", f"{MINUTES}m").replace("$instance", ".*")
            yield Query(panel["title"], text)


def unknown(query: Query, found: Samples) -> set[str]:
    """The metrics and labels in a query that exist neither in the scrape nor in a recording rule."""
    labels: dict[str, set[str]] = {}
    for sample in found:
        labels.setdefault(sample.partition("{")[0], set()).update(re.findall(r'(\w+)="', sample))
    names = set(re.findall(r"\b(?:bundlesvc|process)[_:][\w:]+", query.text)) - {rule.get("record") for rule in rules()}
    used = {
        f"{name}{{{label}}}"
        for name, matchers in re.findall(r"\b((?:bundlesvc|process)_\w+)\{((?:\"[^\"]*\"|[^}\"])*)\}", query.text)
        for label in re.findall(r"(\w+)\s*(?:=|!)", re.sub(r'"[^"]*"', "", matchers))
        if label not in OF_PROMETHEUS | labels.get(name, set())
    }
    grouped = {
        label
        for listed in re.findall(r"\b(?:by|on|group_left) \(([^)]*)\)", query.text)
        for label in re.findall(r"\w+", listed)
    }
    recorded = {label for rule in rules() for label in rule.get("labels", ())}
    return (names - labels.keys()) | used | (grouped - OF_PROMETHEUS - recorded - set().union(*labels.values()))


def drawn(before: Samples, after: Samples) -> Mapping[str, Any]:
    """A promtool test in which two scrapes become time series, and every panel's query must return a value."""
    series = [
        {"series": _with_target(name), "values": f"{before.get(name, 0)}x{MINUTES - 2} {value}x2"}
        for name, value in after.items()
    ]
    expected = [{"labels": "{}", "value": 1}]
    evaluated = [
        {"expr": f"count({query.text}) > bool 0", "eval_time": f"{MINUTES}m", "exp_samples": expected}
        for query in queries()
        if query.owner in {panel["title"] for panel in panels()}
    ]
    files = [str(file) for file in RULES]
    return {"rule_files": files, "tests": [{"interval": "1m", "input_series": series, "promql_expr_test": evaluated}]}


def _with_target(sample: str) -> str:
    """Return the name of a sample with the labels that Prometheus adds for each target."""
    name, _, labels = sample.removesuffix("}").partition("{")
    return f'{name}{{{labels}{"," if labels else ""}instance="localhost:8080",job="bundlesvc"}}'
