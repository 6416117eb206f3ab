"""Aggregates as JSON documents: the domain's dataclasses to text and back."""

from typing import TypeVar

import orjson

from bundlesvc.plain_values import from_plain, to_json

T = TypeVar("T")


def to_document(aggregate: object) -> str:
    """The aggregate as JSON."""
    return to_json(aggregate).decode()


def from_document(document: str, kind: type[T]) -> T:
    aggregate: T = from_plain(orjson.loads(document), kind)
    return aggregate
