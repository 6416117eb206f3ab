"""`bundlesvc pull` writes other people's changes into a shop file, and leaves all other lines untouched."""

import stat
from pathlib import Path

import pytest
import yaml

from tests.cli.command_line import Run, assert_error
from tests.process.shop import SHOP

TEXT = SHOP.read_text()
MUG = '{id: "2001", price: "8.00"'
DEARER = '{id: "2001", price: "9.50"'


@pytest.fixture
def file(run: Run, tmp_path: Path) -> Path:
    """A shop file that has been loaded into the database."""
    path = tmp_path / "shop.yaml"
    path.write_text(TEXT)
    assert run("load", path).code == 0
    return path


def set_price(run: Run, price: str) -> None:
    """Change a price, as somebody else would."""
    Path("prices.csv").write_text(f"variantId,price\n2001,{price}\n")
    assert run("prices", "prices.csv", "--shop", "demo").code == 0


def test_change_of_others_changes_its_line_only(run: Run, file: Path) -> None:
    set_price(run, "9.50")
    result = run("pull", file)
    assert (result.code, result.out, result.err) == (0, "", f"{file}: 2 changed lines.\n")
    assert file.read_text() == TEXT.replace(MUG, DEARER)
    assert run("pull", file).err == f"{file}: nothing changed.\n"
    assert run("load", file).err == "demo: nothing changed.\n"


def test_dry_run_prints_the_lines_and_changes_nothing(run: Run, file: Path) -> None:
    set_price(run, "9.50")
    result = run("pull", file, "--dry-run")
    removed, added = (line for line in result.out.splitlines()[2:] if line[0] in "+-")
    assert (MUG in removed, DEARER in added) == (True, True)
    assert file.read_text() == TEXT


def test_own_changes_that_are_not_loaded_stay(run: Run, file: Path) -> None:
    file.write_text(TEXT.replace("name: Box,", "name: Big box,"))
    set_price(run, "9.50")
    assert run("pull", file).code == 0
    assert file.read_text() == TEXT.replace("name: Box,", "name: Big box,").replace(MUG, DEARER)
    assert run("load", file).code == 0
    stored = yaml.safe_load(run("export", "demo").out)
    assert (stored["bundles"][0]["name"], stored["products"][1]["variants"][0]["price"]) == ("Big box", "9.50")


def test_conflict_is_reported_with_its_line_and_the_file_stays(run: Run, file: Path) -> None:
    own = TEXT.replace(MUG, '{id: "2001", price: "7.00"')
    file.write_text(own)
    set_price(run, "9.50")
    result = run("pull", file)
    line = own[: own.index("7.00")].count("\n") + 1
    assert (result.code, result.err) == (
        1,
        f'{file}:{line}: products.222.variants.2001.price: The base has "8.00", the shop "9.50", the file "7.00".\n',
    )
    assert file.read_text() == own


def test_force_takes_what_the_service_has(run: Run, file: Path) -> None:
    file.write_text(TEXT.replace(MUG, '{id: "2001", price: "7.00"').replace("name: Box,", "name: Big box,"))
    set_price(run, "9.50")
    assert run("pull", file, "--force").code == 0
    assert file.read_text() == TEXT.replace("name: Box,", "name: Big box,").replace(MUG, DEARER)


def test_permissions_and_links_stay(run: Run, file: Path, tmp_path: Path) -> None:
    file.chmod(0o640)
    link = tmp_path / "link" / "shop.yaml"
    link.parent.mkdir()
    link.symlink_to(file)
    set_price(run, "9.50")
    assert run("pull", link).code == 0
    assert link.is_symlink()
    assert DEARER in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".shop")] == []


def test_unknown_shop_is_reported(loaded: Run, tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(TEXT.replace("handle: demo", "handle: other"))
    assert_error(loaded("pull", path), "there is no shop other")


def test_file_with_faults_is_reported(loaded: Run, tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(TEXT.replace("currency: EUR", "currency: euro"))
    result = loaded("pull", path)
    assert result.code == 1
    assert "currency" in result.err
