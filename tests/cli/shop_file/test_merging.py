"""`bundlesvc load --base` loads only what a file changes, and keeps what others have changed."""

from pathlib import Path

import pytest
import yaml

from bundlesvc.shop_file.loading import read_shop_file
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.process.shop import SHOP

TEXT = SHOP.read_text()
MUG = '{id: "2001", price: '


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A shop file in which the bundle "Box" has a new name."""
    path = tmp_path / "shop.yaml"
    path.write_text(TEXT.replace("name: Box,", "name: Big box,"))
    return path


def set_price(run: Run, price: str) -> None:
    """Change a price in the stored shop, but not in the file."""
    Path("prices.csv").write_text(f"variantId,price\n2001,{price}\n")
    assert run("prices", "prices.csv", "--shop", "demo").code == 0


def names_and_price(run: Run) -> tuple[str, str]:
    stored = yaml.safe_load(run("export", "demo").out)
    return stored["bundles"][0]["name"], stored["products"][1]["variants"][0]["price"]


def test_changes_of_both_sides_are_kept(loaded: Run, file: Path) -> None:
    set_price(loaded, "9.50")
    result = loaded("load", file, "--base", SHOP)
    assert (result.code, result.err) == (0, "demo: merged the changes of the file.\n")
    assert names_and_price(loaded) == ("Big box", "9.50")
    assert loaded("load", file, "--base", SHOP).err == "demo: nothing changed.\n"


def test_a_load_keeps_what_others_have_changed(loaded: Run, file: Path) -> None:
    """A load keeps a price that others have changed, and so does a second load of a file that still contains the old price."""
    set_price(loaded, "9.50")
    assert loaded("load", file).err == "demo: merged the changes of the file.\n"
    assert names_and_price(loaded) == ("Big box", "9.50")
    file.write_text(file.read_text().replace("name: Big box,", "name: Bigger box,"))
    loaded("load", file)
    assert names_and_price(loaded) == ("Bigger box", "9.50")
    assert loaded("load", file).err == "demo: nothing changed.\n"


def test_a_forced_load_says_what_it_overwrites(loaded: Run, file: Path) -> None:
    loaded("load", SHOP)
    set_price(loaded, "9.50")
    result = loaded("load", file, "--force")
    assert result.err.splitlines() == [
        "demo: overwrites 1 change of others:",
        '  products.222.variants.2001.price: the shop has "9.50", the file "8.00".',
        "demo: loaded 4 products, 3 bundles, 2 markets, 1 experiment.",
    ]
    assert names_and_price(loaded) == ("Big box", "8.00")


def test_a_file_that_changes_what_others_have_changed_conflicts(loaded: Run, file: Path) -> None:
    loaded("load", SHOP)
    set_price(loaded, "9.50")
    file.write_text(file.read_text().replace(f'{MUG}"8.00"', f'{MUG}"7.00"'))
    for options in ((), ("--dry-run",)):
        result = loaded("load", file, *options)
        assert result.code == 1
        assert 'products.222.variants.2001.price: The base has "8.00", the shop "9.50", the file "7.00".' in result.err
        assert f"1 fault; {file} was not loaded." in result.err
    assert names_and_price(loaded) == ("Box", "9.50")


def test_a_conflict_is_reported_with_its_line_and_nothing_is_written(loaded: Run, file: Path) -> None:
    set_price(loaded, "9.50")
    text = file.read_text().replace(f'{MUG}"8.00"', f'{MUG}"7.00"')
    file.write_text(text)
    line = text[: text.index(MUG)].count("\n") + 1
    result = loaded("load", file, "--base", SHOP)
    assert result.code == 1
    assert result.err.splitlines() == [
        f'{file}:{line}: products.222.variants.2001.price: The base has "8.00", the shop "9.50", the file "7.00".',
        f"1 fault; {file} was not loaded. `bundlesvc pull` brings the changes of others into it, and --force overwrites them.",
    ]
    assert names_and_price(loaded) == ("Box", "9.50")


def test_a_part_that_one_side_deletes_and_the_other_changes_is_a_conflict(loaded: Run, tmp_path: Path) -> None:
    tree = yaml.safe_load(TEXT)
    tree["markets"][1]["exchangeRate"] = "1.20"
    changed = tmp_path / "changed.yaml"
    changed.write_text(yaml.safe_dump(tree))
    loaded("load", changed)
    del tree["markets"][1]
    without = tmp_path / "without.yaml"
    without.write_text(yaml.safe_dump(tree))
    result = loaded("load", without, "--base", SHOP)
    assert result.code == 1
    assert "markets.US: The base has {" in result.err
    assert "the file nothing." in result.err


def test_a_dry_run_prints_the_merged_changes_and_writes_nothing(loaded: Run, file: Path) -> None:
    set_price(loaded, "9.50")
    result = loaded("load", file, "--base", SHOP, "--dry-run")
    assert (result.code, result.out) == (0, "demo: 1 change\n  ~ bundle 42 name: Box -> Big box\n")
    assert names_and_price(loaded) == ("Box", "9.50")


def test_a_merged_shop_must_be_valid(loaded: Run, tmp_path: Path) -> None:
    tree = yaml.safe_load(TEXT)
    tree["experiments"][0]["arms"][1]["bundleId"] = 44
    other = tmp_path / "other.yaml"
    other.write_text(yaml.safe_dump(tree))
    assert loaded("load", other).code == 0
    tree = yaml.safe_load(TEXT)
    del tree["bundles"][2]
    mine = tmp_path / "mine.yaml"
    mine.write_text(yaml.safe_dump(tree))
    result = loaded("load", mine, "--base", SHOP)
    assert result.code == 1
    assert "With what the shop has by now: " in result.err
    assert f"1 fault; {mine} was not loaded." in result.err
    assert len(yaml.safe_load(loaded("export", "demo").out)["bundles"]) == 3


def test_a_shop_that_is_not_stored_is_loaded_whole(run: Run, file: Path) -> None:
    assert run("load", file, "--base", SHOP).err == "demo: merged the changes of the file.\n"
    assert names_and_price(run) == ("Big box", "8.00")


def test_faults_of_base_and_file_are_reported(loaded: Run, file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("shop: {}\n")
    for arguments in ((file, "--base", broken), (broken, "--base", SHOP)):
        result = loaded("load", *arguments)
        assert result.code == 1
        assert "broken.yaml:1: shop.handle" in result.err


def test_base_and_file_must_describe_one_shop(loaded: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(TEXT.replace("handle: demo", "handle: other"))
    assert read_shop_file(other).shop.handle == "other"
    assert_error(loaded("load", other, "--base", SHOP), "describes the shop demo", "describes other")


def test_wrong_options_are_refused(loaded: Run, file: Path) -> None:
    assert_usage(loaded("load", file, SHOP, "--base", SHOP), "--base takes one shop file.")
    assert_usage(
        loaded("load", file, "--base", SHOP, "--watch"), "--watch cannot be combined with --dry-run, --base or --force."
    )
