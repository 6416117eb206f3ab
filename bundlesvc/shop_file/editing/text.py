"""The text of a file as lines, and edits to that text."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


class Edit(NamedTuple):
    """An edit that replaces the characters from `start` to `end` with `new`."""

    start: int
    end: int
    new: str


class Text(str):
    """A string whose positions can also be addressed by line."""

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _BREAK.finditer(self))]

    @cached_property
    def newline(self) -> str:
        """The line break that the text uses, taken from its first line."""
        found = _BREAK.search(self)
        return found.group() if found else "\n"

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, both counted from 0."""
        return self._starts[line] + column if line < len(self._starts) else len(self)

    def line(self, offset: int) -> int:
        """Return the number of the line that contains an offset, counted from 1."""
        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line that contains `offset` begins."""
        return self._starts[self.line(offset) - 1]

    def line_end(self, offset: int) -> int:
        """Return the offset at which the next line after `offset` begins, or the end of the text."""
        line = self.line(offset)
        return self._starts[line] if line < len(self._starts) else len(self)

    def begins_line(self, offset: int) -> bool:
        """Whether an offset is preceded only by white space on its line."""
        return not self[self.line_start(offset) : offset].strip()

    def with_edits(self, edits: Iterable[Edit]) -> "Text":
        """Apply these edits, no two of which overlap, and return the new text."""
        parts, end = [], 0
        for edit in sorted(edits):
            parts += [self[end : edit.start], edit.new]
            end = edit.end
        return Text("".join([*parts, self[end:]]))


def disjoint(edits: Iterable[Edit]) -> list[Edit]:
    """Select, in order, the edits that neither overlap nor touch an edit that was already selected."""
    taken: list[Edit] = []
    for edit in edits:
        if all(edit.end < other.start or other.end < edit.start for other in taken):
            taken.append(edit)
    return taken
