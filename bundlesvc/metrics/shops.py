"""The label `shop` of metrics, which is off by default and bounded: every value is another time series to store."""

from collections.abc import Iterable, Mapping

MAX_SHOPS = 100
"""The most shops that get their own label in one process."""

OTHER = "other"
"""The label of all further shops."""


class ShopLabels:
    """The first shops that are seen are named. Without a label, the metrics of all shops are added up."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self._named: set[str] = set()

    def of(self, handle: str) -> str:
        """The label of a shop; empty when shops have none."""
        if not self.enabled or handle in self._named:
            return handle if self.enabled else ""
        if len(self._named) >= MAX_SHOPS:
            return OTHER
        self._named.add(handle)
        return handle

    def summed(
        self, counts: Mapping[tuple[str, str], int], names: Iterable[str]
    ) -> Iterable[tuple[tuple[str, str], int]]:
        """Counts by name and handle, added up by name and label. Without labels, every one of `names` is there from the start."""
        sums = dict[tuple[str, str], int]({} if self.enabled else {(name, ""): 0 for name in names})
        for (name, handle), count in counts.items():
            labels = name, self.of(handle)
            sums[labels] = sums.get(labels, 0) + count
        return sums.items()
