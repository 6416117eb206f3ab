"""The common behaviour of all commands: help, usage, settings, and an unusable database."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest

from bundlesvc.cli.access.key_options import MAX_LIMIT
from bundlesvc.cli.main import GROUPS, cli
from bundlesvc.storage.migrations.schema import HEAD
from tests.cli.command_line import Run, assert_error, assert_usage
from tests.storage.locking import writing

WIDTH = 80


def _inner(group: click.Group) -> dict[str, click.Command]:
    context = click.Context(group)
    found = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def _commands(command: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        for name, inner in _inner(command).items():
            yield from _commands(inner, *path, name)


COMMANDS = list(_commands(cli))
WITH_DATABASE = [
    ("shops", "list"),
    ("keys", "list"),
    ("subscriptions", "list"),
    ("reminders", "list"),
    ("db", "upgrade"),
    ("db", "prune"),
    ("shops", "enable", "demo"),
]


def command_at(path: tuple[str, ...]) -> click.Command:
    command: click.Command = cli
    for name in path:
        assert isinstance(command, click.Group)
        command = _inner(command)[name]
    return command


def test_documented_commands_exist() -> None:
    """All commands in docs/contract.md#commands exist."""
    assert {" ".join(path) for path in COMMANDS} >= {
        "init",
        "serve",
        "load",
        "lint",
        "stock",
        "prices",
        "reminders list",
        "reminders forget",
        "keys create",
        "keys list",
        "keys revoke",
        "keys origins",
        "keys limit",
        "shops list",
        "shops enable",
        "shops disable",
        "subscriptions list",
        "subscriptions cancel",
        "db upgrade",
        "db backup",
        "db check",
        "db copy",
        "db prune",
        "discount inspect",
        "secrets reseal",
    }


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(path: tuple[str, ...], flag: str, run: Run) -> None:
    result = run(*path, flag)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: {' '.join(('bundlesvc', *path))} ")
    assert command_at(path).help is not None


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_fits_the_terminal(path: tuple[str, ...], run: Run) -> None:
    lines = run(*path, "--help").out.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert [line for line in lines if line != line.rstrip()] == []
    assert [line for line in lines if "None" in line or line.endswith("-")] == []


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_summary_of_a_command_is_truncated(path: tuple[str, ...], run: Run) -> None:
    """No summary of a command is truncated: the first sentence of its help must fit into one line of the list."""
    _, *lines = run(*path, "--help").out.splitlines()
    assert [line for line in lines if line.endswith("...")] == []


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_has_help(path: tuple[str, ...]) -> None:
    options = [option for option in command_at(path).params if isinstance(option, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_opens_no_database(path: tuple[str, ...], run: Run, database_path: Path) -> None:
    run(*path, "--help")
    assert not database_path.parent.exists()


def test_version_is_printed(run: Run) -> None:
    result = run("--version")
    assert (result.code, result.err) == (0, "")
    assert re.fullmatch(rf"bundlesvc \d+\.\d+\.\d+ \(schema {HEAD}, Python 3\.\d+\.\w+\)\n", result.out)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("nope",), "No such command 'nope'"),
        (("keys", "nope"), "No such command 'nope'"),
        (("load",), "Missing argument"),
        (("load", "--nope", "x"), "No such option"),
        (("keys", "create", "--label", "x"), "Missing option '--shop'"),
        (("keys", "create", "--shop", "demo"), "Missing option '--label'"),
        (("keys", "create", "--shop", "demo", "--label", "x", "--scope", "all"), "'all' is not one of"),
        (
            ("keys", "create", "--shop", "demo", "--label", "x", "--rate-limit", "0"),
            f"not a whole number from 1 to {MAX_LIMIT}.",
        ),
        (
            ("keys", "create", "--shop", "demo", "--label", "x", "--visitor-limit", "off"),
            f"from 1 to {MAX_LIMIT}, nor none.",
        ),
        (("keys", "revoke"), "Missing argument 'PREFIX'"),
        (("subscriptions", "cancel", "x"), "'x' is not a whole number from 1 to"),
        (("db", "prune", "--older-than", "0"), "'0' is not a whole number from 1 to 36500."),
        (("db", "backup"), "Missing argument 'TARGET'"),
        (("discount", "inspect"), "Missing argument 'TOKEN'"),
        (("serve", "--port", "65536"), "'65536' is not a whole number from 0 to 65535."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_command_line_is_reported(arguments: tuple[str, ...], word: str, run: Run) -> None:
    assert_usage(run(*arguments), word)


@pytest.mark.parametrize("arguments", [(), ("--help",)], ids=str)
def test_help_lists_every_command_in_exactly_one_group(arguments: tuple[str, ...], run: Run) -> None:
    """The help lists every command in exactly one group.

    If no command is given, the help is printed to standard error with exit status 2, as for every invalid command line."""
    result = run(*arguments)
    assert result.code == (0 if arguments else 2)
    groups = (result.out + result.err).split("\n\n")[4:]
    assert [group.splitlines()[0] for group in groups] == [f"{heading}:" for heading in GROUPS]
    listed = [line.split()[0] for group in groups for line in group.splitlines()[1:]]
    assert listed == [path[0] for path in COMMANDS if len(path) == 1]
    assert len(set(listed)) == len(listed)


def test_a_group_alone_shows_its_commands(run: Run) -> None:
    result = run("keys")
    assert "Commands:" in result.out + result.err


@pytest.mark.parametrize("arguments", WITH_DATABASE, ids=" ".join)
def test_the_database_and_its_folder_are_created(arguments: tuple[str, ...], run: Run, database_path: Path) -> None:
    run(*arguments)
    with closing(sqlite3.connect(database_path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]


def test_the_default_database_is_below_the_current_folder(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DATABASE_URL")
    assert run("shops", "list").code == 0
    assert (tmp_path / "var" / "bundlesvc.db").is_file()


def test_all_invalid_settings_are_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "http")
    monkeypatch.setenv("DATABASE_URL", "mysql://localhost/x")
    result = run("shops", "list")
    assert (result.code, result.out) == (1, "")
    first, *others = result.err.splitlines()
    assert first == "bundlesvc: invalid settings:"
    assert [line.split(":")[0] for line in others] == ["PORT", "DATABASE_URL"]


class TestUnusableDatabase:
    """An unusable database: each reason is reported in one line."""

    def test_folder_instead_of_a_file(self, run: Run, database_path: Path) -> None:
        database_path.mkdir(parents=True)
        assert_error(run("shops", "list"), f"{database_path}: This is a folder, not a database.")

    def test_file_instead_of_the_folder(self, run: Run, database_path: Path) -> None:
        database_path.parent.write_text("")
        assert_error(run("shops", "list"), f"{database_path.parent}: This is a file, not a folder.")

    def test_folder_below_a_file(self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/file/folder/x.db")
        assert_error(run("shops", "list"))

    def test_file_that_is_not_a_database(self, run: Run, database_path: Path) -> None:
        database_path.parent.mkdir()
        database_path.write_text("Dear Sir or Madam, " * 100)
        assert_error(run("shops", "list"), "file is not a database", f"DATABASE_URL names it: {database_path}")
        assert database_path.read_text().startswith("Dear Sir")

    def test_database_of_a_newer_version(self, loaded: Run, database_path: Path) -> None:
        """A database from a newer version of bundlesvc is reported, for example after a rollback to an older version."""
        with closing(sqlite3.connect(database_path)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
        assert_error(loaded("shops", "list"), "version")

    def test_database_locked_by_another_program(
        self, loaded: Run, database_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bundlesvc.storage.database.sqlite.connections.BUSY_TIMEOUT_MS", 20)
        with writing(str(database_path)):
            assert_error(loaded("shops", "disable", "demo"), "locked", str(database_path))
