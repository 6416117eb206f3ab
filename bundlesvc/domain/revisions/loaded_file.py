"""What a shop file had when it was last loaded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.items import ItemName, Items
from bundlesvc.domain.revisions.plain import ABSENT, Path, Plain


@dataclass(slots=True)
class LoadedFile:
    """A file by its name, and the `items` in which it differs from the revision that was live after its load: what others had
    changed, and the load left as it was."""

    name: str
    items: Mapping[ItemName, Plain] = field(default_factory=dict)

    def note(self, published: Items, own: Items) -> None:
        """Note how the file differs from what is published of it."""
        names = {*published, *own}
        self.items = {
            item: own.get(item, ABSENT) for item in names if published.get(item, ABSENT) != own.get(item, ABSENT)
        }

    def content(self, published: Items) -> dict[ItemName, Plain]:
        """What the file had, from the content of the revision."""
        made = {**published, **self.items}
        return {item: document for item, document in made.items() if document is not ABSENT}


def overwritten(others: Iterable[Change], forced: Iterable[Change]) -> list[Change]:
    """The changes of a load that undo what others have changed. `others` lead from the base to what is live, `forced` from what
    is live to the file."""
    paths = [change.path for change in others]
    return [change for change in forced if any(_overlaps(change.path, path) for path in paths)]


def _overlaps(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
