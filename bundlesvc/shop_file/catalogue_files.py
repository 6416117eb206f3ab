"""Reads files with stock or prices: CSV with a header row, or JSON Lines. Columns and keys are named as in the shop file
(docs/shop-file.md)."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from bundlesvc.domain.product import INVENTORY_POLICIES
from bundlesvc.domain.shop_files.catalogue_rows import CatalogueRow
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.format_fields import MISSING, unknown_key
from bundlesvc.shop_file.loading import FileFault, ShopFileInvalid

_Record: TypeAlias = Mapping[str, str | None]
_Report: TypeAlias = Callable[[int, str, str], None]
"""A function that is called for each fault, with its line, its column and a sentence."""


class Column(NamedTuple):
    """A column: the variant field that it sets, and the function that reads a cell. An empty cell sets the field to None if
    `may_be_empty`. Otherwise, an empty cell is a fault in a required column, and changes nothing in any other column."""

    field: str
    read: Callable[[str], Any]
    required: bool = False
    may_be_empty: bool = False


_VARIANT = Column("variant_id", scalars.variant_id, required=True)

STOCK: Mapping[str, Column] = {
    "variantId": _VARIANT,
    "inventoryQuantity": Column("inventory_quantity", scalars.whole_number(), required=True),
    "inventoryTracked": Column("inventory_tracked", scalars.flag),
    "inventoryPolicy": Column("inventory_policy", scalars.one_of(*INVENTORY_POLICIES)),
}

PRICES: Mapping[str, Column] = {
    "variantId": _VARIANT,
    "price": Column("price", scalars.amount, required=True, may_be_empty=True),
    "compareAtPrice": Column("compare_at_price", scalars.amount, may_be_empty=True),
    "countryCode": Column("country", scalars.country),
}


def read_rows(data: bytes, name: str, columns: Mapping[str, Column]) -> list[CatalogueRow]:
    """Read the rows of a catalogue file. Raises ShopFileInvalid with every fault."""
    faults: list[FileFault] = []

    def report(line: int, column: str, message: str) -> None:
        faults.append(FileFault(name, line, column, message))

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        report(data.count(b"\n", 0, error.start) + 1, "", "The file is not in UTF-8.")
        text = ""
    records = _json_records if text.lstrip().startswith("{") else _csv_records
    rows = [_row(record, line, columns, report) for line, record in records(text, columns, report)]
    if not rows and not faults:
        report(1, "", f"There are no rows. The first line must name the columns: {', '.join(columns)}.")
    if faults:
        raise ShopFileInvalid(Path(name), faults)
    return [row for row in rows if row is not None]


def _csv_records(text: str, columns: Mapping[str, Column], report: _Report) -> Iterator[tuple[int, _Record]]:
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(lines, [])]
        if not _is_valid(header, columns, report):
            return
        for cells in lines:
            if len(cells) == len(header):
                yield lines.line_num, dict(zip(header, map(str.strip, cells), strict=True))
            elif cells:
                report(lines.line_num, "", f"The number of cells is {len(cells)}, but there are {len(header)} columns.")
    except csv.Error as error:
        report(lines.line_num, "", f"This is not valid CSV: {error}.")


def _is_valid(header: Sequence[str], columns: Mapping[str, Column], report: _Report) -> bool:
    if len(header) == 1 and re.search("[;\t]", header[0]):
        report(1, "", f"The columns must be separated by commas: {','.join(columns)}.")
        return False
    faults = [unknown_key(name, columns, "column") for name in header if name not in columns]
    faults += [f"The column {name} is missing." for name in columns if columns[name].required and name not in header]
    faults += [f"The column {name} is there twice." for name in columns if header.count(name) > 1]
    for fault in faults if header else []:
        report(1, "", fault)
    return bool(header) and not faults


def _json_records(text: str, columns: Mapping[str, Column], report: _Report) -> Iterator[tuple[int, _Record]]:
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            record = json.loads(written, parse_int=str, parse_float=str, parse_constant=str)
        except (json.JSONDecodeError, RecursionError):
            report(line, "", "This is not valid JSON. Each line has one object.")
            continue
        if not isinstance(record, dict):
            report(line, "", "This is not an object. Each line has one.")
            continue
        for key in record:
            if key not in columns:
                report(line, "", unknown_key(key, columns))
        yield line, {key: _text(value) for key, value in record.items() if key in columns}


def _text(value: object) -> str | None:
    """Return the content of a cell as written; a boolean, list or object is returned as JSON."""
    return value if isinstance(value, str | None) else json.dumps(value)


def _row(record: _Record, line: int, columns: Mapping[str, Column], report: _Report) -> CatalogueRow | None:
    values: dict[str, Any] = {}
    for name, column in columns.items():
        written = record.get(name)
        if written:
            try:
                values[column.field] = column.read(written)
            except scalars.Unfit as reason:
                report(line, name, str(reason))
        elif name in record and column.may_be_empty:
            values[column.field] = None
        elif column.required:
            report(line, name, MISSING)
    return _checked(values, line, report)


def _checked(values: dict[str, Any], line: int, report: _Report) -> CatalogueRow | None:
    variant_id, country = values.pop("variant_id", None), values.pop("country", None)
    if variant_id is None:
        return None
    if country is None and values.get("price", ()) is None:
        report(
            line, "price", "This is required, except with a countryCode, where an empty price removes the fixed price."
        )
    if country is not None and values.pop("compare_at_price", None) is not None:
        report(line, "compareAtPrice", "A market has no compare-at prices of its own; leave this empty.")
    return CatalogueRow(line, variant_id, values, country)
