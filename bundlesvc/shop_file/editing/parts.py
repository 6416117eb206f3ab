"""Makes single changes to a file: replaces a value, or adds, removes or moves an entry or item."""

from collections.abc import Sequence as Ordered
from dataclasses import dataclass
from typing import Any

from bundlesvc.shop_file.editing.nodes import Alias, Mapping, Node, Scalar, Sequence
from bundlesvc.shop_file.editing.text import Edit, Text
from bundlesvc.shop_file.editing.writing import (
    block_lines,
    entry_lines,
    flow_text,
    item_lines,
    scalar_text,
    without_empty,
)


class Uneditable(Exception):
    """Raised for a change that cannot be made without rewriting more of the file. `line` is the line in question, counted from
    1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Parts:
    """Creates the edits to single nodes of a file. Each method returns the edit for one change, or raises Uneditable."""

    text: Text
    is_json: bool

    def replaced(self, node: Node, key: Scalar | None, value: Any) -> Edit:
        """Return the edit that replaces `node`, which is the value at this key of a mapping, or an item of a list when `key` is
        None."""
        if isinstance(node, Alias):
            raise self._uneditable(
                node, f"The part is repeated from &{node.anchor}. Write it out, so that it can differ there."
            )
        anchor = "" if node.anchor is None else f"&{node.anchor} "
        if isinstance(node, Scalar) and not isinstance(value, dict | list):
            return Edit(node.start, node.end, anchor + scalar_text(value, node, is_json=self.is_json))
        if key is None or not (isinstance(node, Mapping | Sequence) and node.is_block):
            return Edit(node.start, node.end, anchor + flow_text(value, is_json=self.is_json))
        colon = self.text.index(":", key.end) + 1
        if "#" in self.text[colon : node.start]:
            raise self._uneditable(node, "A comment stands between the name and its value. Move it, and try again.")
        if not isinstance(value, dict | list) or not value:
            return Edit(colon, node.end, f" {anchor}{flow_text(value, is_json=False)}")
        lines = [f" {anchor}".rstrip(), *self._indented(block_lines(value), self._column(key) + 2)]
        return Edit(colon, node.end, self.text.newline.join(lines))

    def entry_added(self, mapping: Mapping, key: str, value: Any, before: Scalar | None) -> Edit:
        """Add an entry after the one with the key `before`, or after the last entry."""
        value = without_empty(value)
        if not mapping.entries:
            text = f"{flow_text(key, is_json=self.is_json)}: {flow_text(value, is_json=self.is_json)}"
            return Edit(mapping.start, mapping.end, self._with_anchor(mapping, f"{{{text}}}"))
        first = mapping.entries[0][0]
        found = None if before is None else mapping.entry(before.text)
        last = (found or mapping.entries[-1])[1]
        if not mapping.is_block:
            text = f"{flow_text(key, is_json=self.is_json)}: {flow_text(value, is_json=self.is_json)}"
            return self._flow_added(last, first, text)
        return self._lines_added(last, self._indented(entry_lines(key, value), self._column(first)))

    def entry_removed(self, mapping: Mapping, key: str) -> Edit:
        """Remove an entry from a mapping."""
        index = next(index for index, entry in enumerate(mapping.entries) if entry[0].text == key)
        spans = [(each.start, value.end) for each, value in mapping.entries]
        if len(spans) == 1:
            return self._emptied(mapping, "{}")
        if not mapping.is_block:
            return self._flow_removed(spans, index)
        start, end = spans[index]
        if self.text.begins_line(start):
            return Edit(self.text.line_start(start), self._line_end(mapping.entries[index][1]), "")
        if index + 1 == len(spans) or self.text.line(spans[index + 1][0]) == self.text.line(end):
            raise self._uneditable(mapping, f"{key} stands in a line with other parts. Move it to its own line.")
        return Edit(start, spans[index + 1][0], "")  # an item's first key, which follows the dash

    def item_added(self, sequence: Sequence, value: Any, index: int) -> Edit:
        """Insert an item into a list at this index."""
        value = without_empty(value)
        if not sequence.items:
            return Edit(
                sequence.start, sequence.end, self._with_anchor(sequence, f"[{flow_text(value, is_json=self.is_json)}]")
            )
        if not sequence.is_block:
            text = flow_text(value, is_json=self.is_json)
            if index:
                return self._flow_added(sequence.items[index - 1], sequence.items[0], text)
            first = sequence.items[0]
            return Edit(first.start, first.start, f"{text},{self._separator(first)}")
        lines = self._indented(item_lines(value), self._column_at(self._dash(sequence.items[0])))
        if index:
            return self._lines_added(sequence.items[index - 1], lines)
        start = self.text.line_start(self._dash(sequence.items[0]))
        return Edit(start, start, "".join(f"{line}{self.text.newline}" for line in lines))

    def item_removed(self, sequence: Sequence, index: int) -> Edit:
        """Remove the item at this index from a list."""
        if len(sequence.items) == 1:
            return self._emptied(sequence, "[]")
        if not sequence.is_block:
            return self._flow_removed([(item.start, item.end) for item in sequence.items], index)
        start, end = self._item_lines(sequence, index)
        return Edit(start, end, "")

    def items_moved(self, sequence: Sequence, order: Ordered[int]) -> Edit:
        """Reorder the items of a list, each with the comments above it."""
        if not sequence.is_block:
            spans = [(item.start, item.end) for item in sequence.items]
            pieces = []
            for index, moved in enumerate(order):
                pieces.append(self.text[slice(*spans[moved])])
                if index + 1 < len(spans):
                    pieces.append(self.text[spans[index][1] : spans[index + 1][0]])
            return Edit(spans[0][0], spans[-1][1], "".join(pieces))
        ends = [self._line_end(item) for item in sequence.items]
        starts = [self.text.line_start(self._dash(sequence.items[0])), *ends[:-1]]
        chunks = [self.text[start:end] for start, end in zip(starts, ends, strict=True)]
        if not chunks[-1].endswith(("\n", "\r")):
            chunks = [chunk.removesuffix(self.text.newline) + self.text.newline for chunk in chunks]
        return Edit(starts[0], ends[-1], "".join(chunks[index] for index in order))

    def _emptied(self, node: Mapping | Sequence, empty: str) -> Edit:
        """Empty a mapping or list whose last remaining part is removed. A block becomes empty braces or brackets on the line
        above it."""
        if not node.is_block:
            return Edit(node.start, node.end, self._with_anchor(node, empty))
        start = self.text.line_start(node.start if isinstance(node, Mapping) else self._dash(node.items[0]))
        above = self.text[:start].rstrip()
        if not above.endswith(":"):
            raise self._uneditable(node, "Nothing would be left here. Remove the part around it by hand.")
        return Edit(len(above), node.end, f" {empty}")

    def _item_lines(self, sequence: Sequence, index: int) -> tuple[int, int]:
        dash = self._dash(sequence.items[index])
        if not self.text.begins_line(dash):
            raise self._uneditable(sequence, "The item stands in a line with other parts. Move it to its own line.")
        return self.text.line_start(dash), self._line_end(sequence.items[index])

    def _dash(self, item: Node) -> int:
        """Return the offset of the dash before an item of a YAML block sequence."""
        return self.text.rindex("-", 0, item.start)

    def _lines_added(self, last: Node, lines: list[str]) -> Edit:
        """Add lines after the line on which a node ends."""
        end = self._line_end(last)
        text = "".join(f"{line}{self.text.newline}" for line in lines)
        if end == len(self.text) and not self.text.endswith(("\n", "\r")):
            return Edit(end, end, self.text.newline + text.removesuffix(self.text.newline))
        return Edit(end, end, text)

    def _line_end(self, last: Node) -> int:
        return self.text.line_end(max(last.start, last.end))

    def _flow_added(self, last: Node, first: Node, text: str) -> Edit:
        return Edit(last.end, last.end, f",{self._separator(first)}{text}")

    def _separator(self, first: Node) -> str:
        """Return the separator between two items of a bracketed list or mapping: a space, or a line break if each item is on its
        own line."""
        if not self.text.begins_line(first.start):
            return " "
        return self.text.newline + self.text[self.text.line_start(first.start) : first.start]

    @staticmethod
    def _flow_removed(spans: Ordered[tuple[int, int]], index: int) -> Edit:
        if index + 1 < len(spans):
            return Edit(spans[index][0], spans[index + 1][0], "")
        return Edit(spans[index - 1][1], spans[index][1], "")

    def _column(self, node: Scalar) -> int:
        return self._column_at(node.start)

    def _column_at(self, offset: int) -> int:
        return offset - self.text.line_start(offset)

    @staticmethod
    def _indented(lines: list[str], column: int) -> list[str]:
        return [" " * column + line for line in lines]

    @staticmethod
    def _with_anchor(node: Mapping | Sequence, text: str) -> str:
        return text if node.anchor is None else f"&{node.anchor} {text}"

    def _uneditable(self, node: Node, reason: str) -> Uneditable:
        return Uneditable(self.text.line(node.start), reason)
