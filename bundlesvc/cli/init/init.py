"""`bundlesvc init`: writes a first shop file and the settings of a production service."""

import os
import re
import shlex
import shutil
import sys
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import click
import orjson

from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.access.origin import check_origin
from bundlesvc.printable import printable
from bundlesvc.private_files import create
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.json_schema import schema_text
from bundlesvc.token_cipher import new_secret_key

SHOP_FILE, SCHEMA_FILE, SETTINGS_FILE = "shop.yaml", "shop.schema.json", ".env"
TEMPLATES = {SHOP_FILE: "shop.yaml", SETTINGS_FILE: "env"}
"""The template in `new_shop` for each file to create."""

DEFAULT_NAME, DEFAULT_CURRENCY, DEFAULT_PAGE = "My Shop", "EUR", "https://shop.example"
MAX_HANDLE_LENGTH = 63


def _checked(check: Callable[[str], str]) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """Create a click callback that checks the value of an option, if the option is given."""

    def convert(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        return None if value is None else _accepted(check)(value)

    return convert


def _accepted(check: Callable[[str], str]) -> Callable[[str], str]:
    """Wrap a check so that its ValueError becomes a click.BadParameter."""

    def convert(value: str) -> str:
        try:
            return check(value.strip())
        except ValueError as error:
            raise click.BadParameter(str(error)) from error

    return convert


@click.command()
@click.argument("folder", default=".", type=click.Path(path_type=Path))
@click.option("--name", callback=_checked(scalars.name), help="The name of the shop, for shoppers.")
@click.option("--currency", callback=_checked(scalars.currency), help="Its currency, such as EUR.")
@click.option(
    "--page", callback=_checked(check_origin), metavar="ORIGIN", help="The address of its pages: https://shop.example"
)
@click.option("--yes", is_flag=True, help="Use the defaults instead of asking.")
def init(folder: Path, name: str | None, currency: str | None, page: str | None, *, yes: bool) -> None:
    """Write a first shop file, and the settings for production.

    Writes three files to FOLDER (by default the current one): shop.yaml, a shop with one bundle to start from; shop.schema.json,
    which lets editors complete and check shop.yaml; and .env, settings with a new secret key, which only you can read. The
    command overwrites nothing.
    """
    _check_nothing_is_there(folder)
    try:
        name = name or _answer("Name of the shop", DEFAULT_NAME, scalars.name, yes=yes)
        currency = currency or _answer("Currency", DEFAULT_CURRENCY, scalars.currency, yes=yes)
        page = page or _answer("Address of its pages", DEFAULT_PAGE, check_origin, yes=yes)
    except click.Abort:
        click.echo(err=True)
        fail("no answer, so nothing was written. --yes takes the defaults.")
    values = _values(name, currency, page)
    texts = {file: _template(template).substitute(values) for file, template in TEMPLATES.items()}
    _write(folder, texts | {SCHEMA_FILE: schema_text()})
    _print_next(folder, values["handle"], page)


def _check_nothing_is_there(folder: Path) -> None:
    found = [str(path) for file in (*TEMPLATES, SCHEMA_FILE) if os.path.lexists(path := folder / file)]
    if found:
        there = f"{' and '.join(found)} {'exists' if len(found) == 1 else 'exist'} already"
        fail(f"{there}, and init overwrites nothing. Name another folder: bundlesvc init FOLDER")


def _answer(question: str, default: str, check: Callable[[str], str], *, yes: bool) -> str:
    """Ask a question until the answer is valid, and return the answer. With `yes`, return the default without asking."""
    return default if yes else str(click.prompt(question, default, value_proc=_accepted(check), err=True))


def _values(name: str, currency: str, page: str) -> dict[str, str]:
    """Return the values with which the templates of a new shop are filled."""
    return {
        "quoted_name": orjson.dumps(name).decode(),
        "handle": _handle(name),
        "currency": currency,
        "domain": (urlsplit(page).hostname or "").removeprefix("*."),
        "secret_key": new_secret_key(),
    }


def _handle(name: str) -> str:
    """Turn a shop's name into a handle of lower-case letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_HANDLE_LENGTH].strip("-") or "my-shop"


def _template(name: str) -> Template:
    return Template((files("bundlesvc.cli.init") / "new_shop" / name).read_text("utf-8"))


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write all files, or none. Raises OSError."""
    with ExitStack() as undo:
        if not folder.exists():
            folder.mkdir(parents=True)
            undo.callback(folder.rmdir)
        for name, text in texts.items():
            path = folder / name
            if name == SETTINGS_FILE:
                create(path)
            else:
                path.touch(exist_ok=False)
            undo.callback(path.unlink)
            path.write_text(text, "utf-8")
        undo.pop_all()


def _print_next(folder: Path, handle: str, page: str) -> None:
    """Print the commands that start the service. They can be pasted into a POSIX shell as they are."""
    program = "bundlesvc" if shutil.which("bundlesvc") else f"{shlex.quote(sys.executable)} -m bundlesvc"
    enter = "" if folder == Path() else f"cd {shlex.quote(str(folder))} && "
    lines = [
        f"Wrote {folder / SHOP_FILE} and {folder / SETTINGS_FILE}. Store a copy of the secret key elsewhere. Next:",
        "",
        f"  {enter}set -a && . ./{SETTINGS_FILE} && set +a",
        f"  {program} load {SHOP_FILE}",
        f"  {program} keys create --shop {handle} --label pages --page {shlex.quote(page)}",
        f"  {program} serve",
    ]
    click.echo("\n".join(map(printable, lines)))
