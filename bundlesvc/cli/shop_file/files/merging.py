"""Merges the changes made in a shop file with the changes made by others in the stored shop."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from bundlesvc.domain.revisions.items import Items, content_of
from bundlesvc.domain.revisions.merge import Conflict, merge
from bundlesvc.domain.revisions.plain import ABSENT, Item, Plain, dotted
from bundlesvc.domain.revisions.plain import Path as PlainPath
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid, parse_with_lines, read_bytes
from bundlesvc.shop_file.plain import plain_content, read_content
from bundlesvc.shop_file.tree import Tree, TreePath
from bundlesvc.shop_file.tree import dotted as dotted_tree

_LONGEST_VALUE = 60


def merger(path: Path, base: Items, new: ShopFile) -> Callable[[ShopFile | None], ShopFile]:
    """Return a function that applies the changes between `base` and the file at `path` to a stored shop. The function raises
    ShopFileInvalid when the file and the shop conflict, or when the merged shop is not valid."""
    before, yours = content_of(base), plain_content(new)

    def merged(stored: ShopFile | None) -> ShopFile:
        if stored is None:
            return new
        found = merge(before, plain_content(stored), yours)
        if found.conflicts:
            raise ShopFileInvalid(path, conflict_faults(path, found.conflicts))
        shop_file, faults = read_content(found.content)
        if shop_file is None:
            message = "With what the shop has by now: "
            raise ShopFileInvalid(
                path, [FileFault(str(path), None, dotted_tree(fault.path), message + fault.message) for fault in faults]
            )
        return shop_file

    return merged


def conflict_faults(path: Path, conflicts: Sequence[Conflict]) -> Iterator[FileFault]:
    """Describe each conflict with the values in the base, the shop and the file, and its line in the file."""
    parsed, _ = parse_with_lines(read_bytes(path), path)
    for conflict in conflicts:
        line = parsed.line_of(_tree_path(conflict.path, parsed.tree))
        base, live, yours = map(shown, (conflict.base, conflict.live, conflict.yours))
        yield FileFault(
            str(path), line, dotted(conflict.path), f"The base has {base}, the shop {live}, the file {yours}."
        )


def _tree_path(path: PlainPath, tree: Tree) -> TreePath:
    """Convert the path of a value to its path in the tree of a file. Stops before the first step that does not exist in the
    tree."""
    found: list[str | int] = []
    part: Any = tree
    for step in path:
        place = _place(step, part) if isinstance(step, Item) else step
        if not isinstance(place, str | int) or not _has(part, place):
            break
        found.append(place)
        part = part[place]
    return tuple(found)


def _place(item: Item, part: Tree) -> int | None:
    """Return the index of an item in a list from the file, or None if the list does not contain the item. Ids are strings in the
    tree of a file."""
    if not isinstance(part, list):
        return None
    names = (each.get(item.key) if isinstance(each, dict) else None for each in part)
    return next((place for place, name in enumerate(names) if name == str(item.value)), None)


def _has(part: Tree, place: str | int) -> bool:
    return place in part if isinstance(part, dict) else isinstance(part, list) and isinstance(place, int)


def shown(value: Plain) -> str:
    """Format a value for use in a message, shortened if it is long."""
    if value is ABSENT:
        return "nothing"
    text = orjson.dumps(value).decode()
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
