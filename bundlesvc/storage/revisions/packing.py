"""Packs JSON for storage in the database: the items of a shop's content, lists of changes, and responses."""

import zlib
from typing import Any

import orjson

from bundlesvc.domain.revisions.plain import ABSENT, Plain
from bundlesvc.plain_values import UNREADABLE
from bundlesvc.storage.database.damage import DocumentDamaged


def pack(value: Any) -> bytes:
    return zlib.compress(orjson.dumps(value))


def unpack(packed: bytes) -> Any:
    """Unpack compressed JSON. Raises DocumentDamaged."""
    try:
        return orjson.loads(zlib.decompress(packed))
    except (*UNREADABLE, zlib.error) as error:
        raise DocumentDamaged from error


def pack_item(plain: Plain) -> bytes | None:
    """Pack an item of a draft; None (NULL) for an absent item."""
    return None if plain is ABSENT else pack(plain)


def unpack_item(packed: bytes | None) -> Plain:
    """Unpack an item of a draft. Raises DocumentDamaged."""
    return ABSENT if packed is None else unpack(packed)


def pack_document(document: str) -> bytes:
    """Compress a document that was read from a `document` column."""
    return zlib.compress(document.encode())


def unpack_document(packed: bytes) -> str:
    """Unpack a document from a `document` column. Raises DocumentDamaged."""
    try:
        return zlib.decompress(packed).decode()
    except (UnicodeDecodeError, zlib.error) as error:
        raise DocumentDamaged from error
