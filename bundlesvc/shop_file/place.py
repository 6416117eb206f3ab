"""A spot in the raw tree of a shop file, for checks that must go on where other parts of it are broken."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from bundlesvc.shop_file.document import Finding, Tree, TreePath, quoted
from bundlesvc.shop_file.scalars import Reader, Unfit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """What stands at `path`: None where there is nothing, so that one may always ask on."""

    path: TreePath
    value: Tree

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.value, dict)

    def at(self, key: str) -> "Place":
        """The place under a key."""
        return Place((*self.path, key), self.value.get(key) if isinstance(self.value, dict) else None)

    def items(self, key: str | None = None) -> list["Place"]:
        """The items of the list here, or under a key."""
        here = self if key is None else self.at(key)
        if not isinstance(here.value, list):
            return []
        return [Place((*here.path, index), item) for index, item in enumerate(here.value)]

    def entries(self, key: str) -> list[tuple[str, "Place"]]:
        """The keys of the mapping under a key, and what each leads to; nulls count as absent."""
        here = self.at(key)
        if not isinstance(here.value, dict):
            return []
        return [(inner, Place((*here.path, inner), item)) for inner, item in here.value.items() if item is not None]

    def read(self, reader: Reader[T]) -> T | None:
        """The value as `reader` takes it; None when there is none that it takes."""
        return read_text(self.value, reader) if isinstance(self.value, str) else None

    def finding(self, message: str) -> Finding:
        return Finding(self.path, message)

    def unfit(self, reader: Reader[object]) -> Iterator[Finding]:
        """A finding when the text here is not what `reader` takes; none where there is no text."""
        if isinstance(self.value, str):
            try:
                reader(self.value)
            except Unfit as reason:
                yield self.finding(str(reason))


def read_text(written: str, reader: Reader[T]) -> T | None:
    """The text as `reader` takes it; None when it does not."""
    try:
        return reader(written)
    except Unfit:
        return None


def repeated(places: Iterable[Place], reader: Reader[Hashable], noun: str) -> Iterator[Finding]:
    """A finding for every place whose value an earlier one has already."""
    seen: set[Hashable] = set()
    for place in places:
        value = place.read(reader)
        if value is not None and value in seen:
            yield place.finding(f"{noun} {quoted(value) if isinstance(value, str) else value} is there already.")
        seen.add(value)
