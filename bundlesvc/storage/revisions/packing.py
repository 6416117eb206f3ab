"""Packed JSON in the database: documents of items, and changes."""

import zlib
from typing import Any

import orjson

from bundlesvc.domain.revisions.plain import ABSENT, Plain
from bundlesvc.plain_values import UNREADABLE
from bundlesvc.storage.database.damage import DocumentDamaged


def pack(value: Any) -> bytes:
    return zlib.compress(orjson.dumps(value))


def unpack(packed: bytes) -> Any:
    """Raises DocumentDamaged."""
    try:
        return orjson.loads(zlib.decompress(packed))
    except (*UNREADABLE, zlib.error) as error:
        raise DocumentDamaged from error


def pack_item(plain: Plain) -> bytes | None:
    """An item of a draft; NULL where there is none."""
    return None if plain is ABSENT else pack(plain)


def unpack_item(packed: bytes | None) -> Plain:
    """Raises DocumentDamaged."""
    return ABSENT if packed is None else unpack(packed)


def pack_document(document: str) -> bytes:
    """A document of a column `document`."""
    return zlib.compress(document.encode())


def unpack_document(packed: bytes) -> str:
    """Raises DocumentDamaged."""
    try:
        return zlib.decompress(packed).decode()
    except (UnicodeDecodeError, zlib.error) as error:
        raise DocumentDamaged from error
