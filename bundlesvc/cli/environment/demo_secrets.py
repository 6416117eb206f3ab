"""The secrets of demo mode, which are created once and stored in unencrypted files next to the database."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bundlesvc.cli.terminal.output import fail
from bundlesvc.private_files import create, make_folder, tighten
from bundlesvc.settings.environment import DEFAULT_DATABASE, Settings
from bundlesvc.token_cipher import new_secret_key

SECRETS_FILE = "demo-secret-keys"


def demo_settings(settings: Settings) -> Settings:
    """Return the settings with the demo's own secret keys. Exits with an error when secret keys are already set, because these
    belong to a real shop."""
    if settings.secret_keys:
        fail(
            "BUNDLESVC_DEMO and BUNDLESVC_SECRET_KEYS are both set, but demo mode is never for a real shop: its secrets are in "
            "plain files. Unset BUNDLESVC_DEMO to serve your shop, or BUNDLESVC_SECRET_KEYS to see the demo."
        )
    return replace(settings, secret_keys=(stored_secret(demo_folder(settings) / SECRETS_FILE, new_secret_key),))


def demo_folder(settings: Settings) -> Path:
    """Return the folder for the demo's secrets: that of the SQLite file or, with PostgreSQL, that of the default SQLite file."""
    return (settings.database_file or Path(DEFAULT_DATABASE)).parent


def stored_secret(path: Path, make: Callable[[], str]) -> str:
    """Return the secret stored in a file that only the current user can read. Creates the file and the secret if there is
    none."""
    make_folder(path.parent)
    with suppress(FileExistsError):
        create(path)
    tighten(path)
    stored = path.read_text().strip()
    if stored:
        return stored
    secret = make()
    path.write_text(f"{secret}\n")
    return secret
