"""`bundlesvc reminders` lists addresses for the tool that sends the e-mails, and deletes addresses on request."""

import csv
import io
from pathlib import Path

import pytest

from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.reminders import SqlReminders
from tests.cli.command_line import Run, assert_error
from tests.cli.conftest import in_database
from tests.storage.configured_bundles import NOW

MIRA, ALF = "mira@mail.example", "alf@mail.example"
MIRA_S = {
    "shop": "demo",
    "variantId": "1001",
    "email": MIRA,
    "bundleName": 'Box, "M"\nä',
    "created": "2027-01-15T08:00:00+00:00",
}


@pytest.fixture
def with_reminders(loaded: Run, database_path: Path) -> Run:
    """The command line, with reminders for two addresses stored for the loaded shop."""

    async def remind(database: Database) -> None:
        tenant = await SqlKeyStore(database).tenant("demo")
        assert tenant is not None
        store = SqlReminders(database)
        await store.add_reminder(tenant, 1001, MIRA, 'Box, "M"\nä', NOW)
        await store.add_reminder(tenant, 1002, MIRA, "Box", NOW + 1)
        await store.add_reminder(tenant, 1001, ALF, "Box", NOW + 2)

    in_database(database_path, remind)
    return loaded


def test_an_empty_list_is_printed_as_none(loaded: Run) -> None:
    assert loaded("reminders", "list").out == "none\n"
    assert loaded("reminders", "list", "--json").json == []
    assert loaded("reminders", "list", "--format", "csv").out.splitlines() == [
        '"shop","variantId","email","bundleName","created"'
    ]


@pytest.mark.parametrize("arguments", [("--json",), ("--format", "json")])
def test_json_is_one_line(arguments: tuple[str, ...], with_reminders: Run) -> None:
    result = with_reminders("reminders", "list", *arguments)
    assert (result.code, result.err) == (0, "")
    assert [reminder["email"] for reminder in result.json] == [MIRA, MIRA, ALF]
    assert result.json[0] == MIRA_S


def test_reminders_are_printed_as_csv(with_reminders: Run) -> None:
    result = with_reminders("reminders", "list", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out, newline="")))
    assert [row["email"] for row in rows] == [MIRA, MIRA, ALF]
    assert rows[0] == {**MIRA_S, "bundleName": 'Box, "M" ä'}, "a cell is one line"


def test_the_table_has_one_line_per_reminder(with_reminders: Run) -> None:
    """The table has one line per reminder, whatever characters the bundle's name contains."""
    lines = with_reminders("reminders", "list").out.splitlines()
    assert len(lines) == 1 + 3
    assert lines[0].split() == ["shop", "variantId", "email", "bundleName", "created"]


def test_forget_deletes_an_address(with_reminders: Run) -> None:
    result = with_reminders("reminders", "forget", MIRA.upper())
    assert (result.code, result.out) == (0, "")
    assert result.err == f"{MIRA.upper()}: removed from 2 reminders.\n"
    assert with_reminders("reminders", "forget", ALF).err == f"{ALF}: removed from 1 reminder.\n"
    assert with_reminders("reminders", "forget", ALF).err == f"{ALF}: removed from 0 reminders.\n"
    assert with_reminders("reminders", "list").out == "none\n"


def test_forget_refuses_what_is_no_address(with_reminders: Run) -> None:
    assert_error(with_reminders("reminders", "forget", "mira"), "mira is not an e-mail address")
