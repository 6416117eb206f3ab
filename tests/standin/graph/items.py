"""The building blocks of the graph: nodes, references between them, and paginated lists."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.standin.operations.refusals import bad_request

Node: TypeAlias = dict[str, Any]
Arguments: TypeAlias = Mapping[str, Any]

PAGE_LIMIT = 250


@dataclass(frozen=True, slots=True)
class Reference:
    """Another node of the graph, looked up when a query selects it."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a GraphQL connection. Only the items on the requested page are converted to nodes."""

    items: Sequence[Any]
    node: Callable[[Any], Node | Reference] = lambda item: item

    def page(self, arguments: Arguments, limit: int = PAGE_LIMIT) -> Node:
        """Build the page for `first` and `after`, or for `last` and `before`. Raises Refusal."""
        items = list(reversed(self.items)) if arguments.get("reverse") else self.items
        start, end = _window(arguments, len(items), limit)
        nodes = [self.node(item) for item in items[start:end]]
        cursors = [_cursor(place) for place in range(start, end)]
        return {
            "nodes": nodes,
            "edges": [{"cursor": cursor, "node": node} for cursor, node in zip(cursors, nodes, strict=True)],
            "pageInfo": {
                "hasNextPage": end < len(items),
                "hasPreviousPage": start > 0,
                "startCursor": cursors[0] if cursors else None,
                "endCursor": cursors[-1] if cursors else None,
            },
        }


def _window(arguments: Arguments, size: int, limit: int) -> tuple[int, int]:
    """Return the index of the first item on the page, and the index after the last one."""
    after, before = arguments.get("after"), arguments.get("before")
    start = 0 if after is None else min(_place(after) + 1, size)
    end = size if before is None else min(_place(before), size)
    first, last = _length(arguments, "first", limit), _length(arguments, "last", limit)
    if first is None and last is None:
        raise bad_request("you must provide one of first or last")
    if first is not None:
        end = min(end, start + first)
    if last is not None:
        start = max(start, end - last)
    return start, max(start, end)


def _length(arguments: Arguments, name: str, limit: int) -> int | None:
    number: int | None = arguments.get(name)
    if number is not None and not 0 <= number <= limit:
        raise bad_request(f"{name} must be between 0 and {limit}")
    return number


def _cursor(place: int) -> str:
    return base64.b64encode(f"place:{place}".encode()).decode()


def _place(cursor: str) -> int:
    try:
        kind, _, place = base64.b64decode(cursor, validate=True).decode().partition(":")
        if kind != "place" or not place.isdecimal():
            raise bad_request("Malformed cursor")
        return int(place)
    except (binascii.Error, UnicodeDecodeError) as error:
        raise bad_request("Malformed cursor") from error
