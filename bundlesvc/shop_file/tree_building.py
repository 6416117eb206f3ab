"""Builds a tree from the events of a YAML or JSON file. There is no recursion, so no file can exhaust the stack."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from sys import intern
from typing import NamedTuple, TypeAlias

from bundlesvc.shop_file.tree import Mark, ParsedFile, Tree, TreeFault, TreePath, Unreadable, line_of_mark, quoted

MAX_DEPTH = 50
MAX_ALIASED = 1_000_000
"""The maximum number of nodes that the aliases of a file may repeat in total. Without it, a few lines of YAML could represent
billions of nodes."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class EventKind(Enum):
    MAPPING = auto()
    SEQUENCE = auto()
    END = auto()
    SCALAR = auto()
    ALIAS = auto()


class Event(NamedTuple):
    """One step of parsing a file: a scalar, the start or end of a mapping or list, or an alias for an earlier `anchor`.

    A null scalar also has `text`, because it may be a key.
    """

    kind: EventKind
    line: int
    text: str = ""
    anchor: str | None = None
    is_null: bool = False


_Marks: TypeAlias = list[Mark | int]


class _Built(NamedTuple):
    """A finished node of the tree: its value, the marks inside it (None for a scalar), the number of nodes in it, and its
    depth."""

    value: Tree
    inside: _Marks | None
    size: int = 1
    height: int = 0

    def mark(self, line: int) -> Mark | int:
        return line if self.inside is None else Mark(line, self.inside)


@dataclass(slots=True)
class _Branch:
    """A mapping or list that is still open. In a mapping, `key` is the key whose value comes next."""

    holder: dict[str, Tree] | list[Tree]
    line: int
    anchor: str | None = None
    key: str | None = None
    key_line: int = 0
    key_is_new: bool = True
    inside: _Marks = field(default_factory=list)
    size: int = 1
    height: int = 1

    @property
    def step(self) -> str | int:
        """The key or index of the part that is being built, or that comes next, in this mapping or list."""
        return len(self.holder) if isinstance(self.holder, list) else (self.key or "")

    def expects_key(self) -> bool:
        return isinstance(self.holder, dict) and self.key is None

    def put(self, built: _Built, line: int) -> None:
        if isinstance(self.holder, list):
            self.inside.append(built.mark(line))
            self.holder.append(built.value)
        elif self.key is not None:
            if self.key_is_new:
                self.inside.append(built.mark(self.key_line))
                self.holder[self.key] = built.value
            self.key = None
        self.size += built.size
        if built.height >= self.height:
            self.height = built.height + 1


def build_tree(events: Iterable[Event], faults: list[TreeFault]) -> ParsedFile:
    """Build the tree that the events describe. More faults may be added to `faults` while the events are read. Raises
    Unreadable."""
    builder = _Builder(faults)
    for event in events:
        builder.add(event)
    tree, mark = builder.finish()
    if not isinstance(tree, dict):
        raise Unreadable(
            "A shop file must be a mapping with the keys shop, products, bundles and so on.",
            line_of_mark(mark),
        )
    return ParsedFile(tree, lambda: mark, tuple(faults))


class _Builder:
    def __init__(self, faults: list[TreeFault]) -> None:
        self._faults = faults
        self._root: list[Tree] = []
        self._open = [_Branch(self._root, line=1)]
        self._anchored: dict[str, _Built] = {}
        self._aliased = 0

    def add(self, event: Event) -> None:
        match event.kind:
            case EventKind.SCALAR:
                self._add_scalar(event)
            case EventKind.MAPPING:
                self._enter(_Branch({}, event.line, event.anchor))
            case EventKind.SEQUENCE:
                self._enter(_Branch([], event.line, event.anchor))
            case EventKind.END:
                self._leave()
            case EventKind.ALIAS:
                self._add_alias(event)

    def finish(self) -> tuple[Tree, Mark | int]:
        if not self._root:
            raise Unreadable("The file is empty.")
        return self._root[0], self._open[0].inside[0]

    def _path(self) -> TreePath:
        """Return the path at which the next node is added to the tree."""
        return tuple(branch.step for branch in self._open[1:])

    def _add_scalar(self, event: Event) -> None:
        text = self._storable(event.text, event.line)
        branch = self._open[-1]
        if branch.expects_key():
            self._take_key(branch, text, event.line)
        else:
            self._put(_Built(None if event.is_null else text, None), event.line, event.anchor)

    def _take_key(self, branch: _Branch, key: str, line: int) -> None:
        branch.key, branch.key_line = intern(key), line  # the same few keys occur everywhere
        branch.key_is_new = key not in branch.holder
        if not branch.key_is_new:
            first = line_of_mark(branch.inside[list(branch.holder).index(key)])
            message = f"The key {quoted(key)} is already in line {first}; remove one of the two."
            self._faults.append(TreeFault(self._path(), message, line))

    def _enter(self, branch: _Branch) -> None:
        self._refuse_as_key(branch.line)
        self._refuse_depth(len(self._open), branch.line)
        self._open.append(branch)

    def _leave(self) -> None:
        branch = self._open.pop()
        built = _Built(branch.holder, branch.inside, branch.size, branch.height)
        self._put(built, branch.line, branch.anchor)

    def _put(self, built: _Built, line: int, anchor: str | None) -> None:
        if anchor is not None:
            self._anchored[anchor] = built
        self._open[-1].put(built, line)

    def _add_alias(self, event: Event) -> None:
        self._refuse_as_key(event.line)
        name = event.anchor or ""
        if any(branch.anchor == name for branch in self._open):
            raise Unreadable(f"The alias *{name} is inside its own anchor; remove it.", event.line, self._path())
        if name not in self._anchored:
            raise Unreadable(
                f"The alias *{name} has no anchor before it; define &{name} first.", event.line, self._path()
            )
        built = self._anchored[name]
        self._refuse_depth(len(self._open) + built.height - 1, event.line)
        self._aliased += built.size
        if self._aliased > MAX_ALIASED:
            message = f"The aliases of this file repeat more than {MAX_ALIASED} parts; use fewer."
            raise Unreadable(message, event.line, self._path())
        self._open[-1].put(built, event.line)

    def _refuse_as_key(self, line: int) -> None:
        if self._open[-1].expects_key():
            raise Unreadable("A key must be plain text, not a list or mapping.", line, self._path()[:-1])

    def _refuse_depth(self, depth: int, line: int) -> None:
        if depth > MAX_DEPTH:
            raise Unreadable(f"The file is nested more than {MAX_DEPTH} levels deep.", line, self._path()[:5])

    def _storable(self, text: str, line: int) -> str:
        """Replace characters that cannot be stored in a database or in JSON, and report them as a fault."""
        if text.isascii() and "\x00" not in text:
            return text
        clean = _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)
        if clean != text:
            message = "Text cannot contain NUL characters or halves of surrogate pairs; remove them."
            self._faults.append(TreeFault(self._path(), message, line))
        return clean
