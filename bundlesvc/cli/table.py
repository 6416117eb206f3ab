"""Lists for people: plain columns, never wrapped, so that what stands in them can be copied."""

from collections.abc import Mapping, Sequence

import click

from bundlesvc.printable import printable


def print_table(rows: Sequence[Mapping[str, object]]) -> None:
    """A line a row under a line of headings; a word when there is none."""
    if not rows:
        click.echo("none")
        return
    headings = [list(rows[0])]
    cells = headings + [[_text(value) for value in row.values()] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(rows[0]))]
    for row in cells:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _text(value: object) -> str:
    if isinstance(value, list):
        return printable(",".join(map(str, value))) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    return printable(str(value))
