"""Faults in single rows: a document, amount or response that the service cannot read."""

import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import orjson
from sqlalchemy import Row, Table

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.configured import ConfiguredItem
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Market, Shop
from bundlesvc.plain_values import UNREADABLE
from bundlesvc.storage.configured.response_encoding import decode_response
from bundlesvc.storage.database.documents import from_document
from bundlesvc.storage.database.tables import (
    api_keys,
    audit_entries,
    bundles,
    catalogue_ghost_prices,
    catalogue_ghosts,
    configured_bundles,
    draft_items,
    experiments,
    ghost_promises,
    idempotency_keys,
    loaded_files,
    manage_responses,
    markets,
    past_items,
    products,
    shops,
    subscriptions,
)

RowFaults = Callable[[Row[Any]], Iterator[str]]

_UNREADABLE = (*UNREADABLE, zlib.error)


def _faults(readers: Mapping[str, Callable[[Any], object]], row: Row[Any]) -> Iterator[str]:
    """Yield a fault for each column of a row whose value cannot be read. NULL is valid where the column allows it."""
    for name, read in readers.items():
        value = getattr(row, name)
        if value is not None:
            try:
                read(value)
            except _UNREADABLE:
                yield f"its {name} cannot be read"


def _document(shape: Any) -> Callable[[str], object]:
    return partial(from_document, kind=shape)


def _packed(packed: bytes) -> object:
    return orjson.loads(zlib.decompress(packed))


def _amount(text: str) -> Decimal:
    amount = Decimal(text)
    if not amount.is_finite() or amount < 0:
        raise ValueError(text)
    return amount


def _response_faults(row: Row[Any]) -> Iterator[str]:
    """Yield the faults of a stored response: it must be decodable, so that a repeated configure request can be answered with it,
    and must belong to its configured bundle."""
    try:
        response = orjson.loads(decode_response(row.answer, row.encoding))
        if response["configured_bundle_id"] != row.configured_bundle_id:
            yield "its response is that of another configured bundle"
    except _UNREADABLE:
        yield "its response cannot be opened"


_READERS: Mapping[Table, Mapping[str, Callable[[Any], object]]] = {
    shops: {"document": _document(Shop)},
    markets: {"document": _document(Market)},
    products: {"document": _document(Product)},
    bundles: {"document": _document(Bundle)},
    experiments: {"document": _document(Experiment)},
    api_keys: {"scopes": _document(tuple[str, ...]), "origins": _document(tuple[str, ...])},
    configured_bundles: {
        "original": _amount,
        "discounted": _amount,
        "discount_value": _amount,
        "items": _document(tuple[ConfiguredItem, ...]),
    },
    subscriptions: {"next_date": date.fromisoformat},
    catalogue_ghosts: {"price": _amount},
    catalogue_ghost_prices: {"price": _amount},
    ghost_promises: {"promise": _amount, "price": _amount},
    draft_items: {"base": _packed, "document": _packed},
    past_items: {"document": _packed},
    loaded_files: {"items": _packed},
    audit_entries: {"changes": _packed},
    manage_responses: {"answer": _packed},
}

FAULTS_OF: Mapping[Table, RowFaults] = {
    **{table: partial(_faults, readers) for table, readers in _READERS.items()},
    idempotency_keys: _response_faults,
}
"""The checks of each table's rows, in the order in which faults are reported."""
