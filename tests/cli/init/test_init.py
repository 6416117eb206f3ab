"""`bundlesvc init` creates a first shop file and the settings for production."""

import errno
import io
import json
import re
import shlex
import stat
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from bundlesvc.settings.environment import Settings
from bundlesvc.shop_file.loading import read_shop_file
from tests.cli.command_line import Result, Run, assert_error, assert_usage
from tests.process.serving import BASE, selection, serving
from tests.settings.test_environment import VARIABLES

KEY = re.compile(r"bnd_live_\S{43}")
STOREFRONT = Path(__file__).parents[3] / "bundlesvc" / "storefront"
FILES = ["shop.yaml", "shop.schema.json", ".env"]


@pytest.fixture
def answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A function that runs `bundlesvc init shop` with the given lines on standard input."""

    def answer(*lines: str) -> Result:
        text = "".join(f"{line}\n" for line in lines)
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        return run("init", "shop")

    return answer


def settings_in(folder: Path, start: str = "") -> dict[str, str]:
    """The settings in `.env`; with `start="#"`, those that are commented out."""
    lines = (folder / ".env").read_text("utf-8").splitlines()
    found = [re.fullmatch(rf"{start}([A-Z_]+)=(\S*)", line) for line in lines]
    return {match[1]: match[2] for match in found if match}


@pytest.mark.parametrize("currency", ["EUR", "JPY", "KWD"])
def test_shop_file_is_valid_and_clean(currency: str, run: Run) -> None:
    assert run("init", "shop", "--yes", "--currency", currency, "--name", "Null: #1 'Äpfel' & \"Co\" $x").code == 0
    linted = run("lint", "shop/shop.yaml")
    assert (linted.code, linted.out, linted.err) == (0, "", "clean\n")
    assert run("load", "shop/shop.yaml").err == "null-1-apfel-co-x: loaded 4 products, 1 bundle.\n"
    assert run("load", "shop/shop.yaml").err == "null-1-apfel-co-x: nothing changed.\n"
    shop = read_shop_file(Path("shop/shop.yaml")).shop
    assert (shop.name, shop.headless_enabled) == ("Null: #1 'Äpfel' & \"Co\" $x", True)


def test_products_and_bundle_have_pictures_of_the_service(run: Run) -> None:
    """The products and the bundle have self-contained images from the service, so a page does not need to load images from
    anywhere else."""
    assert run("init", "--yes").code == 0
    shop_file = read_shop_file(Path("shop.yaml"))
    addresses = [product.image_url for product in shop_file.products]
    assert [bundle.image_url for bundle in shop_file.bundles] == addresses[-1:]
    assert len(set(addresses)) == 4
    for address in addresses:
        picture = (STOREFRONT / address.removeprefix("/storefront/")).read_text("utf-8")
        assert len(picture) < 3000
        assert re.findall(r"(?:href|url|src)\b", picture) == []


def test_settings_are_valid_with_and_without_the_examples(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings are valid both with and without the example settings, which can be uncommented without other changes."""
    assert run("init", "--yes").code == 0
    own, examples = settings_in(tmp_path), settings_in(tmp_path, "#")
    assert set(own) == {"BUNDLESVC_SECRET_KEYS", "BUNDLESVC_TRUSTED_PROXIES"}
    assert {"DATABASE_URL", "PORT", "BUNDLESVC_HOST", "REDIS_URL", "WEB_CONCURRENCY"} <= set(examples) <= set(VARIABLES)
    for name, value in (own | examples).items():
        monkeypatch.setenv(name, value)
    settings = Settings.from_environment()
    assert (settings.secret_keys, settings.port) == ((own["BUNDLESVC_SECRET_KEYS"],), 8080)


