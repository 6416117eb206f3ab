"""The health of a read replica. Logs when a failure begins and when it ends."""

import logging
from collections import Counter
from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from bundlesvc.domain.errors import StorageUnavailable
from bundlesvc.storage.database.health.causes import cause
from bundlesvc.storage.database.health.replica_lag import Lag, lag_metrics

logger = logging.getLogger(__name__)

PRIMARY, REPLICA = "primary", "replica"
"""Metric labels of the servers that shop files can be read from."""


class ReplicaHealth:
    """Tracks whether a read replica responds and how far it lags behind, and counts the reads of shop files by server. Logs when
    a failure begins and when it ends."""

    def __init__(self) -> None:
        self.up = True
        self.lag: Lag | None = None
        self.reads: Counter[str] = Counter()

    def failed(self, failure: StorageUnavailable) -> None:
        if self.up:
            logger.warning("the read replica fails (%s): shop files are read from the primary server.", cause(failure))
        self.up = False
        self.lag = None

    def recovered(self) -> None:
        logger.info("the read replica responds again.")
        self.up = True

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of this object (the collector interface of prometheus_client)."""
        yield GaugeMetricFamily("bundlesvc_replica_up", "Whether the read replica responds.", value=int(self.up))
        yield from lag_metrics("replica", {} if self.lag is None else {(): self.lag})
        reads = CounterMetricFamily("bundlesvc_shop_reads", "Reads of shop files by server.", labels=["server"])
        for server in (PRIMARY, REPLICA):
            reads.add_metric([server], self.reads[server])
        yield reads
