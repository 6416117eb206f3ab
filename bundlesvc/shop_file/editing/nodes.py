"""The nodes of a YAML or JSON text, with their offsets."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import yaml

from bundlesvc.shop_file.editing.text import Text

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]


@dataclass(slots=True)
class Scalar:
    """A single value from offset `start` to `end`; `style` is its quotation mark, `|` or `>`, or empty."""

    start: int
    end: int
    text: str
    style: str
    anchor: str | None = None

    @property
    def is_block(self) -> bool:
        return self.style in ("|", ">")


@dataclass(slots=True)
class Alias:
    """An alias, which repeats the node with this anchor."""

    start: int
    end: int
    anchor: str | None
    is_block: bool = False


@dataclass(slots=True)
class Mapping:
    """A mapping with its keys and values, either in braces or, as a block, on separate lines. A block ends with its last
    value."""

    start: int
    end: int
    is_block: bool
    anchor: str | None = None
    entries: "list[tuple[Scalar, Node]]" = field(default_factory=list)

    def entry(self, key: str) -> "tuple[Scalar, Node] | None":
        return next((entry for entry in self.entries if entry[0].text == key), None)

    def get(self, key: str) -> "Node | None":
        found = self.entry(key)
        return None if found is None else found[1]


@dataclass(slots=True)
class Sequence:
    """A list with its items, either in brackets or, as a block, on separate lines. A block ends with its last item."""

    start: int
    end: int
    is_block: bool
    anchor: str | None = None
    items: "list[Node]" = field(default_factory=list)


Node: TypeAlias = Scalar | Alias | Mapping | Sequence


def read_nodes(text: Text) -> Node:
    """Read the nodes of a text that has already been parsed successfully."""
    return _Reader(text, yaml.parse(str(text), Loader=_Loader)).read()


def repeated_anchors(node: Node) -> set[str]:
    """Return the anchors that aliases refer to."""
    return {each.anchor for each in _all(node) if isinstance(each, Alias) and each.anchor is not None}


def _all(node: Node) -> Iterator[Node]:
    yield node
    inner = node.items if isinstance(node, Sequence) else ()
    if isinstance(node, Mapping):
        inner = [value for _, value in node.entries]
    for each in inner:
        yield from _all(each)


class _Reader:
    def __init__(self, text: Text, events: Iterator[yaml.Event]) -> None:
        self._text = text
        self._events = (each for each in events if isinstance(each, yaml.NodeEvent | yaml.CollectionEndEvent))

    def read(self) -> Node:
        return self._node(next(self._events))

    def _node(self, event: yaml.Event) -> Node:
        start, end = self._offset(event.start_mark), self._offset(event.end_mark)
        match event:
            case yaml.ScalarEvent():
                return Scalar(start, self._scalar_end(event, end), event.value, event.style or "", event.anchor)
            case yaml.MappingStartEvent():
                return self._mapping(Mapping(start, end, not event.flow_style, event.anchor))
            case yaml.SequenceStartEvent():
                return self._sequence(Sequence(start, end, not event.flow_style, event.anchor))
        return Alias(start, end, event.anchor)  # type: ignore[attr-defined]

    def _mapping(self, mapping: Mapping) -> Mapping:
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = cast(Scalar, self._node(event))  # a file with other kinds of keys cannot be loaded
            mapping.entries.append((key, self._node(next(self._events))))
        last = mapping.entries[-1][1] if mapping.entries else mapping
        mapping.end = last.end if mapping.is_block else self._offset(event.end_mark)
        return mapping

    def _sequence(self, sequence: Sequence) -> Sequence:
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            sequence.items.append(self._node(event))
        last = sequence.items[-1] if sequence.items else sequence
        sequence.end = last.end if sequence.is_block else self._offset(event.end_mark)
        return sequence

    def _scalar_end(self, event: yaml.ScalarEvent, end: int) -> int:
        """Return the end of a scalar. The parser ends a block scalar after the empty lines that follow it; these are excluded."""
        if event.style not in ("|", ">"):
            return end
        return self._offset(event.start_mark) + len(self._text[self._offset(event.start_mark) : end].rstrip())

    def _offset(self, mark: Any) -> int:
        return self._text.offset(mark.line, mark.column)
