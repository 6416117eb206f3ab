"""The items of a shop's content: the shop itself, and each market, product, bundle and experiment. Revisions are stored as
changes to whole items."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bundlesvc.domain.revisions.difference import Change, difference
from bundlesvc.domain.revisions.merge import Conflict, merge
from bundlesvc.domain.revisions.plain import ABSENT, Item, Path, Plain

SHOP, MARKETS, PRODUCTS, BUNDLES, EXPERIMENTS = KINDS = ("shop", "markets", "products", "bundles", "experiments")

NAMES = {MARKETS: "countryCode", PRODUCTS: "id", BUNDLES: "id", EXPERIMENTS: "id"}
"""The key that identifies the items of each list."""

NUMBERED = (PRODUCTS, BUNDLES)
"""The lists whose items are identified by numbers."""


class ItemName(NamedTuple):
    """The identity of an item: the list that contains it (`kind`), and its name in that list, as a string. For the shop itself,
    the name is empty."""

    kind: str
    name: str = ""

    @property
    def value(self) -> str | int:
        """The name in the type that the item itself uses for it: an integer where items are identified by numbers, otherwise a
        string."""
        return int(self.name) if self.kind in NUMBERED else self.name

    @property
    def path(self) -> Path:
        return (SHOP,) if self.kind == SHOP else (self.kind, Item(NAMES[self.kind], self.value))


THE_SHOP = ItemName(SHOP)

Items = Mapping[ItemName, Plain]


@dataclass(frozen=True, slots=True)
class DraftItem:
    """An item that a draft changes: its state when the draft first changed it, and its current state in the draft. Either is
    `ABSENT` when the item does not exist."""

    item: ItemName
    base: Plain
    document: Plain


def items_of(content: Mapping[str, Any]) -> dict[ItemName, Plain]:
    """Return the items of a shop's content, by name."""
    items = {THE_SHOP: content[SHOP]}
    for kind, key in NAMES.items():
        items |= {ItemName(kind, str(item[key])): item for item in content[kind]}
    return items


def content_of(items: Items) -> dict[str, Any]:
    """Build a shop's content from its items, with each list sorted by name."""
    content: dict[str, Any] = {SHOP: items.get(THE_SHOP, {}), **{kind: [] for kind in NAMES}}
    for item in sorted((each for each in items if each != THE_SHOP), key=lambda each: (each.kind, each.value)):
        content[item.kind].append(items[item])
    return content


def with_draft(items: Items, draft: Iterable[DraftItem]) -> dict[ItemName, Plain]:
    """Return the items after the changes in a draft have been applied."""
    made = dict(items)
    for each in draft:
        if each.document is ABSENT:
            made.pop(each.item, None)
        else:
            made[each.item] = each.document
    return made


def changes_between(before: Items, after: Items) -> Iterator[Change]:
    """Yield the differences between two versions of the content, item by item, sorted by name."""
    names = {*before, *after}
    for item in sorted(names, key=lambda each: (KINDS.index(each.kind), each.name and each.value)):
        yield from below(item, difference(before.get(item, ABSENT), after.get(item, ABSENT)))


def draft_between(before: Items, after: Items) -> list[DraftItem]:
    """Return the items of a draft that turns the contents `before` into `after`."""
    changed = [item for item in {**before, **after} if before.get(item, ABSENT) != after.get(item, ABSENT)]
    return [DraftItem(item, before.get(item, ABSENT), after.get(item, ABSENT)) for item in changed]


class MergedItems(NamedTuple):
    """The live items with the changes from a draft applied. A value that was changed differently in the live items and in the
    draft is a conflict, and has the live value here."""

    items: dict[ItemName, Plain]
    conflicts: tuple[Conflict, ...]


def merge_draft(live: Items, draft: Iterable[DraftItem]) -> MergedItems:
    """Apply a draft's changes to the live items, field by field."""
    made: dict[ItemName, Plain] = dict(live)
    conflicts: list[Conflict] = []
    for each in draft:
        merged = merge(each.base, live.get(each.item, ABSENT), each.document)
        conflicts += [
            Conflict((*each.item.path, *found.path), found.base, found.live, found.yours) for found in merged.conflicts
        ]
        if merged.content is ABSENT:
            made.pop(each.item, None)
        else:
            made[each.item] = merged.content
    return MergedItems(made, tuple(conflicts))


def as_drafted(live: Items, draft: Sequence[DraftItem]) -> dict[ItemName, Plain]:
    """Return the items as they would be if the draft were published, except that items with conflicts are taken entirely from the
    draft."""
    made: dict[ItemName, Plain] = dict(live)
    for each in draft:
        merged = merge_draft(made, [each])
        made = with_draft(made, [each]) if merged.conflicts else merged.items
    return made


def below(item: ItemName, changes: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes to an item, with each path extended so that it starts at the root of the content."""
    return (Change((*item.path, *change.path), change.before, change.after) for change in changes)
