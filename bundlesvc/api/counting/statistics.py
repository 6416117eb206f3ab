"""Metrics of this process: its requests, ghost variants, configured bundles, platform webhooks, and key usage."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from aiohttp import hdrs
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from bundlesvc.api.errors import INTERNAL_ERROR
from bundlesvc.domain.access.usage import KINDS
from bundlesvc.metrics.families import histogram_buckets
from bundlesvc.metrics.shops import ShopLabels
from bundlesvc.services.access.usage import UsageCounter
from bundlesvc.services.ghosts.upkeep import GhostUpkeep
from bundlesvc.services.ghosts.variants import GhostVariants
from bundlesvc.services.platform_changes import WebhookInbox
from bundlesvc.services.record_bundle import RecordBundle

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper limits of the buckets in the histogram of request times, in seconds."""

OTHER = "other"
"""The label for keys without a label of their own, and for methods that HTTP does not define, so that clients cannot add
labels."""

UNREAD = "unread"
"""The route label of requests that were refused before the application saw them."""

MAX_KEYS = 500
"""The maximum number of keys that get their own label in one process."""


class RequestStatistics:
    """Counts requests with very little overhead. `collect` converts the counts to metrics.

    `under_way` counts the requests in flight, `connections` the open connections, and `closed`, by reason, the connections closed
    or refused because of a limit. While `draining`, each connection is closed after its response.
    """

    def __init__(self) -> None:
        self._answered: dict[tuple[str, str, int, str], list[float]] = {}
        """The number of responses per bucket (the last bucket has no upper limit), and the sum of their times in seconds."""
        self._refused = Counter[tuple[str, str, str]]({(INTERNAL_ERROR, "", ""): 0})
        """The initial zero lets Prometheus see the first increase, which it cannot see if a series starts at 1."""
        self._unread: Counter[int] = Counter()
        """Requests refused before the application saw them, by status. Their times are not counted, because they would make an
        overloaded service look fast."""
        self.disconnects = 0
        self.under_way = 0
        self.connections = 0
        self.closed: Counter[str] = Counter()
        self.draining = False

    def count(self, method: str, route: str, status: int, seconds: float, shop: str = "") -> None:
        entry = self._answered.get((method, route, status, shop))
        if entry is None:
            known = method if method in hdrs.METH_ALL else OTHER
            entry = self._answered.setdefault((known, route, status, shop), [0] * (len(BUCKETS) + 1) + [0.0])
        entry[bisect_left(BUCKETS, seconds)] += 1
        entry[-1] += seconds

    def refuse_unread(self, code: str, status: int) -> None:
        """Count a request that was refused before the application saw it."""
        self.refuse(code)
        self._unread[status] += 1

    def refuse(self, code: str, limit: str = "", shop: str = "") -> None:
        """Count an error response. `limit` is the kind of token bucket that was empty."""
        self._refused[code, limit, shop] += 1

    def collect(self) -> Iterator[Metric]:
        """Yield the counters as metrics (the collector interface of prometheus_client)."""
        yield from self._requests()
        refusals = CounterMetricFamily(
            "bundlesvc_refusals", "Responses with an error, by its code.", labels=["code", "limit", "shop"]
        )
        for labels, count in self._refused.items():
            refusals.add_metric(labels, count)
        yield refusals
        gone = CounterMetricFamily("bundlesvc_disconnects", "Clients that disconnected before the response.")
        gone.add_metric([], self.disconnects)
        under_way = GaugeMetricFamily("bundlesvc_requests_in_flight", "Requests being handled.", self.under_way)
        opened = GaugeMetricFamily("bundlesvc_connections", "Open connections.", self.connections)
        closed = CounterMetricFamily(
            "bundlesvc_connections_closed", "Connections closed or refused for a limit.", labels=["reason"]
        )
        for reason, count in self.closed.items():
            closed.add_metric([reason], count)
        yield from (gone, under_way, opened, closed)

    def _requests(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "bundlesvc_requests", "Responses, by status.", labels=["method", "route", "status", "shop"]
        )
        seconds = HistogramMetricFamily(
            "bundlesvc_request_duration_seconds", "Seconds from a request to its response.", labels=["method", "route"]
        )
        by_route: dict[tuple[str, str], list[float]] = {}
        for (method, route, status, shop), entry in self._answered.items():
            requests.add_metric([method, route, str(status), shop], sum(entry[:-1]))
            total = by_route.setdefault((method, route), [0.0] * len(entry))
            by_route[method, route] = [one + more for one, more in zip(total, entry, strict=True)]
        for status, count in self._unread.items():
            requests.add_metric([OTHER, UNREAD, str(status), ""], count)
        for labels, total in by_route.items():
            seconds.add_metric(labels, histogram_buckets(BUCKETS, total[:-1]), total[-1])
        yield from (requests, seconds)


