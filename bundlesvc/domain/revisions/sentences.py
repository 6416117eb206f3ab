"""Descriptions of a revision's changes in sentences."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bundlesvc.domain.revisions.difference import Change
from bundlesvc.domain.revisions.items import BUNDLES, EXPERIMENTS, MARKETS, PRODUCTS, SHOP, ItemName, Items
from bundlesvc.domain.revisions.plain import ABSENT, Item, Order, Plain, Step

_NOUNS = {BUNDLES: "Bundle", PRODUCTS: "Product", MARKETS: "Market", EXPERIMENTS: "Experiment"}
_TITLES = ("name", "title")
_LONGEST = 60
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def sentence(change: Change, before: Items, after: Items) -> str:
    """Describe a change in a sentence, such as `Bundle 101 "Gift box", discount value: 10.00 becomes 15.00.`"""
    item, inside = _item(change)
    subject = _subject(item, after.get(item) or before.get(item))
    if not inside:
        return f"{subject} is {_presence(change)}."
    where = ", ".join((subject, *_words(inside)))
    if isinstance(inside[-1], Order):
        return f"{where}: the order changes."
    if change.before is ABSENT:
        return f"{where}: {_shown(change.after)} is added."
    if change.after is ABSENT:
        return f"{where}: {_shown(change.before)} is removed."
    return f"{where}: {_shown(change.before)} becomes {_shown(change.after)}."


def _item(change: Change) -> tuple[ItemName, tuple[Step, ...]]:
    """Split the path of a change into the item and the path within the item."""
    kind, *rest = change.path
    if kind == SHOP:
        return ItemName(SHOP), tuple(rest)
    return ItemName(str(kind), str(rest[0])), tuple(rest[1:])


def _subject(item: ItemName, document: Plain) -> str:
    if item.kind == SHOP:
        return "The shop"
    title = _title(document)
    return f"{_NOUNS[item.kind]} {item.name}" + (f' "{title}"' if title else "")


def _title(document: Plain) -> str | None:
    if not isinstance(document, Mapping):
        return None
    found = next((document[key] for key in _TITLES if isinstance(document.get(key), str)), None)
    return _shortened(found) if found else None


def _presence(change: Change) -> str:
    return "new" if change.before is ABSENT else "removed" if change.after is ABSENT else "another one"


def _words(path: tuple[Step, ...]) -> Iterator[str]:
    """Yield the steps of a path in words. An item of a list is joined to the word before it."""
    words: list[str] = []
    for step in path:
        if isinstance(step, Item) and words:
            words[-1] = f"{_singular(words[-1])} {step.value}"
        elif not isinstance(step, Order):
            words.append(_CAPITAL.sub(" ", str(step)).lower())
    yield from words


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _shown(value: Any) -> str:
    match value:
        case str():
            return f'"{_shortened(value)}"' if not _is_number(value) else value
        case bool():
            return "yes" if value else "no"
        case None:
            return "nothing"
        case list():
            return (
                f"a list of {len(value)}" if any(isinstance(each, Mapping | list) for each in value) else _listed(value)
            )
        case Mapping():
            title = _title(value)
            return f'"{title}"' if title else "a group of fields"
    return str(value)


def _listed(values: list[Any]) -> str:
    return _shortened(", ".join(map(str, values))) or "an empty list"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).removeprefix("-").isdecimal()


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
