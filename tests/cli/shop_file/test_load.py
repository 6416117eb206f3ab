"""`bundlesvc load` reports all faults and writes nothing, or writes everything; a second load changes nothing."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from bundlesvc.storage.catalogue import shop_deletion, shop_differences, shop_files
from bundlesvc.storage.catalogue.generations import insert_in_parts
from bundlesvc.storage.catalogue.shop_deletion import delete_shop
from bundlesvc.storage.database.interface import Database
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.conftest import SECRET_KEY
from tests.process.shop import SHOP

LOADED = "demo: loaded 4 products, 3 bundles, 2 markets, 1 experiment.\n"
TEXT = SHOP.read_text()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A copy of the test shop's file with another handle."""
    path = tmp_path / "other.yaml"
    path.write_text(TEXT.replace("handle: demo", "handle: other"))
    return path


def revisions(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT handle, revision FROM shops").fetchall())


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_load_stores_a_shop(run: Run, database_path: Path) -> None:
    result = run("load", SHOP)
    assert (result.code, result.out, result.err) == (0, "", LOADED)
    assert revisions(database_path) == {"demo": 1}
    assert [shop["shop"] for shop in run("shops", "list", "--json").json] == ["demo"]


def test_loading_twice_changes_nothing(loaded: Run, database_path: Path) -> None:
    result = loaded("load", SHOP)
    assert (result.code, result.out, result.err) == (0, "", "demo: nothing changed.\n")
    assert revisions(database_path) == {"demo": 1}


def test_a_file_in_another_order_changes_nothing(loaded: Run, database_path: Path, tmp_path: Path) -> None:
    tree = yaml.safe_load(TEXT)
    for key in ("markets", "products", "bundles", "experiments"):
        tree[key].reverse()
    path = tmp_path / "backwards.json"
    path.write_text(json.dumps(tree))
    assert loaded("load", "--dry-run", path).out == "demo: nothing would change.\n"
    assert loaded("load", path).err == "demo: nothing changed.\n"
    assert revisions(database_path) == {"demo": 1}


def test_json_is_loaded_too(loaded: Run, tmp_path: Path) -> None:
    path = tmp_path / "shop.json"
    path.write_text(json.dumps(yaml.safe_load(TEXT), ensure_ascii=False))
    assert loaded("load", path).err == "demo: nothing changed.\n"


def test_a_changed_file_is_loaded(loaded: Run, database_path: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.yaml"
    path.write_text(TEXT.replace("name: Box", "name: Crate"))
    assert loaded("load", path).err == LOADED
    assert revisions(database_path) == {"demo": 2}


def test_several_files_are_loaded(run: Run, other: Path, database_path: Path) -> None:
    result = run("load", SHOP, other)
    assert (result.code, result.err) == (0, LOADED + LOADED.replace("demo", "other"))
    assert run("load", other, SHOP).err == "other: nothing changed.\ndemo: nothing changed.\n"
    assert revisions(database_path) == {"demo": 1, "other": 1}


def test_a_folder_stands_for_its_shop_files_in_the_order_of_their_names(
    run: Run, other: Path, tmp_path: Path, database_path: Path
) -> None:
    folder = tmp_path / "shops"
    (folder / "inner").mkdir(parents=True)
    (folder / "b.yml").write_text(TEXT)
    (folder / "a.json").write_text(json.dumps(yaml.safe_load(other.read_text())))
    (folder / "README.md").write_text("not a shop file")
    result = run("load", folder)
    assert (result.code, result.err) == (0, LOADED.replace("demo", "other") + LOADED)
    assert revisions(database_path) == {"other": 1, "demo": 1}

    (folder / "c.yaml").write_text(TEXT)
    refused = run("load", folder, SHOP)
    assert refused.code == 1
    assert refused.err.splitlines()[0] == f"{folder / 'c.yaml'}: the shop demo is described in {folder / 'b.yml'}, too."
    assert refused.err.endswith("2 faults; nothing was loaded.\n")


def test_watching_changes_something(run: Run) -> None:
    assert_usage(
        run("load", SHOP, "--watch", "--dry-run"), "--watch cannot be combined with --dry-run, --base or --force."
    )


def test_a_shop_in_two_files_is_refused(run: Run, other: Path, tmp_path: Path, database_path: Path) -> None:
    """A shop that is in two files is refused; otherwise, the last file would win and the first would be lost."""
    again = tmp_path / "again.yaml"
    again.write_text(TEXT)
    result = run("load", SHOP, other, again)
    assert (result.code, result.out) == (1, "")
    assert result.err == f"{again}: the shop demo is described in {SHOP}, too.\n1 fault; nothing was loaded.\n"
    assert not database_path.exists()


def test_every_fault_is_reported_with_its_line_and_nothing_is_written(
    run: Run, other: Path, tmp_path: Path, database_path: Path
) -> None:
    text = TEXT.replace('price: "8.00"', 'price: "cheap"').replace("currency: USD", "currency: dollars")
    bad = tmp_path / "bad.yaml"
    bad.write_text(text)
    worse = tmp_path / "worse.yaml"
    worse.write_text("shop: {handle: x, currency: EUR}\nbundels: []\nproducts: ]\n")
    absent = tmp_path / "absent.yaml"

    empty = tmp_path / "empty"
    empty.mkdir()

    result = run("load", other, bad, worse, absent, empty)

    assert (result.code, result.out) == (1, "")
    *faults, summary = result.err.splitlines()
    assert summary == f"{len(faults)} faults; nothing was loaded."
    assert f"{bad}:{line_of(text, 'dollars')}: markets.1.currency: " in result.err
    assert f"{bad}:{line_of(text, 'cheap')}: products.1.variants.0.price: " in result.err
    assert any(fault.startswith(f"{worse}:3: ") for fault in faults)
    assert f"{absent}: The file cannot be read: No such file or directory." in faults
    assert f"{empty}: There is no file *.json, *.yaml or *.yml in this folder." in faults
    assert len(faults) == 5
    assert not database_path.exists()


def test_a_fault_in_one_file_loads_none(loaded: Run, other: Path, tmp_path: Path, database_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(TEXT.replace("name: Box", "nmae: Crate"))
    result = loaded("load", other, bad)
    assert result.code == 1
    assert f"{bad}:{line_of(TEXT, 'name: Box')}: bundles.0.nmae: " in result.err
    assert result.err.endswith("; nothing was loaded.\n")
    assert revisions(database_path) == {"demo": 1}


def test_one_fault_is_counted_in_the_singular(run: Run, tmp_path: Path) -> None:
    result = run("load", tmp_path / "absent.yaml")
    assert result.err.splitlines()[-1] == "1 fault; nothing was loaded."


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"\x00", b"- 1\n- 2\n", b"text", b"{", b"a: &x [*x]\n"])
def test_a_file_that_is_not_a_shop_file_is_reported(content: bytes, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_bytes(content)
    result = run("load", path)
    assert (result.code, result.out) == (1, "")
    assert "Traceback" not in result.err
    assert result.err.startswith(str(path))


def test_a_dry_run_prints_what_would_change_and_changes_nothing(
    loaded: Run, other: Path, tmp_path: Path, database_path: Path
) -> None:
    path = tmp_path / "changed.yaml"
    path.write_text(TEXT.replace("name: Box", "name: Crate").replace("countryCode: JP", "countryCode: NO"))

    result = loaded("load", "--dry-run", path, other)

    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "demo: 3 changes"
    assert set(lines[1:4]) == {"  + market NO", "  - market JP", "  ~ bundle 42 name: Box -> Crate"}
    assert lines[4] == "other: 11 changes"
    assert "  + shop other" in lines
    assert "  + bundle 42 Box" in lines
    assert loaded("load", "--dry-run", SHOP).out == "demo: nothing would change.\n"
    assert revisions(database_path) == {"demo": 1}


def test_a_dry_run_reports_faults(run: Run, tmp_path: Path) -> None:
    result = run("load", "--dry-run", tmp_path / "absent.yaml")
    assert result.code == 1
    assert result.err.endswith("1 fault; nothing was loaded.\n")


def test_output_in_a_pipe_has_no_control_characters(run: Run) -> None:
    result = run("load", SHOP)
    assert "\x1b" not in result.out + result.err
    assert "\r" not in result.out + result.err


TABLES = ("shops", "markets", "products", "bundles", "experiments")


def damage(database_path: Path, *tables: str) -> None:
    """Truncate the documents of these tables to half their length."""
    with closing(sqlite3.connect(database_path)) as connection, connection:
        for table in tables:
            connection.execute(f"UPDATE {table} SET document = substr(document, 1, length(document) / 2)")


@pytest.mark.parametrize("small_rows", [0, shop_differences.SMALL_ROWS])
def test_a_load_repairs_damaged_documents(
    small_rows: int, loaded: Run, database_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(database_path, *TABLES)
    assert loaded("db", "check").code == 1
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", small_rows)
    result = loaded("load", SHOP)
    assert (result.code, result.err) == (0, LOADED)
    assert loaded("db", "check").code == 0
    assert loaded("load", SHOP).err == "demo: nothing changed.\n"


def test_a_damaged_document_is_reported_with_its_shop(loaded: Run, database_path: Path) -> None:
    damage(database_path, "products")
    result = loaded("load", "--dry-run", SHOP)
    assert_error(
        result, "demo: a stored document cannot be read", "bundlesvc db check", "loading the shop's file again"
    )
    damage(database_path, "shops")
    assert_error(loaded("shops", "list"), "a stored document cannot be read", "bundlesvc db check")


def test_a_shop_that_is_deleted_while_it_is_loaded_is_reported(
    loaded: Run, database_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shop_deletion, "NOTICE_SECONDS", 0)
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", 0)
    changed = tmp_path / "changed.yaml"
    changed.write_text(TEXT.replace("name: Box", "name: Crate"))

    async def overtaken(database: Database, *arguments: Any) -> None:
        await delete_shop(database, "demo")
        await insert_in_parts(database, *arguments)

    monkeypatch.setattr(shop_files, "insert_in_parts", overtaken)
    assert_error(loaded("load", changed), "demo was deleted while its file was loaded; nothing of it is stored")
    assert loaded("shops", "list", "--json").json == []
    assert loaded("db", "check").code == 0


def test_an_interrupted_load_says_what_is_stored(loaded: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shop_differences, "SMALL_ROWS", 0)
    other = tmp_path / "other.yaml"
    other.write_text(TEXT.replace("handle: demo", "handle: other"))

    async def interrupted(*_: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as patched:
        patched.setattr(shop_files, "insert_in_parts", interrupted)
        result = loaded("load", other)
    assert_error(result, "interrupted. The shop other is as before, or as its file says; load the file again.")
    assert [shop["shop"] for shop in loaded("shops", "list", "--json").json] == ["demo"]
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
    assert "• other: its first load has not ended: it is running, or was interrupted." in loaded("doctor").out
    assert loaded("load", other).code == 0
    assert "first load" not in loaded("doctor").out
