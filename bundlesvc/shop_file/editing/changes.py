"""Finds the edits to a file's text that turn its old content into the new content."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, cast

from bundlesvc.domain.revisions.plain import ABSENT, item_key, ordered
from bundlesvc.shop_file.editing import nodes
from bundlesvc.shop_file.editing.nodes import Node, Scalar
from bundlesvc.shop_file.editing.parts import Parts, Uneditable
from bundlesvc.shop_file.editing.text import Edit, Text

_ORDER = "order"
"""The key with which a file can state the index of a section."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Compares the content of a file with new content, part by part, while following the nodes of the file's text. A part that is
    repeated through aliases cannot be changed for only one of the aliases."""

    text: Text
    parts: Parts
    repeated: frozenset[str]

    def of_file(self, root: Node, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Edit]:
        """Yield the edits for the whole file. The order of its top-level lists does not matter. Raises Uneditable."""
        yield from self._mapping(cast(nodes.Mapping, root), before, after, has_order=False)

    def _of(
        self, node: Node, before: Any, after: Any, key: Scalar | None = None, *, has_order: bool = True
    ) -> Iterator[Edit]:
        """Yield the edits for a part of the file: the value of `key`, or an item of a list."""
        if before == after:
            return
        self._refuse_repeated(node)
        if isinstance(before, dict) and isinstance(after, dict) and isinstance(node, nodes.Mapping):
            yield from self._mapping(node, before, after)
        elif isinstance(before, list) and isinstance(after, list) and isinstance(node, nodes.Sequence):
            yield from self._list(node, before, after, has_order=has_order)
        else:
            yield self.parts.replaced(node, key, after)

    def _mapping(
        self, node: nodes.Mapping, before: Mapping[str, Any], after: Mapping[str, Any], *, has_order: bool = True
    ) -> Iterator[Edit]:
        """Yield the edits for a mapping. `has_order` says whether the order of the mapping's lists matters."""
        previous: Scalar | None = None
        for name in dict.fromkeys((*before, *after)):
            old, new, entry = before.get(name, ABSENT), after.get(name, ABSENT), node.entry(name)
            if old != new and entry is not None and new is not ABSENT:
                yield from self._of(entry[1], old, new, entry[0], has_order=has_order)
            elif old != new:
                yield from self._entry(node, name, new, previous)
            if entry is not None:
                previous = entry[0]

    def _entry(self, node: nodes.Mapping, name: str, new: Any, previous: Scalar | None) -> Iterator[Edit]:
        """Yield the edit that adds an entry found only in the new content, or removes an entry found only in the old content."""
        entry = node.entry(name)
        if entry is None:
            yield self.parts.entry_added(node, name, new, previous)
        else:
            self._refuse_repeated(entry[1])
            yield self.parts.entry_removed(node, name)

    def _list(self, node: nodes.Sequence, before: list[Any], after: list[Any], *, has_order: bool) -> Iterator[Edit]:
        key = item_key(before, after)
        if key is None:
            yield from self._plain_list(node, before, after)
            return
        old, new = ordered(key, before).items, ordered(key, after).items
        indexes = {name: index for name in old if (index := _index_of(node, key, name)) is not None}
        if len(indexes) < len(old):
            raise Uneditable(self.text.line(node.start), "The items of this list cannot be told apart by their ids.")
        for name, index in indexes.items():
            if name in new:
                yield from self._of(node.items[index], old[name], new[name])
            else:
                self._refuse_repeated(node.items[index])
                yield self.parts.item_removed(node, index)
        yield from self._added(node, indexes, list(new), new, has_order=has_order)
        wanted = [name for name in new if name in indexes]
        if has_order and wanted != [name for name in old if name in new] and not any(_ORDER in item for item in after):
            yield from self._moved(node, [indexes[name] for name in wanted])

    def _added(
        self,
        node: nodes.Sequence,
        indexes: dict[Any, int],
        order: Sequence[Any],
        items: dict[Any, Any],
        *,
        has_order: bool,
    ) -> Iterator[Edit]:
        index = 0 if has_order else len(node.items)
        for name in order:
            if name not in indexes:
                yield self.parts.item_added(node, items[name], index)
                return  # later edits depend on the text after this one
            index = indexes[name] + 1 if has_order else index

    def _moved(self, node: nodes.Sequence, order: list[int]) -> Iterator[Edit]:
        items = [node.items[index] for index in order]
        if not any(isinstance(item, nodes.Mapping) and item.entry(_ORDER) for item in items):
            if len(order) == len(node.items):
                yield self.parts.items_moved(node, order)
            return
        for index, item in enumerate(items):
            entry = item.entry(_ORDER) if isinstance(item, nodes.Mapping) else None
            if entry is not None and isinstance(entry[1], Scalar) and entry[1].text != str(index):
                yield self.parts.replaced(entry[1], entry[0], index)

    def _plain_list(self, node: nodes.Sequence, before: list[Any], after: list[Any]) -> Iterator[Edit]:
        """Yield the edits for a list whose items have no ids."""
        if len(node.items) != len(before):
            yield self.parts.replaced(node, None, after)
            return
        old, new = list(map(repr, before)), list(map(repr, after))
        for kind, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            both = min(end - start, last - first)
            for step in range(both):
                yield from self._of(node.items[start + step], before[start + step], after[first + step])
            if both < end - start:
                yield self.parts.item_removed(node, end - 1)
            elif both < last - first:
                yield self.parts.item_added(node, after[first + both], start + both)

    def _refuse_repeated(self, node: Node) -> None:
        if not isinstance(node, nodes.Alias) and node.anchor in self.repeated:
            reason = f"The part is &{node.anchor}, which the file repeats elsewhere. Write it out where it differs."
            raise Uneditable(self.text.line(node.start), reason)


def _index_of(node: nodes.Sequence, key: str, name: str | int) -> int | None:
    """Return the index of the item with this id, however the id is written in the file; None if there is no single match."""
    written = [_written_id(item, key) for item in node.items]
    for form in (str, lambda text: text.rpartition("/")[2], str.upper):
        found = [index for index, text in enumerate(written) if text is not None and form(text) == str(name)]
        if len(found) == 1:
            return found[0]
    return None


def _written_id(item: Node, key: str) -> str | None:
    value = item.get(key) if isinstance(item, nodes.Mapping) else None
    return value.text if isinstance(value, Scalar) else None