class GhostStatistics:
    """Counts ghost variants by state, retired ghost variants by reason, and the ghost variants of each product that has little
    room for more."""

    def __init__(self, ghosts: GhostVariants, upkeep: GhostUpkeep) -> None:
        self._ghosts = ghosts
        self._upkeep = upkeep

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as metrics (the collector interface of prometheus_client)."""
        retired = CounterMetricFamily(
            "bundlesvc_ghost_variants_retired", "Ghost variants that this process retired.", labels=["reason"]
        )
        retired.add_metric(["promise_broken"], self._upkeep.retired)
        retired.add_metric(["product_full"], self._ghosts.retired)
        yield retired
        states = GaugeMetricFamily(
            "bundlesvc_ghost_variants", "Ghost variants of all shops by state.", labels=["state"]
        )
        crowded = GaugeMetricFamily(
            "bundlesvc_ghost_product_variants",
            "Ghost variants of products that are at least 80% full of them.",
            labels=["shop", "product"],
        )
        if (counts := self._upkeep.counts) is not None:  # None before the first count
            for state, count in counts.states.items():
                states.add_metric([state], count)
            for (shop, product_id), count in counts.crowded.items():
                crowded.add_metric([shop, str(product_id)], count)
        yield from (states, crowded)


class UseCaseStatistics:
    """Counts configured bundles by type, and webhooks by topic and outcome."""

    def __init__(self, recorder: RecordBundle, inbox: WebhookInbox, shops: ShopLabels) -> None:
        self._recorder = recorder
        self._inbox = inbox
        self._shops = shops

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as metrics (the collector interface of prometheus_client)."""
        configured = CounterMetricFamily(
            "bundlesvc_configured_bundles", "Configured bundles that were stored.", labels=["type", "shop"]
        )
        for (type_, handle), count in self._recorder.recorded.items():
            configured.add_metric([type_, self._shops.of(handle)], count)
        webhooks = CounterMetricFamily(
            "bundlesvc_webhooks", "Genuine webhooks, by outcome.", labels=["topic", "outcome", "shop"]
        )
        for (topic, outcome, handle), count in self._inbox.received.items():
            webhooks.add_metric([topic, outcome, self._shops.of(handle)], count)
        yield from (configured, webhooks)


class UsageStatistics:
    """Counts requests with a valid key by kind, and also by shop and key when shop labels are enabled."""

    def __init__(self, usage: UsageCounter, shops: ShopLabels) -> None:
        self._usage = usage
        self._shops = shops

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as metrics (the collector interface of prometheus_client)."""
        family = CounterMetricFamily(
            "bundlesvc_key_requests", "Requests with a valid key, by kind.", labels=["kind", "shop", "key"]
        )
        for labels, count in self._by_labels().items():
            family.add_metric(labels, count)
        yield family

    def _by_labels(self) -> Counter[tuple[str, str, str]]:
        counts = Counter[tuple[str, str, str]]({(kind, "", ""): 0 for kind in KINDS} if not self._shops.enabled else {})
        for number, ((handle, prefix), requests) in enumerate(self._usage.totals.items()):
            key = "" if not self._shops.enabled else prefix if number < MAX_KEYS else OTHER
            for kind, count in zip(KINDS, requests, strict=True):
                counts[kind, self._shops.of(handle), key] += count
        return counts
