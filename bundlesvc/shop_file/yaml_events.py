"""YAML as events. Scalars stay the text that was written: `NO` is a country, 19.90 is exact, 0123 is no octal number."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from bundlesvc.shop_file.document import Finding, Unreadable, quoted
from bundlesvc.shop_file.tree_building import Event, Kind

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_TAG = "tag:yaml.org,2002:"
_NULL_TAG = f"{_TAG}null"
_PLAIN_TAGS = frozenset(("!", *(f"{_TAG}{kind}" for kind in ("str", "int", "float", "bool", "null", "map", "seq"))))
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def yaml_events(text: str, findings: list[Finding]) -> Iterator[Event]:
    """The events of the one document in `text`; tags that nothing here reads are added to `findings`. Raises Unreadable."""
    _refuse_unprintable(text)
    documents = 0
    try:
        for event in yaml.parse(text, Loader=_Loader):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise Unreadable("One shop a file: a second YAML document starts here.", line)
            tag = getattr(event, "tag", None)
            if tag is not None and tag not in _PLAIN_TAGS:
                findings.append(Finding((), f"The YAML tag {quoted(tag)} is not read here.", line))
            translated = _translated(event, line)
            if translated:
                yield translated
    except yaml.YAMLError as fault:
        raise Unreadable(*_explained(fault)) from fault
    except (ValueError, OverflowError) as fault:  # the pure Python scanner, on escapes beyond Unicode
        raise Unreadable("This is not YAML: an escape names no character.", None) from fault


def _refuse_unprintable(text: str) -> None:
    found = _UNPRINTABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise Unreadable(f"Character U+{ord(found.group()):04X} may not stand in a YAML file.", line)


def _translated(event: yaml.Event, line: int) -> Event | None:
    match event:
        case yaml.ScalarEvent():
            return Event(Kind.SCALAR, line, event.value, event.anchor, _is_null(event))
        case yaml.MappingStartEvent():
            return Event(Kind.MAPPING, line, anchor=event.anchor)
        case yaml.SequenceStartEvent():
            return Event(Kind.SEQUENCE, line, anchor=event.anchor)
        case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
            return Event(Kind.END, line)
        case yaml.AliasEvent():
            return Event(Kind.ALIAS, line, anchor=event.anchor)
    return None


def _is_null(event: Any) -> bool:
    """Whether a scalar is null: plain, not in quotation marks."""
    plain = not event.style and event.tag is None
    return event.tag == _NULL_TAG or (plain and event.value in _NULLS)


def _explained(fault: yaml.YAMLError) -> tuple[str, int | None]:
    problem = getattr(fault, "problem", None) or getattr(fault, "reason", None) or "it cannot be read"
    mark = getattr(fault, "problem_mark", None) or getattr(fault, "context_mark", None)
    return f"This is not YAML: {problem}.", mark.line + 1 if mark else None
