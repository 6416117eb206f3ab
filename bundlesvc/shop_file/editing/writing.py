"""Writes values in the syntax of a YAML or JSON file."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from bundlesvc.shop_file.editing.nodes import Scalar

_WIDTH = 110
_TEXT = "tag:yaml.org,2002:str"
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


def scalar_text(value: Any, old: Scalar | None, *, is_json: bool) -> str:
    """Write a single value on one line, quoted like the value that it replaces if possible."""
    if is_json:
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, str):
        return json.dumps(value)
    style = "" if old is None or old.is_block else old.style
    is_bare = old is not None and not old.style
    if style == "'" and "\n" not in value and value.isprintable():
        return "'{}'".format(value.replace("'", "''"))
    if style == '"' or not _is_plain(value, also_number=is_bare):
        return json.dumps(value, ensure_ascii=False)
    return value


def flow_text(value: Any, *, is_json: bool) -> str:
    """Write any value on one line."""
    if is_json:
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list):
        return scalar_text(value, None, is_json=False)
    if isinstance(value, list):
        return "[{}]".format(", ".join(flow_text(item, is_json=False) for item in value))
    pairs = (
        f"{scalar_text(str(key), None, is_json=False)}: {flow_text(item, is_json=False)}" for key, item in value.items()
    )
    return "{{{}}}".format(", ".join(pairs))


def block_lines(value: Any) -> list[str]:
    """Write a non-empty mapping or list as a block, with its innermost parts on one line each."""
    if isinstance(value, list):
        return [line for item in value for line in item_lines(item)]
    return [line for key, item in value.items() for line in entry_lines(str(key), item)]


def item_lines(value: Any) -> list[str]:
    """Format an item of a YAML block sequence as one or more lines."""
    if _fits(value):
        return [f"- {flow_text(value, is_json=False)}"]
    first, *others = block_lines(value)
    return [f"- {first}", *(f"  {line}" for line in others)]


def entry_lines(key: str, value: Any) -> list[str]:
    """Write a key with its value, on one or more lines."""
    name = scalar_text(key, None, is_json=False)
    if _fits(value):
        return [f"{name}: {flow_text(value, is_json=False)}"]
    return [f"{name}:", *(f"  {line}" for line in block_lines(value))]


def without_empty(value: Any) -> Any:
    """Remove the empty lists and mappings from a value, because a file may omit them."""
    if isinstance(value, list):
        return [without_empty(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: without_empty(item) for key, item in value.items() if not isinstance(item, dict | list) or item}


def _fits(value: Any) -> bool:
    """Whether a value is written on one line: it is a scalar, or a short list or mapping that contains no mappings."""
    if not isinstance(value, dict | list) or not value:
        return True
    inner = value.values() if isinstance(value, dict) else value
    return not any(isinstance(each, dict) for each in _items(inner)) and len(flow_text(value, is_json=False)) <= _WIDTH


def _items(values: Iterable[Any]) -> Iterator[Any]:
    """Yield the values; each list among them is followed by its items."""
    for value in values:
        yield value
        if isinstance(value, list):
            yield from value


def _is_plain(text: str, *, also_number: bool) -> bool:
    """Whether a string can be written without quotation marks anywhere in a file. A string that YAML would read as another type
    cannot, except that a number can if `also_number` is true."""
    if not text or "\n" in text or len(text) > _WIDTH:
        return False
    try:
        events = [*yaml.parse(f"{{k: [{text}]}}", Loader=yaml.SafeLoader)]
    except yaml.YAMLError:
        return False
    scalars = [event for event in events if isinstance(event, yaml.ScalarEvent)]
    if [event.value for event in scalars] != ["k", text] or scalars[1].style:
        return False
    resolver: Any = yaml.SafeLoader("")
    tag = resolver.resolve(yaml.ScalarNode, text, (True, False))
    return tag == _TEXT or (also_number and tag in _NUMBERS)
