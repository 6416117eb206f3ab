"""Prints human-readable output: errors, tables, and counts with a singular or plural noun."""

import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

import click

from bundlesvc.printable import printable, printable_lines


def fail(message: str) -> NoReturn:
    """Print what is wrong and how to fix it to standard error, and end the command with exit status 1."""
    click.echo(f"bundlesvc: {printable_lines(message)}", err=True)
    sys.exit(1)


def fail_unknown_shop(handle: str) -> NoReturn:
    """End the command, because no shop has the given handle."""
    fail(f"there is no shop {handle}. `bundlesvc shops list` lists the shops.")


def counted(count: int, noun: str) -> str:
    """Format a number with its noun, as in "1 change" and "2,000 changes"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def inventory(counts: Mapping[str, int], nothing: str) -> str:
    """List the count of each kind, as in "1 subscription, 2 stock reminders". The keys of `counts` are plural nouns. Returns
    `nothing` when all counts are zero."""
    return ", ".join(counted(count, kind.removesuffix("s")) for kind, count in counts.items() if count) or nothing


def print_table(rows: Sequence[Mapping[str, object]]) -> None:
    """Print one line per row under a line of headings, in columns that are never wrapped. Prints "none" if there are no rows."""
    if not rows:
        click.echo("none")
        return
    headings = [list(rows[0])]
    cells = headings + [[_cell(value) for value in row.values()] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(rows[0]))]
    for row in cells:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    if isinstance(value, list):
        return printable(",".join(map(str, value))) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    return printable(str(value))
