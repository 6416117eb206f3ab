"""What is remembered of the platform's answers: an entry, and the bytes that it is kept as.

The bytes are JSON: `[<microseconds since 1970>,<value>]`. The first number, always of the same length, is the head: it says
when the platform was asked, and so tells one answer from the next without reading the rest. Nothing is pickled: what lies in
Redis is data and never code.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Generic, TypeVar, get_args, get_type_hints

import orjson

from bundlesvc.plain_values import UNREADABLE, from_plain, to_json, to_plain

V = TypeVar("V")

Subject = tuple[str, int | None]
"""Something on the platform that an answer depends on: kind and id of a `Change`."""

HEAD_BYTES = 17


@dataclass(frozen=True, slots=True)
class Entry(Generic[V]):
    """One answer. `value` is None for what the platform does not know; `read_at` in microseconds since 1970, UTC."""

    value: V | None
    read_at: int
    subjects: tuple[Subject, ...]


def encode(value: object, read_at: int) -> bytes:
    return to_json([read_at, to_plain(value)])


def decode(raw: bytes, shape: Any) -> tuple[Any, int] | None:
    """The value, in this shape, and when it was read. None when these bytes are nothing of ours."""
    try:
        read_at, plain = orjson.loads(raw)
        if type(read_at) is not int or not raw.startswith(b"[%d," % read_at) or raw[HEAD_BYTES] != ord(","):
            return None
        return None if plain is None else from_plain(plain, shape), read_at
    except UNREADABLE:
        return None


def head(raw: bytes | None) -> bytes:
    """What tells these bytes from those of other answers; nothing of no bytes."""
    return b"" if raw is None else raw[:HEAD_BYTES]


@cache
def format_of(*shapes: Any) -> str:
    """A name for how these shapes are written: bytes of another version, in which their fields differ, go by another name."""
    described = sorted({line for shape in shapes for line in _described(shape)})
    return hashlib.sha256("\n".join([_LAYOUT, *described]).encode()).hexdigest()[:8]


_LAYOUT = "[read_at,value]"
"""Changes together with `encode`."""


def _described(shape: Any) -> Iterator[str]:
    for part in get_args(shape):
        yield from _described(part)
    if isinstance(shape, type) and is_dataclass(shape):
        hints = get_type_hints(shape)
        for field in fields(shape):
            yield f"{shape.__qualname__}.{field.name}: {hints[field.name]}"
            yield from _described(hints[field.name])
