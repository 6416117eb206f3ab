"""`bundlesvc export` prints the stored shop as a file that can be loaded."""

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.command_line import Run, assert_error
from tests.process.shop import SHOP

DEMO = Path(__file__).parents[3] / "config" / "demo-shop.yaml"


@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize("path", [SHOP, DEMO], ids=["small", "demo"])
def test_loading_an_export_changes_nothing(form: str, path: Path, run: Run, tmp_path: Path) -> None:
    run("load", path)
    exported = run("export", "demo", "--format", form)
    assert (exported.code, exported.err) == (0, "")
    file = tmp_path / f"exported.{form}"
    file.write_text(exported.out)
    assert run("load", file).err == "demo: nothing changed.\n"


def test_an_export_has_prices_that_were_changed_since_the_load(loaded: Run, tmp_path: Path) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text("variantId,price\n2001,9.50\n")
    loaded("prices", prices, "--shop", "demo")
    mug = yaml.safe_load(loaded("export", "demo").out)["products"][1]
    assert (mug["title"], mug["variants"][0]["price"]) == ("Mug", "9.50")


def test_an_export_names_the_schema_for_editors(loaded: Run) -> None:
    assert loaded("export", "demo").out.startswith("# yaml-language-server: $schema=shop.schema.json\nshop:\n")


def test_text_is_not_escaped(loaded: Run, tmp_path: Path) -> None:
    file = tmp_path / "shop.json"
    tree = yaml.safe_load(SHOP.read_text())
    tree["shop"]["name"] = "Käse & Öl 🧀"
    file.write_text(json.dumps(tree))
    loaded("load", file)
    assert "Käse & Öl 🧀" in loaded("export", "demo").out
    assert "Käse & Öl 🧀" in loaded("export", "demo", "--format", "json").out


def test_an_unknown_shop_is_reported(loaded: Run) -> None:
    assert_error(loaded("export", "other"), "there is no shop other", "bundlesvc shops list")
