"""Untrusted text from platforms and clients is made safe for a terminal."""

import logging

import pytest

from bundlesvc.cli.terminal.collected_warnings import collected_warnings
from bundlesvc.cli.terminal.output import fail
from bundlesvc.printable import printable, printable_lines

CLEARS = "Mug\x1b[2J\u202e\x9b31m"
SHOWN = "Mug [2J  31m"


@pytest.mark.parametrize(
    ("text", "shown"), [(CLEARS, SHOWN), ("one\r\ntwo", "one  two"), ("Café 杯 \u05d0", "Café 杯 \u05d0")]
)
def test_unprintable_characters_become_spaces(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_lines_stay_lines() -> None:
    assert printable_lines(f"{CLEARS}\n{CLEARS}") == f"{SHOWN}\n{SHOWN}"


def test_failure_shows_what_a_platform_said_without_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        fail(f"the platform says: {CLEARS}")
    assert capsys.readouterr().err == f"bundlesvc: the platform says: {SHOWN}\n"


def test_note_shows_what_a_platform_said_without_them(capsys: pytest.CaptureFixture[str]) -> None:
    with collected_warnings():
        logging.getLogger("bundlesvc").warning("%s is not sold", CLEARS)
    assert capsys.readouterr().err == f"bundlesvc: {SHOWN} is not sold.\n"
