"""The units of a selection that conditions may make free (docs/contract.md#conditions)."""

from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.domain.line import Line


class SetAside:
    """The units that free-item actions set aside before conditions are evaluated. Each action takes up to `quantity` units of its
    variant, in ascending order of section id (section 0 first); it takes personalised units last. Actions on the same variant
    take units in list order."""

    def __init__(self, lines: Sequence[Line], free_items: Sequence[Mapping[str, Any]]) -> None:
        self._lines = lines
        self._taken: dict[str, dict[int, int]] = {}
        left = [line.count for line in lines]
        by_section = sorted(range(len(lines)), key=lambda index: (bool(lines[index].answers), lines[index].section_id))
        for node in free_items:
            wanted, taken = int(node["quantity"]), {}
            for index in by_section:
                if lines[index].variant.id == int(node["variantId"]):
                    taken[index] = min(wanted, left[index])
                    left[index] -= taken[index]
                    wanted -= taken[index]
            self._taken[node["id"]] = taken
        self._left = left

    def rest(self) -> list[Line]:
        """The lines on which conditions are evaluated: all lines, without the units set aside."""
        return _with_counts(self._lines, self._left)

    def lines_taken_by(self, actions: set[str]) -> tuple[Line, ...]:
        return tuple(_with_counts(self._lines, self._counts(actions)))

    def lines_without(self, actions: set[str]) -> tuple[Line, ...]:
        taken = self._counts(actions)
        return tuple(
            _with_counts(self._lines, [line.count - free for line, free in zip(self._lines, taken, strict=True)])
        )

    def _counts(self, actions: set[str]) -> list[int]:
        taken_by = [taken for action, taken in self._taken.items() if action in actions]
        return [sum(taken.get(index, 0) for taken in taken_by) for index in range(len(self._lines))]


def _with_counts(lines: Sequence[Line], counts: Sequence[int]) -> list[Line]:
    return [
        line if line.count == count else line.of(count) for line, count in zip(lines, counts, strict=True) if count > 0
    ]
