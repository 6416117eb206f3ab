"""Documents in the database: domain dataclasses as JSON."""

from typing import TypeVar

import orjson

from bundlesvc.plain_values import UNREADABLE, from_plain, to_json
from bundlesvc.storage.database.damage import DocumentDamaged

T = TypeVar("T")


def to_document(aggregate: object) -> str:
    """Serialise a domain dataclass as JSON, for a `document` column."""
    return to_json(aggregate).decode()


def from_document(document: str, kind: type[T]) -> T:
    """Parse the JSON of a `document` column into a dataclass. Raises DocumentDamaged."""
    try:
        aggregate: T = from_plain(orjson.loads(document), kind)
    except UNREADABLE as error:
        raise DocumentDamaged from error
    return aggregate
