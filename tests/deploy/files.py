"""Helpers for tests of the deployment files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import pytest

from bundlesvc.cli.main import cli
from bundlesvc.settings.environment import Settings
from bundlesvc.token_cipher import new_secret_key
from tests.settings.test_environment import VARIABLES

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "config" / "deploy"


def assert_is_command(words: Sequence[str]) -> None:
    """Assert that `bundlesvc` has this command with these options and arguments."""
    command: click.Command = cli
    rest, context = list(words), click.Context(cli, **cli.context_settings)
    while isinstance(command, click.Group):
        found = command.get_command(context, rest.pop(0))
        assert found, words
        command = found
    command.make_context(words[-1], rest, parent=context)  # otherwise the command would lack -h in later tests


def read_settings(environment: Mapping[str, str], patch: pytest.MonkeyPatch) -> Settings:
    """Read the settings from this environment only. Asserts that every name is a setting."""
    assert set(environment) <= set(VARIABLES)
    for name in VARIABLES:
        patch.delenv(name, raising=False)
    for name, value in {"BUNDLESVC_SECRET_KEYS": new_secret_key(), **environment}.items():
        patch.setenv(name, value)
    return Settings.from_environment()
