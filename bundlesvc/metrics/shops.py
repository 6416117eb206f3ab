"""The `shop` metric label. It is off by default, and the number of its values is limited, because each value adds a time series
to store."""

from collections.abc import Iterable, Mapping

MAX_SHOPS = 100
"""The maximum number of shops that get their own label in one process."""

OTHER = "other"
"""The label that all other shops share."""


class ShopLabels:
    """Metric labels for shops: the first shops seen are labelled with their handles, and all others share one label. When
    labels are disabled, metrics are aggregated over all shops."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self._named: set[str] = set()

    def of(self, handle: str) -> str:
        """Return the label of a shop; empty when labels are disabled."""
        if not self.enabled or handle in self._named:
            return handle if self.enabled else ""
        if len(self._named) >= MAX_SHOPS:
            return OTHER
        self._named.add(handle)
        return handle

    def summed(
        self, counts: Mapping[tuple[str, str], int], names: Iterable[str]
    ) -> Iterable[tuple[tuple[str, str], int]]:
        """Aggregate counts by name and shop handle into counts by name and shop label. When labels are disabled, every one of
        `names` is present from the start."""
        sums = dict[tuple[str, str], int]({} if self.enabled else {(name, ""): 0 for name in names})
        for (name, handle), count in counts.items():
            labels = name, self.of(handle)
            sums[labels] = sums.get(labels, 0) + count
        return sums.items()
