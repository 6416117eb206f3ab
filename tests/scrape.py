"""Parses a page of metrics."""

from collections.abc import Mapping

from prometheus_client.parser import text_string_to_metric_families

Samples = Mapping[str, float]


def samples(page: str) -> Samples:
    """Return the values of the metrics on a page by name and labels, in the form `name{one="1",two="2"}` with the labels in
    alphabetical order. Raises AssertionError when a metric occurs twice."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
            key = f"{sample.name}{{{labels}}}" if labels else sample.name
            assert key not in found, key
            found[key] = sample.value
    return found
