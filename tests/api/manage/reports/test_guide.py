"""The guide to reports defines every figure, and names every dimension."""

import re
from pathlib import Path

import bundlesvc
from bundlesvc.api.manage.reports.responses import FiguresSchema, MoneySchema
from bundlesvc.domain.reports.bundle_report import DIMENSIONS

GUIDE = (Path(bundlesvc.__file__).parent / "guides" / "reports.md").read_text()


def first_cells(heading: str) -> list[str]:
    """The names in the first column of the table whose first heading is `heading`."""
    table = GUIDE.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)


def test_table_defines_every_figure() -> None:
    figures = {*FiguresSchema().fields, *MoneySchema().fields} - {"money", "currency"}
    assert figures < set(first_cells("figure"))
    assert {"total", "average"} <= set(first_cells("figure"))


def test_table_names_every_dimension() -> None:
    assert first_cells("by") == [*DIMENSIONS]
