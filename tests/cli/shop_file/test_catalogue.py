"""`bundlesvc stock` and `bundlesvc prices` change individual variants, or nothing at all when any row has a fault."""

import io
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.conftest import in_database
from tests.process.shop import SHOP

STOCK = "variantId,inventoryQuantity\n1001,4\n2001,7\n"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(STOCK)
    return path


def quantities(database_path: Path) -> dict[int, int]:
    shop_file = in_database(database_path, lambda database: SqlShopFileStore(database).stored("demo"))
    assert shop_file is not None
    return {variant.id: variant.inventory_quantity for product in shop_file.products for variant in product.variants}


def test_stock_is_changed_and_a_second_time_nothing(loaded: Run, rows: Path, database_path: Path) -> None:
    before = quantities(database_path)
    planned = loaded("stock", rows, "--shop", "demo", "--dry-run")
    assert (planned.code, planned.err) == (0, "")
    assert planned.out.splitlines() == [
        "demo: 2 changes",
        "  ~ product 111 variants.1001.inventoryQuantity: 5 -> 4",
        "  ~ product 222 variants.2001.inventoryQuantity: 0 -> 7",
    ]
    assert quantities(database_path) == before

    assert loaded("stock", rows, "--shop", "demo").out == "demo: 2 changes written\n"
    assert quantities(database_path) == {**before, 1001: 4, 2001: 7}
    assert loaded("stock", rows, "--shop", "demo").out == "demo: nothing changed.\n"
    assert loaded("stock", rows, "--shop", "demo", "--dry-run").out == "demo: nothing would change.\n"


def test_rows_are_read_from_standard_input(loaded: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    written = b'{"variantId": 1001, "price": 18.00, "compareAtPrice": null}\n'
    written += b'{"variantId": 1002, "price": 22, "countryCode": "US"}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))
    result = loaded("prices", "-", "--shop", "demo", "--json")
    assert result.json == {"shop": "demo", "rows": 2, "changes": 2, "dryRun": False}


def test_every_fault_is_printed_and_nothing_changed(loaded: Run, rows: Path, database_path: Path) -> None:
    before = quantities(database_path)
    rows.write_text(f"{STOCK}999,1\n")
    result = loaded("stock", rows, "--shop", "demo")
    assert (result.code, result.out) == (1, "")
    assert result.err == f"{rows}:4: The shop has no variant 999.\n1 fault; nothing was changed.\n"
    rows.write_text(f"{STOCK}x,1\n1001,y\n")
    result = loaded("stock", rows, "--shop", "demo")
    assert (result.code, result.out) == (1, "")
    assert [line.split(": ")[0] for line in result.err.splitlines()[:2]] == [f"{rows}:4", f"{rows}:5"]
    assert result.err.endswith("2 faults; nothing was changed.\n")
    assert quantities(database_path) == before


def test_a_missing_file_shop_or_option_is_named(loaded: Run, rows: Path) -> None:
    assert loaded("stock", "absent.csv", "--shop", "demo").err.startswith(
        "absent.csv: The file cannot be read: No such"
    )
    assert_error(loaded("stock", rows, "--shop", "other"), "there is no shop other", "bundlesvc shops list")
    assert_usage(loaded("stock", rows), "--shop")


@pytest.mark.parametrize("separator", [";", "\t"])
def test_columns_that_commas_do_not_separate_are_reported(separator: str, loaded: Run, rows: Path) -> None:
    rows.write_text(f"variantId{separator}price\n1001{separator}2.00\n")
    assert loaded("prices", rows, "--shop", "demo").err == (
        f"{rows}:1: The columns must be separated by commas: variantId,price,compareAtPrice,countryCode.\n"
        "1 fault; nothing was changed.\n"
    )


def test_a_live_shop_is_refused(live: Run, rows: Path) -> None:
    assert_error(live("stock", rows, "--shop", "live"), "on a live platform", "change them there")


@pytest.mark.parametrize("table", ["shops", "products"])
def test_a_damaged_document_is_reported(table: str, loaded: Run, rows: Path, database_path: Path) -> None:
    with closing(sqlite3.connect(database_path)) as connection, connection:
        connection.execute(f"UPDATE {table} SET document = '{{'")
    assert_error(
        loaded("stock", rows, "--shop", "demo"), "demo: a stored document cannot be read", "bundlesvc db check"
    )
    rows.write_text("variantId,price\n1001,4.00\n")
    assert_error(loaded("prices", rows, "--shop", "demo"), "demo: a stored document cannot be read")
    assert loaded("load", SHOP).code == 0
    assert loaded("prices", rows, "--shop", "demo").code == 0
