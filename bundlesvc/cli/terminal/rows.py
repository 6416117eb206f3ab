"""Prints rows as a human-readable table, as JSON, or as CSV for spreadsheets."""

import csv
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click
import orjson

from bundlesvc.cli.terminal.output import print_table
from bundlesvc.printable import printable

Row = Mapping[str, Any]

FORMAT = click.option("--format", "form", type=click.Choice(("text", "json", "csv")), default="text", show_default=True,
                      help="csv is for spreadsheets.")  # fmt: skip


def print_rows(form: str, body: object, rows: Sequence[Row]) -> None:
    """Print the whole body as JSON, or the rows as a table or CSV."""
    if form == "json":
        click.echo(orjson.dumps(body))
    elif form == "csv":
        if rows:
            writer = csv.DictWriter(sys.stdout, list(rows[0]), quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    else:
        print_table(rows)


_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""The characters with which a formula can begin. The last four are full-width forms, which Japanese spreadsheets accept."""


def spreadsheet_cell(text: str) -> str:
    """Prefix the text with an apostrophe if a spreadsheet would interpret it as a formula."""
    shown = printable(text).strip()
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def _cell(value: object) -> str:
    """Format a value as a spreadsheet cell. Amounts, including negative ones, stay numbers."""
    if value is None:
        return ""
    if isinstance(value, list):
        return spreadsheet_cell("; ".join(value))
    text = str(value)
    return text if _is_number(text) else spreadsheet_cell(text)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal() and text.isascii()
