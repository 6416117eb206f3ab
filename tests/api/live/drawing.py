"""The queries of the dashboard and of the alerts, and what Prometheus makes of them with a real scrape."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.scrape import Samples

CONFIG = Path(__file__).parents[3] / "config"
ALERTS, DASHBOARD = CONFIG / "alerts.yaml", CONFIG / "grafana-dashboard.json"

OF_PROMETHEUS = {"instance", "job", "le"}
"""Labels that are not in a scrape, or not in every sample."""

MINUTES = 10
"""How long the drawn time is."""


class Query(NamedTuple):
    """A query, and where it is."""

    place: str
    text: str


def alerts() -> list[dict[str, Any]]:
    """The rules."""
    (group,) = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    return list(group["rules"])


def panels() -> list[dict[str, Any]]:
    """The panels of the dashboard, without its headings."""
    found = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return [panel for panel in found if panel["type"] != "row"]


def queries() -> Iterator[Query]:
    """All of them, as Grafana sends them for the last minutes."""
    for rule in alerts():
        yield Query(rule["alert"], rule["expr"])
    for panel in panels():
        for target in panel["targets"]:
            text = target["expr"].replace("$__rate_interval", f"{MINUTES}m").replace("$instance", ".*")
            yield Query(panel["title"], text)


def unknown(query: Query, found: Samples) -> set[str]:
    """The metrics and labels in a query that the scrape does not have."""
    labels: dict[str, set[str]] = {}
    for sample in found:
        labels.setdefault(sample.partition("{")[0], set()).update(re.findall(r'(\w+)="', sample))
    names = set(re.findall(r"\b(?:bundlesvc|process)_\w+", query.text))
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
    return (names - labels.keys()) | used | (grouped - OF_PROMETHEUS - set().union(*labels.values()))


def drawn(before: Samples, after: Samples) -> Mapping[str, Any]:
    """A test for promtool: two scrapes become time series, and every query of a panel must have a value over them."""
    series = [
        {"series": _with_target(name), "values": f"{before.get(name, 0)}x4 {value}x{MINUTES}"}
        for name, value in after.items()
    ]
    expected = [{"labels": "{}", "value": 1}]
    evaluated = [
        {"expr": f"count({query.text}) > bool 0", "eval_time": f"{MINUTES}m", "exp_samples": expected}
        for query in queries()
        if query.place not in {rule["alert"] for rule in alerts()}
    ]
    return {"tests": [{"interval": "1m", "input_series": series, "promql_expr_test": evaluated}]}


def _with_target(sample: str) -> str:
    """A sample's name with the labels that Prometheus adds to a target's."""
    name, _, labels = sample.removesuffix("}").partition("{")
    return f'{name}{{{labels}{"," if labels else ""}instance="localhost:8080",job="bundlesvc"}}'
