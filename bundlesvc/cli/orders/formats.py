"""The formats of `bundlesvc orders`: text for people, JSON, and CSV for spreadsheets."""

import csv
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click
import orjson

from bundlesvc.cli.output import print_table
from bundlesvc.cli.shoppers.reminders import spreadsheet_cell

Row = Mapping[str, Any]

FORMAT = click.option("--format", "form", type=click.Choice(("text", "json", "csv")), default="text", show_default=True,
                      help="csv is for spreadsheets.")  # fmt: skip

_LINE = ("id", "variant", "quantity", "listed", "charged", "tax", "revenue", "configuredBundleId")


def print_rows(form: str, body: object, rows: Sequence[Row]) -> None:
    """Print the whole body as JSON, or its rows as a table or CSV."""
    if form == "json":
        click.echo(orjson.dumps(body))
    elif form == "csv":
        if rows:
            writer = csv.DictWriter(sys.stdout, list(rows[0]), quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    else:
        print_table(rows)


def bundle_rows(order: Row) -> list[Row]:
    """A row for each bundle of an order."""
    return [
        {
            "order": order["id"],
            "placed": order["placedAt"],
            "bundle": bundle["bundleId"],
            "configured": bundle["configuredBundleId"],
            "promised": bundle["promised"],
            "charged": bundle["charged"],
            "difference": bundle["difference"],
            "currency": order["currency"],
            "verdict": bundle["verdict"],
            "cause": bundle["cause"],
            "reason": bundle["reason"],
        }
        for bundle in order["bundles"]
    ]


def line_rows(order: Row) -> list[Row]:
    """A row for each line of an order, with its discounts in one cell."""
    return [
        {**{name: line[name] for name in _LINE}, "discounts": [_discount(each) for each in line["discounts"]]}
        for line in order["lines"]
    ]


def quote_rows(quote: Any) -> list[Row]:
    """A row for each line of a refund quote, and one for the sum."""
    total = {"line": "total", "quantity": None, "amount": quote["amount"], "tax": quote["tax"]}
    return [{**row, "currency": quote["currency"]} for row in (*quote["lines"], total)]


def _discount(discount: Row) -> str:
    return f"{discount['title'] or discount['kind']} -{discount['amount']}"


def _cell(value: object) -> str:
    """A cell of a spreadsheet. Amounts stay numbers, also negative ones."""
    if value is None:
        return ""
    if isinstance(value, list):
        return spreadsheet_cell("; ".join(value))
    text = str(value)
    return text if _is_number(text) else spreadsheet_cell(text)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal() and text.isascii()
