"""`bundlesvc secrets reseal` re-encrypts the stored credentials with the first secret key."""

from pathlib import Path

import pytest

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.token_cipher import new_secret_key
from tests.cli.command_line import Run, assert_error
from tests.cli.conftest import in_database
from tests.cli.doctor.test_doctor import UNDECRYPTED
from tests.cli.live_shop import DOMAIN
from tests.cli.platform.test_platform import stored, stored_connection
from tests.conftest import SECRET_KEY
from tests.process.shop import SHOP
from tests.standin.app.webhooks import SECRET
from tests.standin.server import TOKEN, Standin

RESEAL = ("secrets", "reseal")
CONNECTION = PlatformConnection(DOMAIN, TOKEN, SECRET)
NEW = new_secret_key()


@pytest.fixture
def rotating(connected: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command line with two secret keys: first a new one, then the key that encrypted the credentials of the shop "live"."""
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{NEW},{SECRET_KEY}")
    return connected


def test_credentials_are_encrypted_with_the_first_key(rotating: Run, database_path: Path, standin: Standin) -> None:
    rotating("load", SHOP)  # a shop without credentials
    result = rotating(*RESEAL)
    assert (result.code, result.out) == (0, "")
    assert result.err == "live: resealed.\n1 resealed, 0 already current, 0 cannot be decrypted.\n"
    assert stored(database_path, NEW) == CONNECTION
    assert standin.requests == [], "the platform is not needed"


def test_running_again_changes_nothing(rotating: Run, database_path: Path) -> None:
    rotating(*RESEAL)
    before = in_database(database_path, stored_connection)
    result = rotating(*RESEAL)
    assert (result.code, result.err) == (0, "0 resealed, 1 already current, 0 cannot be decrypted.\n")
    assert in_database(database_path, stored_connection) == before


def test_dry_run_changes_nothing(rotating: Run, database_path: Path) -> None:
    before = in_database(database_path, stored_connection)
    result = rotating(*RESEAL, "--dry-run")
    assert (result.code, result.out) == (0, "")
    assert result.err == "live: would be resealed.\n1 to reseal, 0 already current, 0 cannot be decrypted.\n"
    assert in_database(database_path, stored_connection) == before


def test_secrets_of_webhook_endpoints_are_encrypted_again(rotating: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", SECRET_KEY)
    assert rotating("webhooks", "add", "--shop", "live", "--url", "https://shop.example/hooks").code == 0
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{NEW},{SECRET_KEY}")
    assert "1 webhook secret to reseal.\n" in rotating(*RESEAL, "--dry-run").err
    assert "1 webhook secret resealed.\n" in rotating(*RESEAL).err
    assert "webhook secret" not in rotating(*RESEAL).err


def test_credentials_that_no_key_decrypts_are_reported_and_not_changed(
    connected: Run, database_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", NEW)
    result = connected(*RESEAL)
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines() == [
        "0 resealed, 0 already current, 1 cannot be decrypted.",
        f"bundlesvc: {UNDECRYPTED}",
    ]
    assert stored(database_path) == CONNECTION


def test_credentials_of_a_shop_that_has_left_its_platform_are_no_problem(
    connected: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Undecryptable credentials of a shop that has left its platform are not reported, because nothing needs them any longer, and
    connecting the shop again could not replace them."""
    path = tmp_path / "embedded.yaml"
    path.write_text(
        "shop: {handle: live, name: Live, domain: live.example, locale: en, currency: EUR, weightUnit: kg,\n"
        "       headlessEnabled: true, templates: [default]}\n"
    )
    assert connected("load", path).code == 0
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", NEW)
    result = connected(*RESEAL)
    assert (result.code, result.err) == (0, "0 resealed, 0 already current, 0 cannot be decrypted.\n")


def test_secret_keys_are_required(run: Run) -> None:
    assert_error(run(*RESEAL), "BUNDLESVC_SECRET_KEYS is not set")
