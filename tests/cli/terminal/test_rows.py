"""Spreadsheet cells: any value that a spreadsheet would run as a formula is turned into text."""

import pytest

from bundlesvc.cli.terminal.rows import spreadsheet_cell


@pytest.mark.parametrize(
    "beginning", ["=", "+", "-", "@", "\t=", "\r\n=", " =", "\uff1d", "\uff0b", "\uff0d", "\uff20"]
)
def test_a_csv_cell_is_never_a_formula(beginning: str) -> None:
    assert spreadsheet_cell(f"{beginning}HYPERLINK(1)").startswith("'")


@pytest.mark.parametrize(
    "text", ["Breakfast Box", "mira@mail.example", "1001", "2027-01-15T08:00:00+00:00", "", "1 = 1"]
)
def test_other_csv_cells_are_unchanged(text: str) -> None:
    assert spreadsheet_cell(text) == text
