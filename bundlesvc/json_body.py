"""Parses JSON request bodies, for the APIs and for webhooks."""

from typing import Any

import orjson

from bundlesvc.domain.errors import Fault, InvalidJson, InvalidRequest

_CONTAINERS = (dict, list)
MAX_DEPTH = 32
"""The maximum nesting depth of objects and lists: greater than in any real request, but small enough for recursive code."""


def parse_object(body: bytes) -> dict[str, Any]:
    """Parse a body that must be a JSON object. Raises InvalidJson when it is not JSON or is nested too deeply, and InvalidRequest
    when it is not an object."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise InvalidJson from error
    if _is_too_deep(value):
        raise InvalidJson(message=f"The body is nested more than {MAX_DEPTH} levels deep.")
    if not isinstance(value, dict):
        raise InvalidRequest([Fault("", "invalid", "The body must be a JSON object.")])
    return value


def _is_too_deep(value: object) -> bool:
    """Whether a value is nested too deeply, checked level by level without recursion."""
    level: list[Any] = [value] if type(value) in _CONTAINERS else []
    for _ in range(MAX_DEPTH):
        if not level:
            return False
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) in _CONTAINERS
        ]
    return bool(level)
