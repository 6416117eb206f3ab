"""The text of a file: where its lines begin, and changes of parts of it."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


class Edit(NamedTuple):
    """The characters from `start` to `end` become `new`."""

    start: int
    end: int
    new: str


class Text(str):
    """A text with its lines."""

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _BREAK.finditer(self))]

    @cached_property
    def newline(self) -> str:
        """How its lines end: as the first one does."""
        found = _BREAK.search(self)
        return found.group() if found else "\n"

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, which count from 0."""
        return self._starts[line] + column if line < len(self._starts) else len(self)

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """Where the line of an offset begins."""
        return self._starts[self.line(offset) - 1]

    def line_end(self, offset: int) -> int:
        """Where the line after that of an offset begins, or the end of the text."""
        line = self.line(offset)
        return self._starts[line] if line < len(self._starts) else len(self)

    def begins_line(self, offset: int) -> bool:
        """Whether only white space is before an offset in its line."""
        return not self[self.line_start(offset) : offset].strip()

    def with_edits(self, edits: Iterable[Edit]) -> "Text":
        """The text with these changes, of which no two overlap."""
        parts, end = [], 0
        for edit in sorted(edits):
            parts += [self[end : edit.start], edit.new]
            end = edit.end
        return Text("".join([*parts, self[end:]]))


def disjoint(edits: Iterable[Edit]) -> list[Edit]:
    """The changes, in their order, that touch none before them."""
    taken: list[Edit] = []
    for edit in edits:
        if all(edit.end < other.start or other.end < edit.start for other in taken):
            taken.append(edit)
    return taken
