"""`bundlesvc usage`."""

import csv
import io
from datetime import date
from pathlib import Path

import pytest

from bundlesvc.domain.access.usage import KeyUsage, UsageBatch
from bundlesvc.storage.access.usage import SqlUsageStore
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.conftest import in_database

ROWS = (
    KeyUsage(date(2026, 11, 21), "demo", "bnd_live_1", (10, 2, 1, 0, 3, 0)),
    KeyUsage(date(2026, 11, 22), "demo", "bnd_live_1", (0, 0, 0, 0, 0, 7)),
    KeyUsage(date(2026, 11, 22), "gone", "bnd_test_2", (1, 0, 0, 4, 0, 0)),
)


@pytest.fixture
def used(loaded: Run, database_path: Path) -> Run:
    """The command line with a database that contains usage records of the loaded shop and of a deleted shop."""
    in_database(database_path, lambda database: SqlUsageStore(database).add(UsageBatch("w", 1, ROWS), 1))
    return loaded


def test_a_line_for_each_day_shop_and_key(used: Run) -> None:
    assert used("usage").out == (
        "day         shop  key         reads  prices  configures  others  refused  failed\n"
        "2026-11-21  demo  bnd_live_1  10     2       1           0       3        0\n"
        "2026-11-22  demo  bnd_live_1  0      0       0           0       0        7\n"
        "2026-11-22  gone  bnd_test_2  1      0       0           4       0        0\n"
    )


def test_json_is_one_line(used: Run) -> None:
    assert used("usage", "--format", "json", "--shop", "gone").json == [
        {
            "day": "2026-11-22",
            "shop": "gone",
            "key": "bnd_test_2",
            "reads": 1,
            "prices": 0,
            "configures": 0,
            "others": 4,
            "refused": 0,
            "failed": 0,
        }
    ]


def test_csv_has_a_heading_and_the_same_rows(used: Run) -> None:
    lines = list(csv.DictReader(io.StringIO(used("usage", "--format", "csv").out)))
    rows = used("usage", "--format", "json").json
    assert lines == [{name: str(value) for name, value in row.items()} for row in rows]


@pytest.mark.parametrize(
    ("options", "days"),
    [
        (("--from", "2026-11-22"), {"2026-11-22"}),
        (("--to", "2026-11-21"), {"2026-11-21"}),
        (("--from", "2026-11-21", "--to", "2026-11-22"), {"2026-11-21", "2026-11-22"}),
        (("--from", "2026-11-23"), set()),
    ],
)
def test_days_from_and_to_are_included(options: tuple[str, ...], days: set[str], used: Run) -> None:
    assert {row["day"] for row in used("usage", "--format", "json", *options).json} == days


def test_without_usage_there_is_nothing_to_list(loaded: Run) -> None:
    assert loaded("usage").out == "none\n"
    assert loaded("usage", "--shop", "demo", "--format", "json").json == []
    assert loaded("usage", "--format", "csv").out == "day,shop,key,reads,prices,configures,others,refused,failed\n"


def test_an_unknown_shop_is_an_error(used: Run) -> None:
    assert_error(used("usage", "--shop", "nobody"), "there is no shop nobody")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--from", "November"), "'November' does not match"),
        (("--to", "2026-02-30"), "does not match"),
        (("--from", "2026-11-22", "--to", "2026-11-21"), "--to is before --from."),
        (("--format", "xml"), "'xml' is not one of"),
    ],
)
def test_wrong_options(options: tuple[str, ...], words: str, run: Run) -> None:
    assert_usage(run("usage", *options), words)
