"""The three-way merge of two sets of changes to the same content, field by field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bundlesvc.domain.revisions.plain import ABSENT, Item, Order, Path, Plain, item_key, ordered


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value that both sides changed differently: what it is in the base, in the live content, and in your version."""

    path: Path
    base: Plain
    live: Plain
    yours: Plain


@dataclass(frozen=True, slots=True)
class Merge:
    """The result of a merge. The content is only valid if there are no conflicts; where there is a conflict, it keeps the live
    value."""

    content: Plain
    conflicts: tuple[Conflict, ...]


def merge(base: Plain, live: Plain, yours: Plain) -> Merge:
    """Merge two changed versions of `base`. Where only one side made a change, or both made the same change, that change is
    kept."""
    merger = _Merger()
    return Merge(merger.merged((), base, live, yours), tuple(merger.conflicts))


@dataclass(slots=True)
class _Merger:
    conflicts: list[Conflict] = field(default_factory=list)

    def merged(self, path: Path, base: Plain, live: Plain, yours: Plain) -> Plain:
        if yours in (live, base):
            return live
        if base == live:
            return yours
        old = {} if base is ABSENT and isinstance(live, Mapping) else base
        if isinstance(old, Mapping) and isinstance(live, Mapping) and isinstance(yours, Mapping):
            return self._mapping(path, old, live, yours)
        if isinstance(live, list) and isinstance(yours, list) and (key := item_key(base, live, yours)):
            return self._list(path, key, base, live, yours)
        self.conflicts.append(Conflict(path, base, live, yours))
        return live

    def _mapping(
        self, path: Path, base: Mapping[str, Any], live: Mapping[str, Any], yours: Mapping[str, Any]
    ) -> dict[str, Any]:
        made = {
            key: self.merged((*path, key), base.get(key, ABSENT), live.get(key, ABSENT), yours.get(key, ABSENT))
            for key in dict.fromkeys((*base, *live, *yours))
        }
        return {key: value for key, value in made.items() if value is not ABSENT}

    def _list(self, path: Path, key: str, base: Plain, live: list[Plain], yours: list[Plain]) -> list[Plain]:
        old, mine, other = (ordered(key, items).items for items in (base, live, yours))
        made = {
            id_: self.merged(
                (*path, Item(key, id_)), old.get(id_, ABSENT), mine.get(id_, ABSENT), other.get(id_, ABSENT)
            )
            for id_ in dict.fromkeys((*old, *mine, *other))
        }
        present = {id_ for id_, item in made.items() if item is not ABSENT}
        order = self._order((*path, Order(key)), [*old], [*mine], [*other], present)
        return [made[id_] for id_ in order]

    def _order(self, path: Path, base: list[Any], live: list[Any], yours: list[Any], present: set[Any]) -> list[Any]:
        """Return the order of the merged items. An item that one side added is placed after the item that precedes it on that
        side."""
        shared = set(base) & set(live) & set(yours)
        old, mine, other = ([id_ for id_ in side if id_ in shared] for side in (base, live, yours))
        if old not in (mine, other) and mine != other:
            self.conflicts.append(Conflict(path, base, live, yours))
        spine = other if mine == old else mine
        return _with_added(spine, [[id_ for id_ in side if id_ in present] for side in (live, yours)])


def _with_added(spine: list[Any], sides: Iterable[list[Any]]) -> list[Any]:
    """Insert the items that each side added into the `spine` (the order of the shared items), each after the item that precedes
    it on that side. The order of the sides does not matter: where several sides added items at the same position, the items with
    smaller ids come first."""
    runs: dict[Any, list[list[Any]]] = {}
    for side in sides:
        _collect_runs(side, set(spine), runs)
    made: dict[Any, None] = {}
    for anchor in (None, *spine):
        if anchor is not None:
            made[anchor] = None
        for run in sorted(runs.get(anchor, []), key=_sort_key):
            made |= dict.fromkeys(run)
    return list(made)


def _collect_runs(side: list[Any], spine: set[Any], runs: dict[Any, list[list[Any]]]) -> None:
    anchor: Any = None
    run: list[Any] = []
    for id_ in side:
        if id_ in spine:
            anchor, run = id_, []
        else:
            if not run:
                runs.setdefault(anchor, []).append(run)
            run.append(id_)


def _sort_key(run: list[Any]) -> list[tuple[bool, Any]]:
    """Return a sort key that puts numbers before strings, because numbers and strings cannot be compared."""
    return [(isinstance(id_, str), id_) for id_ in run]
