"""The difference between two versions of a shop's content: a list of changes that converts one into the other."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bundlesvc.domain.revisions.plain import ABSENT, Item, Order, Path, Plain, Step, item_key, ordered


@dataclass(frozen=True, slots=True)
class Change:
    """A difference at one path: the values before and after the change. A value is `ABSENT` where nothing exists at the path."""

    path: Path
    before: Plain
    after: Plain


def difference(before: Plain, after: Plain, path: Path = ()) -> Iterator[Change]:
    """Yield the changes from one value to another: field by field, and item by item for lists whose items have ids."""
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            yield from difference(before.get(key, ABSENT), after.get(key, ABSENT), (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and (key := item_key(before, after)):
        yield from _list_difference(key, before, after, path)
    else:
        yield Change(path, before, after)


def _list_difference(key: str, before: list[Plain], after: list[Plain], path: Path) -> Iterator[Change]:
    old, new = ordered(key, before).items, ordered(key, after).items
    for value in dict.fromkeys((*old, *new)):
        yield from difference(old.get(value, ABSENT), new.get(value, ABSENT), (*path, Item(key, value)))
    without_order = [value for value in old if value in new] + [value for value in new if value not in old]
    if without_order != list(new):
        yield Change((*path, Order(key)), list(old), list(new))


def applied(value: Plain, changes: Iterable[Change]) -> Plain:
    """Apply changes that `difference` found between this value and another. Returns the changed value; the original is not
    modified."""
    made = value
    for change in changes:
        made = _with(made, change.path, change.after)
    return made


def _with(value: Plain, path: Path, new: Plain) -> Plain:
    """Return a copy of the value in which `new` replaces the part at a path."""
    if not path:
        return new
    step, *rest = path
    if isinstance(step, Order):
        return [ordered(step.key, value).items[id_] for id_ in new]
    if isinstance(step, Item):
        items = ordered(step.key, value).items
        return list(_replaced(items, step.value, tuple(rest), new).values())
    return _replaced(value, step, tuple(rest), new)


def _replaced(mapping: Mapping[Any, Plain], key: Any, rest: tuple[Step, ...], new: Plain) -> dict[Any, Plain]:
    made = dict(mapping)
    inner = _with(made.get(key, ABSENT), rest, new)
    if inner is ABSENT:
        del made[key]
    else:
        made[key] = inner
    return made
