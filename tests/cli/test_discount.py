"""`bundlesvc discount inspect` and `bundlesvc discount key`."""

import time
from pathlib import Path

import orjson
import pytest

from bundlesvc.ports import TokenInvalid
from bundlesvc.token_cipher import FernetCipher, credentials_cipher, discount_cipher, new_secret_key
from tests.cli.command_line import Run, assert_error

CLAIMS = {"v": 1, "shop": "demo", "title": "ä", "variants": {"1002": 2}}
OLD, NEW = new_secret_key(), new_secret_key()


def sealed(key: str) -> str:
    return discount_cipher((key,)).seal(CLAIMS, int(time.time()))


def test_a_token_is_printed_as_json(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", NEW)
    result = run("discount", "inspect", sealed(NEW))
    assert (result.code, result.json, result.err) == (0, CLAIMS, "")


def test_white_space_around_a_token_is_ignored(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", NEW)
    assert run("discount", "inspect", f" {sealed(NEW)}\n").json == CLAIMS


def test_old_keys_decrypt_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{NEW},{OLD}")
    assert run("discount", "inspect", sealed(OLD)).json == CLAIMS


def test_a_token_encrypted_with_the_secret_itself_is_decrypted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token encrypted with the secret itself, as in the previous release, is decrypted."""
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", NEW)
    assert run("discount", "inspect", FernetCipher((NEW,)).seal(CLAIMS, int(time.time()))).json == CLAIMS


@pytest.mark.parametrize("token", [sealed(OLD), sealed(NEW)[:-10], "nonsense", "", "ä", "\udcff"], ids=range(6))
def test_an_invalid_token_is_reported(token: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", NEW)
    assert_error(run("discount", "inspect", token), "this discount string")


def test_inspect_requires_secret_keys(run: Run) -> None:
    assert_error(run("discount", "inspect", sealed(NEW)), "BUNDLESVC_SECRET_KEYS is not set")


def test_demo_mode_uses_the_keys_of_the_demo(run: Run, monkeypatch: pytest.MonkeyPatch, database_path: Path) -> None:
    monkeypatch.setenv("BUNDLESVC_DEMO", "1")
    database_path.parent.mkdir()
    (database_path.parent / "demo-secret-keys").write_text(f"{OLD}\n")
    assert run("discount", "inspect", sealed(OLD)).json == CLAIMS
    assert_error(run("discount", "inspect", sealed(NEW)))


def test_inspect_needs_no_database(run: Run, monkeypatch: pytest.MonkeyPatch, database_path: Path) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", NEW)
    result = run("discount", "inspect", sealed(NEW))
    assert orjson.loads(result.out) == CLAIMS
    assert not database_path.parent.exists()


def test_printed_keys_decrypt_discount_strings_in_the_order_of_the_secrets(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{NEW},{OLD}")

    newest, oldest = run("discount", "key").out.split()

    assert FernetCipher((newest,)).unseal(sealed(NEW)) == CLAIMS
    assert FernetCipher((oldest,)).unseal(sealed(OLD)) == CLAIMS


def test_printed_keys_do_not_decrypt_credentials(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{NEW},{OLD}")
    credentials = credentials_cipher((NEW, OLD)).seal(CLAIMS, int(time.time()))

    with pytest.raises(TokenInvalid):
        FernetCipher(run("discount", "key").out.split()).unseal(credentials)


def test_keys_are_printed_as_json(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUNDLESVC_SECRET_KEYS", f"{NEW},{OLD}")
    assert run("discount", "key", "--json").json == {"keys": run("discount", "key").out.split()}


def test_printing_keys_requires_secret_keys(run: Run) -> None:
    assert_error(run("discount", "key"), "BUNDLESVC_SECRET_KEYS is not set")
