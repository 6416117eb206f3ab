"""`bundlesvc revisions` and `bundlesvc diff`."""

import json
from pathlib import Path

import pytest
import yaml

from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.shop_file.plain import plain_content
from tests.cli.command_line import Run, assert_error
from tests.process.shop import SHOP

TEXT = SHOP.read_text()


@pytest.fixture
def renamed(tmp_path: Path) -> Path:
    path = tmp_path / "shop.yaml"
    path.write_text(TEXT.replace("name: Box,", "name: Big box,"))
    return path


@pytest.fixture
def loaded_twice(loaded: Run, renamed: Path) -> Run:
    """A shop with three revisions: the original one, the loaded file, and the file with the renamed box."""
    assert loaded("load", renamed).code == 0
    return loaded


def revisions(run: Run) -> list[tuple[int, str, str]]:
    found = run("revisions", "list", "--shop", "demo", "--json").json
    return [(each["number"], each["state"], each["source"]) for each in found]


def test_list_names_state_and_source(loaded_twice: Run) -> None:
    assert revisions(loaded_twice)[0] == (2, "live", "file:shop.yaml")
    assert revisions(loaded_twice)[1][:2] == (1, "past")
    table = loaded_twice("revisions", "list", "--shop", "demo").out
    assert "file:shop.yaml" in table
    assert loaded_twice("revisions", "list", "--shop", "demo", "--state", "past", "--json").json[0]["number"] == 1


def test_show_prints_a_shop_file(loaded_twice: Run, tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    path.write_text(loaded_twice("revisions", "show", 1, "--shop", "demo").out)
    assert plain_content(read_shop_file(path)) == plain_content(read_shop_file(SHOP))
    assert loaded_twice("revisions", "show", 2, "--shop", "demo", "--json").json["bundles"][0]["name"] == "Big box"


def test_diff_prints_sentences(loaded_twice: Run) -> None:
    result = loaded_twice("revisions", "diff", 1, "--shop", "demo")
    assert result.out == 'Bundle 42 "Box", name: "Big box" becomes "Box".\n'
    assert loaded_twice("revisions", "diff", 2, "--shop", "demo").out == "Nothing differs.\n"
    changes = loaded_twice("revisions", "diff", 2, "--shop", "demo", "--against", 1, "--json").json["changes"]
    assert [(each["path"], each["after"]) for each in changes] == [("bundles.42.name", "Big box")]


def test_revert_is_a_draft_until_it_is_published(loaded_twice: Run) -> None:
    result = loaded_twice("revisions", "revert", 1, "--shop", "demo")
    assert result.out == 'Bundle 42 "Box", name: "Big box" becomes "Box".\n'
    assert "revision 3 restores revision 1" in result.err
    assert revisions(loaded_twice)[0][:2] == (3, "draft")
    tried = loaded_twice("revisions", "publish", 3, "--shop", "demo", "--dry-run")
    assert tried.err == "demo: revision 3 can be published. Nothing was changed.\n"
    assert loaded_twice("revisions", "publish", 3, "--shop", "demo").err == "demo: revision 3 published.\n"
    assert yaml.safe_load(loaded_twice("export", "demo").out)["bundles"][0]["name"] == "Box"


def test_conflict_is_printed_with_its_values(loaded_twice: Run, renamed: Path) -> None:
    loaded_twice("revisions", "revert", 1, "--shop", "demo")
    renamed.write_text(TEXT.replace("name: Box,", "name: Huge box,"))
    assert loaded_twice("load", renamed).code == 0
    result = loaded_twice("revisions", "publish", 3, "--shop", "demo")
    assert result.code == 1
    assert result.err.splitlines() == [
        "bundlesvc: What is live now has other changes in the same places. Nothing was published.",
        'bundles.42.name: the base has "Big box", the live revision "Huge box", this one "Box".',
    ]


def test_revision_is_scheduled_taken_back_and_discarded(loaded_twice: Run) -> None:
    loaded_twice("revisions", "revert", 1, "--shop", "demo")
    assert loaded_twice("revisions", "publish", 3, "--shop", "demo", "--at", "2100-01-01T00:00:00+01:00").code == 0
    assert revisions(loaded_twice)[0][:2] == (3, "scheduled")
    assert loaded_twice("revisions", "unschedule", 3, "--shop", "demo").err == "demo: revision 3 is a draft again.\n"
    assert loaded_twice("revisions", "discard", 3, "--shop", "demo").err == "demo: revision 3 discarded.\n"
    assert_error(loaded_twice("revisions", "publish", 3, "--shop", "demo"), "This revision is discarded.")


def test_audit_log_is_json_lines(loaded_twice: Run) -> None:
    lines = loaded_twice("revisions", "audit", "--shop", "demo").out.splitlines()
    entry = json.loads(lines[0])
    assert (entry["action"], entry["actor"], entry["revision"]) == ("load", "bundlesvc load", 2)
    assert entry["changes"] == [{"path": "bundles.42.name", "before": "Box", "after": "Big box"}]
    assert loaded_twice("revisions", "audit", "--shop", "demo", "--since", "2100-01-01").out == ""


def test_switching_a_shop_is_in_the_audit_log(loaded: Run) -> None:
    assert loaded("shops", "disable", "demo").code == 0
    assert loaded("shops", "enable", "demo").code == 0
    entries = [json.loads(line) for line in loaded("revisions", "audit", "--shop", "demo").out.splitlines()]
    assert [(each["action"], each["actor"]) for each in entries[:2]] == [
        ("enable", "bundlesvc shops"),
        ("disable", "bundlesvc shops"),
    ]
    assert entries[1]["changes"] == [{"path": "shop.headlessEnabled", "before": True, "after": False}]


def test_new_prices_make_a_revision_and_stock_does_not(loaded: Run, tmp_path: Path) -> None:
    prices, stock = tmp_path / "prices.csv", tmp_path / "stock.csv"
    prices.write_text("variantId,price\n2001,9.50\n")
    stock.write_text("variantId,inventoryQuantity\n1001,3\n")
    assert loaded("prices", prices, "--shop", "demo").code == 0
    assert loaded("stock", stock, "--shop", "demo").code == 0
    assert revisions(loaded)[0][1:] == ("live", "platform")
    entries = [json.loads(line) for line in loaded("revisions", "audit", "--shop", "demo").out.splitlines()]
    assert [(each["action"], each["revision"]) for each in entries[:2]] == [("stock", None), ("prices", 2)]
    assert entries[0]["changes"] == [{"path": "products.111.variants.1001.inventoryQuantity", "before": 5, "after": 3}]


def test_unknown_revision_and_shop(loaded: Run) -> None:
    assert_error(loaded("revisions", "show", 9, "--shop", "demo"), "demo has no such revision")
    assert_error(loaded("revisions", "list", "--shop", "other"), "there is no shop other")


def test_diff_of_a_file(loaded: Run, renamed: Path) -> None:
    assert loaded("diff", SHOP).out == "Nothing differs.\n"
    assert loaded("diff", renamed).out == 'Bundle 42 "Big box", name: "Box" becomes "Big box".\n'
    assert loaded("diff", renamed, "--json").json["changes"][0]["path"] == "bundles.42.name"
    renamed.write_text("shop: {")
    assert loaded("diff", renamed).code == 1
