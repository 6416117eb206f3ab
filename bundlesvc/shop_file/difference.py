"""Describes the changes that loading a shop file would make, in human-readable lines (`bundlesvc load --dry-run`)."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from typing import Any

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.format_fields import wire_name

_LONGEST = 60
_IDENTITIES = ("id", "bundleItemId", "name")
"""The keys that can identify the items of a list. Items without any of them are identified by their index."""
_TITLES = ("name", "title")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A list in a shop file: the noun for its items, how to get the list, and how its items are identified."""

    noun: str
    of: Callable[[ShopFile], Sequence[Any]]
    identity: Callable[[Any], Hashable]


_KINDS = (
    _Kind("market", lambda file: file.markets, lambda market: market.country_code),
    _Kind("product", lambda file: file.products, lambda product: product.id),
    _Kind("bundle", lambda file: file.bundles, lambda bundle: bundle.id),
    _Kind("experiment", lambda file: file.experiments, lambda experiment: experiment.id),
)


def difference(stored: ShopFile | None, new: ShopFile) -> list[str]:
    """Describe everything that is added (+), removed (-) or changed (~), one line each.

    The order of markets, products, bundles and experiments does not matter.
    """
    lines = list(_shop_lines(stored, new))
    for kind in _KINDS:
        lines += _kind_lines(kind, kind.of(stored) if stored else (), kind.of(new))
    return lines


def _shop_lines(stored: ShopFile | None, new: ShopFile) -> Iterator[str]:
    if stored is None:
        yield f"+ shop {new.shop.handle}"
    elif stored.shop != new.shop:
        yield from _changes(_plain(stored.shop), _plain(new.shop), f"shop {new.shop.handle}", ())


def _kind_lines(kind: _Kind, stored: Sequence[Any], new: Sequence[Any]) -> Iterator[str]:
    before = {kind.identity(thing): thing for thing in stored}
    after = {kind.identity(thing): thing for thing in new}
    for identity, thing in after.items():
        if identity not in before:
            yield _with_title(f"+ {kind.noun} {identity}", _plain(thing))
        elif before[identity] != thing:
            yield from _changes(_plain(before[identity]), _plain(thing), f"{kind.noun} {identity}", ())
    for identity, thing in before.items():
        if identity not in after:
            yield _with_title(f"- {kind.noun} {identity}", _plain(thing))


def _plain(value: Any) -> Any:
    """Convert a domain object to mappings and lists with the keys of the file."""
    if is_dataclass(value):
        return _flat({wire_name(field.name): _plain(getattr(value, field.name)) for field in fields(value)})
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def _flat(mapping: dict[str, Any]) -> dict[str, Any]:
    """Move the settings (currency, money format and weight unit) up into `shop` itself, as in the file."""
    settings = mapping.pop("settings", None)
    return mapping | (settings or {})


def _changes(old: Any, new: Any, thing: str, path: tuple[str, ...]) -> Iterator[str]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _mapping_changes(old, new, thing, path)
    elif _holds_mappings(old, new):
        yield from _list_changes(old, new, thing, path)
    elif old is None and isinstance(new, dict):
        yield _presence("+", new, thing, path)
    elif new is None and isinstance(old, dict):
        yield _presence("-", old, thing, path)
    else:
        yield f"~ {thing} {'.'.join(path)}: {_shown(old)} -> {_shown(new)}"


def _mapping_changes(
    old: Mapping[str, Any], new: Mapping[str, Any], thing: str, path: tuple[str, ...]
) -> Iterator[str]:
    for key in dict.fromkeys((*old, *new)):
        inner = (*path, key)
        if key not in old:
            yield _presence("+", new[key], thing, inner)
        elif key not in new:
            yield _presence("-", old[key], thing, inner)
        else:
            yield from _changes(old[key], new[key], thing, inner)


def _holds_mappings(old: Any, new: Any) -> bool:
    """Whether both values are lists of mappings, whose items are compared one by one."""
    return isinstance(old, list) and isinstance(new, list) and all(isinstance(item, dict) for item in (*old, *new))


def _list_changes(old: list[Any], new: list[Any], thing: str, path: tuple[str, ...]) -> Iterator[str]:
    identity = next((key for key in _IDENTITIES if _identifies(key, old) and _identifies(key, new)), None)
    before, after = _by_identity(old, identity), _by_identity(new, identity)
    kept_before = [key for key in before if key in after]
    kept_after = [key for key in after if key in before]
    if kept_before != kept_after:
        yield f"~ {thing} {'.'.join(path)}: {_shown(kept_before)} -> {_shown(kept_after)}"
    yield from _mapping_changes(before, after, thing, path)


def _identifies(key: str, items: list[Any]) -> bool:
    values = [str(item[key]) for item in items if key in item]
    return len(values) == len(items) == len(set(values))


def _by_identity(items: list[Any], identity: str | None) -> dict[str, Any]:
    return {str(index if identity is None else item[identity]): item for index, item in enumerate(items)}


def _presence(sign: str, value: Any, thing: str, path: tuple[str, ...]) -> str:
    """Format the line for a part that exists on one side only."""
    where = f"{sign} {thing} {'.'.join(path)}"
    return _with_title(where, value) if isinstance(value, dict) else f"{where}: {_shown(value)}"


def _with_title(line: str, thing: Any) -> str:
    title = next((thing[key] for key in _TITLES if key in thing), None)
    return f"{line} {_shortened(str(title))}" if title else line


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return _shortened(f"[{', '.join(map(_shown, value))}]")
    if isinstance(value, dict):
        return _shortened(f"{{{', '.join(f'{key}: {_shown(inner)}' for key, inner in value.items())}}}")
    return _shortened(_scalar(value))


def _scalar(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case Decimal():
            return f"{value:f}"
        case "":
            return '""'
    return str(value)


def _shortened(text: str) -> str:
    """Shorten the text to one line without control characters."""
    line = " ".join(text.split())
    line = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
