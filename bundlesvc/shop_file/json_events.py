"""JSON as events, with the line of each; numbers and booleans stay the text that was written."""

import json
import re
from collections.abc import Iterator

from bundlesvc.shop_file.document import Unreadable
from bundlesvc.shop_file.tree_building import Event, Kind

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\]:,"]+')
_KINDS = {"{": Kind.MAPPING, "[": Kind.SEQUENCE, "}": Kind.END, "]": Kind.END}


def json_events(text: str) -> Iterator[Event]:
    """The events of a JSON text. Raises Unreadable."""
    _refuse_invalid(text)
    line, counted = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", counted, token.start())
        counted = token.start()
        word = token.group()
        kind = _KINDS.get(word, Kind.SCALAR)
        yield Event(kind, line, _text(word), is_null=word == "null")


def _refuse_invalid(text: str) -> None:
    """The standard library judges the grammar, so that the tokens below need not."""
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as fault:
        message = "The file is empty." if not text.strip() else f"This is not JSON: {fault.msg}."
        raise Unreadable(message, fault.lineno) from fault
    except RecursionError as fault:
        raise Unreadable("The file is nested too deeply.", None) from fault


def _text(word: str) -> str:
    if not word.startswith('"'):
        return word
    return str(json.loads(word)) if "\\" in word else word[1:-1]
