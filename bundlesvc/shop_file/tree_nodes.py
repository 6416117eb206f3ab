"""Access to parts of a shop file's tree by path, for checks that must work even where other parts are broken."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from bundlesvc.shop_file.scalars import Reader, Unfit
from bundlesvc.shop_file.tree import Tree, TreeFault, TreePath, quoted

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A path in the tree and the value there. The value is None if nothing exists at the path, so that checks can look further
    down without testing for existence."""

    path: TreePath
    value: Tree

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.value, dict)

    def at(self, key: str) -> "TreeNode":
        """Return the node under a key."""
        return TreeNode((*self.path, key), self.value.get(key) if isinstance(self.value, dict) else None)

    def items(self, key: str | None = None) -> list["TreeNode"]:
        """Return the nodes of the items in this node's list, or in the list under a key."""
        here = self if key is None else self.at(key)
        if not isinstance(here.value, list):
            return []
        return [TreeNode((*here.path, index), item) for index, item in enumerate(here.value)]

    def entries(self, key: str) -> list[tuple[str, "TreeNode"]]:
        """Return the keys and nodes of the mapping under a key. Nulls count as absent."""
        here = self.at(key)
        if not isinstance(here.value, dict):
            return []
        return [(inner, TreeNode((*here.path, inner), item)) for inner, item in here.value.items() if item is not None]

    def read(self, reader: Reader[T]) -> T | None:
        """Convert the value at this node with `reader`. Returns None if the value is not a string, or if the reader rejects
        it."""
        return read_text(self.value, reader) if isinstance(self.value, str) else None

    def fault(self, message: str) -> TreeFault:
        return TreeFault(self.path, message)

    def unfit(self, reader: Reader[object]) -> Iterator[TreeFault]:
        """Report a fault if `reader` rejects the string at this node. A node without a string has no fault."""
        if isinstance(self.value, str):
            try:
                reader(self.value)
            except Unfit as reason:
                yield self.fault(str(reason))


def read_text(written: str, reader: Reader[T]) -> T | None:
    """Convert a string with `reader`, or return None if the reader rejects it."""
    try:
        return reader(written)
    except Unfit:
        return None


def repeated(nodes: Iterable[TreeNode], reader: Reader[Hashable], noun: str) -> Iterator[TreeFault]:
    """Report every node that repeats the value of an earlier one."""
    seen: set[Hashable] = set()
    for node in nodes:
        value = node.read(reader)
        if value is not None and value in seen:
            yield node.fault(f"{noun} {quoted(value) if isinstance(value, str) else value} already exists.")
        seen.add(value)
