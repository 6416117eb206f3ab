"""Parses a YAML or JSON file into a tree of strings with line numbers.

Scalars are kept as written: `NO` is a country, 19.90 is exact, 0123 is not an octal number.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from bundlesvc.shop_file.tree import Mark, ParsedFile, Tree, TreeFault, Unreadable, line_of_mark, quoted
from bundlesvc.shop_file.tree_building import MAX_DEPTH, Event, EventKind, build_tree
from bundlesvc.shop_file.yaml_mistakes import explained

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]


def parse_file(data: bytes, name: str) -> ParsedFile:
    """Parse a file into a tree. The format is determined by the extension of `name` (.json, .yaml or .yml), or otherwise by the
    first character of the data.

    Raises Unreadable if no tree can be built; lesser faults are included in the result.
    """
    text = _decoded(data)
    if _is_json(text, name.lower()):
        return _parsed_json(data, text)
    faults: list[TreeFault] = []
    return build_tree(_yaml_events(text, faults), faults)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise Unreadable("The file is not in UTF-8.", line) from fault


def _is_json(text: str, name: str) -> bool:
    if name.endswith((".yaml", ".yml")):
        return False
    return name.endswith(".json") or text.lstrip().startswith("{")


def _parsed_json(data: bytes, text: str) -> ParsedFile:
    """Parse JSON with the standard library, which is much faster than building a tree from tokens. Tokens are used only to
    explain faults."""
    tree = _regular_tree(text)
    if tree is None:
        return build_tree(_json_events(text), [])
    return ParsedFile(tree, lambda: _regular_marks(_decoded(data)))


_UNSTORABLE_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


def _regular_tree(text: str) -> dict[str, Tree] | None:
    """Parse JSON into a tree. Returns None if the text may contain faults, because explaining them takes another parser. Raises
    Unreadable."""
    repeats_key, texts = False, dict[str, str]()

    def mapping(pairs: list[tuple[str, Tree]]) -> dict[str, Tree]:
        nonlocal repeats_key
        # Equal strings share one object: a shop has few distinct statuses, prices and option names.
        made = {key: texts.setdefault(value, value) if isinstance(value, str) else value for key, value in pairs}
        repeats_key = repeats_key or len(made) < len(pairs)
        return made

    try:
        tree = json.loads(text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=mapping)
    except json.JSONDecodeError as fault:
        message = "The file is empty." if not text.strip() else f"This is not valid JSON: {fault.msg}."
        raise Unreadable(message, fault.lineno) from fault
    except RecursionError as fault:
        raise Unreadable("The file is nested too deeply.", None) from fault
    if repeats_key or not isinstance(tree, dict) or _UNSTORABLE_ESCAPE.search(text):
        return None
    return tree if _is_shallow(tree) else None


def _is_shallow(tree: dict[str, Any]) -> bool:
    """Whether the tree is nested no more deeply than allowed. Also replaces the booleans in it with strings."""
    pending: list[tuple[Any, int]] = [(tree, 1)]
    while pending:
        holder, depth = pending.pop()
        if depth > MAX_DEPTH:
            return False
        for step, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if isinstance(value, bool):
                holder[step] = str(value).lower()
            elif isinstance(value, dict | list):
                pending.append((value, depth + 1))
    return True


_LINE_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"(?=(\s*:)?)|[{}\[\]\n]|[^\s{}\[\]:,"]+')


def _regular_marks(text: str) -> Mark | int:
    """Return the line of every part of a JSON text. The text must be one that `_regular_tree` could parse. This is much faster
    than reading the text as events."""
    root: list[Mark | int] = []
    parents, inside, in_list, line = list[tuple[list[Mark | int], bool]](), root, True, 1
    for token in _LINE_TOKEN.finditer(text):
        first = text[token.start()]
        if first == "\n":
            line += 1
        elif first in "{[":
            mark = Mark(line if in_list else line_of_mark(inside.pop()), [])
            inside.append(mark)
            parents.append((inside, in_list))
            inside, in_list = mark.inside, first == "["
        elif first in "}]":
            inside, in_list = parents.pop()
        elif in_list or token.group(1) is not None:
            inside.append(line)
    return root[0]


_JSON_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\]:,"]+')
_JSON_KINDS = {"{": EventKind.MAPPING, "[": EventKind.SEQUENCE, "}": EventKind.END, "]": EventKind.END}


def _json_events(text: str) -> Iterator[Event]:
    """Yield the events of a valid JSON text, each with its line."""
    line, counted = 1, 0
    for token in _JSON_TOKEN.finditer(text):
        line += text.count("\n", counted, token.start())
        counted = token.start()
        word = token.group()
        kind = _JSON_KINDS.get(word, EventKind.SCALAR)
        yield Event(kind, line, _json_text(word), is_null=word == "null")


def _json_text(word: str) -> str:
    if not word.startswith('"'):
        return word
    return str(json.loads(word)) if "\\" in word else word[1:-1]


_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_TAG = "tag:yaml.org,2002:"
_NULL_TAG = f"{_TAG}null"
_PLAIN_TAGS = frozenset(("!", *(f"{_TAG}{kind}" for kind in ("str", "int", "float", "bool", "null", "map", "seq"))))
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _yaml_events(text: str, faults: list[TreeFault]) -> Iterator[Event]:
    """Yield the events of the single document in `text`; unknown tags are added to `faults`. Raises Unreadable."""
    _refuse_unprintable(text)
    documents = 0
    try:
        for event in yaml.parse(text, Loader=_Loader):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise Unreadable("A file holds one shop: remove the second YAML document, which starts here.", line)
            tag = getattr(event, "tag", None)
            if tag is not None and tag not in _PLAIN_TAGS:
                faults.append(TreeFault((), f"The YAML tag {quoted(tag)} is not supported; remove it.", line))
            translated = _translated(event, line)
            if translated:
                yield translated
    except yaml.YAMLError as fault:
        raise Unreadable(*explained(text, fault, _Loader)) from fault
    except (ValueError, OverflowError) as fault:  # raised by the pure-Python scanner for escapes above U+10FFFF
        raise Unreadable("This is not valid YAML: an escape sequence does not name a character.", None) from fault


def _refuse_unprintable(text: str) -> None:
    found = _UNPRINTABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise Unreadable(f"A YAML file cannot contain the character U+{ord(found.group()):04X}; remove it.", line)


def _translated(event: yaml.Event, line: int) -> Event | None:
    match event:
        case yaml.ScalarEvent():
            return Event(EventKind.SCALAR, line, event.value, event.anchor, _is_null(event))
        case yaml.MappingStartEvent():
            return Event(EventKind.MAPPING, line, anchor=event.anchor)
        case yaml.SequenceStartEvent():
            return Event(EventKind.SEQUENCE, line, anchor=event.anchor)
        case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
            return Event(EventKind.END, line)
        case yaml.AliasEvent():
            return Event(EventKind.ALIAS, line, anchor=event.anchor)
    return None


def _is_null(event: Any) -> bool:
    """Whether a scalar is null: an unquoted null word, or a scalar that is tagged as null."""
    plain = not event.style and event.tag is None
    return event.tag == _NULL_TAG or (plain and event.value in _NULLS)