def test_each_service_has_its_own_secret_which_only_its_user_can_read(run: Run, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert run("init", folder, "--yes").code == 0
        assert stat.S_IMODE((tmp_path / folder / ".env").stat().st_mode) == 0o600
    assert settings_in(tmp_path / "one") != settings_in(tmp_path / "two")
    assert settings_in(tmp_path / "one")["BUNDLESVC_SECRET_KEYS"] not in run("init", "three", "--yes").out


def test_answers_are_in_the_shop_file_and_in_the_commands(answer: Run, tmp_path: Path) -> None:
    """Answers are used in the shop file and in the printed commands. After an invalid answer, the error is explained and the
    question is repeated."""
    result = answer("Teahouse", "Euro", "CHF", "tea.example", "https://tea.example")
    assert result.code == 0
    assert "not a currency code" in result.err
    assert "must begin with a scheme" in result.err
    shop = read_shop_file(tmp_path / "shop" / "shop.yaml").shop
    assert shop.settings is not None
    assert (shop.handle, shop.name, shop.domain, shop.settings.currency) == (
        "teahouse",
        "Teahouse",
        "tea.example",
        "CHF",
    )
    assert "keys create --shop teahouse --label pages --page https://tea.example\n" in result.out


def test_empty_answers_take_the_defaults(answer: Run, run: Run, tmp_path: Path) -> None:
    assert answer("", "", "").code == 0
    assert run("init", "other", "--yes").code == 0
    written, other = (tmp_path / folder / "shop.yaml" for folder in ("shop", "other"))
    assert written.read_text("utf-8") == other.read_text("utf-8")


def test_nothing_is_written_without_answers(answer: Run, tmp_path: Path) -> None:
    result = answer("Teahouse")
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines()[-1].startswith("bundlesvc: no answer, so nothing was written.")
    assert not (tmp_path / "shop").exists()


@pytest.mark.parametrize("existing", FILES)
def test_nothing_is_overwritten(existing: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / existing).write_text("mine")
    assert_error(run("init", "--yes"), f"{existing} exists already, and init overwrites nothing")
    assert [path.name for path in tmp_path.iterdir()] == [existing]
    assert (tmp_path / existing).read_text() == "mine"


@pytest.mark.parametrize("failing", FILES)
def test_full_disk_leaves_nothing_behind(
    failing: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_text

    def write_or_fail(path: Path, text: str, encoding: str) -> int:
        if path.name == failing:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, text, encoding)

    monkeypatch.setattr(Path, "write_text", write_or_fail)
    assert_error(run("init", "shop", "--yes"), "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_file_in_place_of_the_folder_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "shop").touch()
    assert_error(run("init", "shop", "--yes"), "shop", "directory")


@pytest.mark.parametrize(
    ("option", "value", "word"),
    [
        ("--currency", "euro", "not a currency code"),
        ("--name", " ", "cannot be empty"),
        ("--name", "Tea\nhouse", "U+000A"),
        ("--page", "shop.example", "must begin with a scheme"),
    ],
)
def test_wrong_option_is_reported(option: str, value: str, word: str, run: Run, tmp_path: Path) -> None:
    assert_usage(run("init", "--yes", option, value), word)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_printed_commands_work(run: Run, tmp_path: Path) -> None:
    """The printed commands work in a shell, in the folder in which `init` was run: the service starts, and a bundle can be
    configured."""
    printed = run("init", "my shop", "--yes", "--page", "https://shop.example").out
    *before, serve = [line.strip() for line in printed.splitlines() if line.startswith("  ")]
    assert shlex.split(serve)[-1] == "serve"
    script = "\n".join(["set -e", *before, "shift", f'exec {serve} "$@"'])  # `serving` appends the port
    settings = {"DATABASE_URL": None, "BUNDLESVC_SECRET_KEYS": None}
    page = {"Origin": "https://shop.example"}
    with serving(tmp_path, program=("sh", "-c", script, "sh"), settings=settings) as server:
        key = server.out.wait_for(KEY)
        assert key
        items = selection("native", (10011, 1001, 1), (10022, 1002, 1), (10031, 1003, 2))
        configured = server.post(f"{BASE}/embed/api/v1/bundle/1/product", key[0], items, page)
        assert (configured.status, configured.json["pricing"]["discountedPrice"]) == (200, "29.45")
    assert (tmp_path / "my shop" / "var" / "bundlesvc.db").is_file()


def test_editors_find_the_schema_of_the_shop_file(run: Run, tmp_path: Path) -> None:
    assert run("init", "--yes").code == 0
    first = (tmp_path / "shop.yaml").read_text("utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=shop.schema.json"
    schema = json.loads((tmp_path / "shop.schema.json").read_text("utf-8"))
    document = yaml.safe_load((tmp_path / "shop.yaml").read_text("utf-8"))
    assert list(Draft202012Validator(schema).iter_errors(document)) == []
    assert run("schema").out == (tmp_path / "shop.schema.json").read_text("utf-8")


def test_schema_in_a_folder_of_shop_files_is_not_loaded(run: Run) -> None:
    assert run("init", "--yes").code == 0
    assert run("load", ".").err == "my-shop: loaded 4 products, 1 bundle.\n"
