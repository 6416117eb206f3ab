"""Plain data in the structure of the shop file, paths within it, and lists whose items have ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

Plain: TypeAlias = Any
"""A mapping with text keys, a list, or a single value: text, a number, true, false or null."""

Content: TypeAlias = Mapping[str, Any]
"""The content of a shop: `shop`, and the lists `markets`, `products`, `bundles` and `experiments`."""


class Absence(Enum):
    """The marker for a value that does not exist, as opposed to null."""

    ABSENT = "absent"


ABSENT: Final = Absence.ABSENT


@dataclass(frozen=True, slots=True)
class Item:
    """A path step to the list item that has this value under `key`."""

    key: str
    value: str | int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Order:
    """A path step that refers to the order of a list. The order is represented by the value of the field `key` of each item."""

    key: str

    def __str__(self) -> str:
        return "order"


Step: TypeAlias = str | Item | Order
Path: TypeAlias = tuple[Step, ...]

ITEM_KEYS = ("id", "bundleItemId", "countryCode", "key", "bundleId", "name", "platformProductId")
"""The keys that can identify the items of a list; the first one that does so is used. Lists of other items, such as tiers, are
compared as a whole."""


class OrderedItems(NamedTuple):
    """The items of a list, in list order, keyed by the value that identifies each item."""

    key: str
    items: dict[str | int, Any]

    @property
    def order(self) -> list[str | int]:
        return list(self.items)


def dotted(path: Path) -> str:
    """Format a path in human-readable form: `bundles.101.discount.value`."""
    return ".".join(map(str, path))


def item_key(*lists: Plain) -> str | None:
    """Return the key that identifies the items in all these lists; None when no key does. An absent list counts as empty."""
    present = [each for each in lists if each is not ABSENT]
    if not all(isinstance(each, list) for each in present) or not any(present):
        return None
    return next((key for key in ITEM_KEYS if all(_identifies(key, each) for each in present)), None)


def _identifies(key: str, items: Sequence[Plain]) -> bool:
    values = [item.get(key) if isinstance(item, Mapping) else None for item in items]
    return all(isinstance(value, str | int) and not isinstance(value, bool) for value in values) and len(
        set(values)
    ) == len(values)


def ordered(key: str, items: Plain) -> OrderedItems:
    """Return the items of a list by their value under `key`. An absent list counts as empty."""
    return OrderedItems(key, {} if items is ABSENT else {item[key]: item for item in items})
