"""The content of a shop file when it was last loaded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.items import ItemName, Items
from bundlesvc.domain.revisions.plain import ABSENT, Path, Plain


@dataclass(slots=True)
class LoadedFile:
    """A shop file, identified by its name, and the `items` in which the file differs from the revision that was live after the
    load. Differences exist where others had made changes that the load kept."""

    name: str
    items: Mapping[ItemName, Plain] = field(default_factory=dict)

    def note(self, published: Items, own: Items) -> None:
        """Record how the file differs from the published items."""
        names = {*published, *own}
        self.items = {
            item: own.get(item, ABSENT) for item in names if published.get(item, ABSENT) != own.get(item, ABSENT)
        }

    def content(self, published: Items) -> dict[ItemName, Plain]:
        """Return the content of the file at the time when it was loaded, given the published items of the revision that was live
        after the load."""
        made = {**published, **self.items}
        return {item: document for item, document in made.items() if document is not ABSENT}


def overwritten(others: Iterable[Change], forced: Iterable[Change]) -> list[Change]:
    """Return the changes with which a load undoes changes made by others. `others` are the changes from the base to the live
    content, `forced` the changes from the live content to the file."""
    paths = [change.path for change in others]
    return [change for change in forced if any(_overlaps(change.path, path) for path in paths)]


def _overlaps(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
