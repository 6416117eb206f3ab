"""Statistics on assistants' calls to the tools, and on the results of these calls."""

from collections import Counter
from collections.abc import Iterator

from aiohttp import web
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily


class ToolStatistics:
    """Counts calls by tool and result: `ok`, or the code of a refusal."""

    def __init__(self) -> None:
        self._calls: Counter[tuple[str, str]] = Counter()

    def count(self, tool: str, result: str) -> None:
        self._calls[tool, result] += 1

    def collect(self) -> Iterator[Metric]:
        calls = CounterMetricFamily(
            "bundlesvc_agent_calls", "Calls of tools by shopping assistants.", labels=["tool", "result"]
        )
        for labels, count in self._calls.items():
            calls.add_metric(labels, count)
        yield calls


CALLS = web.AppKey("calls", ToolStatistics)
