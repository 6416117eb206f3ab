"""The output of commands: tables with aligned columns and one line per row, and counts of items."""

import pytest

from bundlesvc.cli.terminal.output import inventory, print_table


def test_columns_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([{"name": "a", "origins": ["x", "y"], "on": True}, {"name": "longer", "origins": [], "on": None}])
    assert capsys.readouterr().out == "name    origins  on\na       x,y      yes\nlonger  -        -\n"


def test_an_empty_table_is_printed_as_none(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([])
    assert capsys.readouterr().out == "none\n"


def test_long_lines_are_not_wrapped(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([{"name": "x" * 500, "number": 7}])
    assert capsys.readouterr().out.splitlines()[1] == f"{'x' * 500}  7"


def test_control_characters_of_others_are_removed(capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters are removed from untrusted text, such as bundle names."""
    print_table([{"name": "a\x1b]0;owned\x07b\x1b[2Jc\x9bd\r\ne", "number": 7}])
    output = capsys.readouterr().out
    assert len(output.splitlines()) == 2
    assert [character for character in output if not character.isprintable() and character != "\n"] == []


def test_kinds_are_counted_and_those_without_any_left_out() -> None:
    counts = {"errors": 1_234_567, "configured bundles": 1, "warnings": 0}
    assert inventory(counts, "clean") == "1,234,567 errors, 1 configured bundle"
    assert inventory({"errors": 0}, "clean") == "clean"
