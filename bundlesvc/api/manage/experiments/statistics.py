"""A metric that counts the visitors in A/B tests."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, Metric

from bundlesvc.services.experiments.exposures import RESULTS, ExposureLog


class ExposureStatistics:
    """Counts the visitors who saw an arm, by whether the exposure was stored."""

    def __init__(self, log: ExposureLog) -> None:
        self._log = log

    def collect(self) -> Iterator[Metric]:
        """Yield the numbers of visitors as metrics (the collector interface of prometheus_client)."""
        family = CounterMetricFamily(
            "bundlesvc_exposures", "Visitors who saw an arm of an A/B test, by result.", labels=["result"]
        )
        for result in RESULTS:
            family.add_metric([result], self._log.results[result])
        yield family
