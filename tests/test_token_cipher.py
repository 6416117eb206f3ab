"""Tokens: the first key encrypts, every key decrypts, changed tokens are invalid, and each purpose has its own keys."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.fernet import Fernet
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.ports import TokenInvalid
from bundlesvc.token_cipher import (
    CREDENTIALS,
    DISCOUNT,
    FernetCipher,
    credentials_cipher,
    derived_keys,
    discount_cipher,
    new_secret_key,
)
from tests.fakes import START
from tests.running.properties import examples

OLD, NEW, STRANGE = (new_secret_key() for _ in range(3))
NOW = int(START)
CLAIMS = {"v": 1, "shop": "demo", "title": "Hemd “L”", "original": "47.98", "variants": {"1002": 2}, "test": False}


def test_claims_survive_encryption() -> None:
    cipher = FernetCipher((NEW,))
    assert cipher.unseal(cipher.seal(CLAIMS, NOW)) == CLAIMS


def test_claims_are_compact_json_that_any_fernet_opens() -> None:
    token = FernetCipher((NEW,)).seal({"v": 1, "shop": "demo"}, NOW)
    assert Fernet(NEW).decrypt(token) == b'{"v":1,"shop":"demo"}'
    assert Fernet(NEW).extract_timestamp(token) == NOW


def test_a_token_is_url_safe_text() -> None:
    token = FernetCipher((NEW,)).seal(CLAIMS, NOW)
    assert token.isascii()
    assert set(token) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=")


def test_equal_claims_make_different_tokens() -> None:
    cipher = FernetCipher((NEW,))
    assert cipher.seal(CLAIMS, NOW) != cipher.seal(CLAIMS, NOW)


def test_first_key_encrypts() -> None:
    token = FernetCipher((NEW, OLD)).seal(CLAIMS, NOW)
    assert FernetCipher((NEW,)).unseal(token) == CLAIMS
    with pytest.raises(TokenInvalid):
        FernetCipher((OLD,)).unseal(token)


def test_keys_rotate() -> None:
    """With a new first key, old tokens can still be decrypted; without the old key, they cannot."""
    old_token = FernetCipher((OLD,)).seal(CLAIMS, NOW)
    rotating = FernetCipher((NEW, OLD))
    assert rotating.unseal(old_token) == CLAIMS
    new_token = rotating.seal(CLAIMS, NOW)
    rotated = FernetCipher((NEW,))
    assert rotated.unseal(new_token) == CLAIMS
    with pytest.raises(TokenInvalid):
        rotated.unseal(old_token)


def test_token_of_an_unknown_key_is_invalid() -> None:
    with pytest.raises(TokenInvalid):
        FernetCipher((NEW, OLD)).unseal(FernetCipher((STRANGE,)).seal(CLAIMS, NOW))


TOKEN = FernetCipher((NEW,)).seal(CLAIMS, NOW)


@examples(300)
@given(st.integers(0, len(base64.urlsafe_b64decode(TOKEN)) - 1), st.integers(1, 255))
def test_token_with_a_changed_byte_is_invalid(place: int, change: int) -> None:
    changed = bytearray(base64.urlsafe_b64decode(TOKEN))
    changed[place] ^= change
    with pytest.raises(TokenInvalid):
        FernetCipher((NEW,)).unseal(base64.urlsafe_b64encode(bytes(changed)).decode())


@pytest.mark.parametrize(
    "token",
    ["", " ", "x", TOKEN[:-1], TOKEN[1:], TOKEN[:40], "gAAAAA==", "ä", "\udcff", "\x00", "=" * 100, "A" * 100_000],
    ids=range(12),
)  # fmt: skip
def test_other_text_is_not_a_token(token: str) -> None:
    with pytest.raises(TokenInvalid):
        FernetCipher((NEW,)).unseal(token)


@examples(200)
@given(st.text())
def test_any_text_raises_token_invalid_only(text: str) -> None:
    with pytest.raises(TokenInvalid):
        FernetCipher((NEW,)).unseal(text)


@pytest.mark.parametrize("content", [b"", b"not json", b"[1]", b'"text"', b"1", b"null", b"\xff"])
def test_token_without_an_object_is_invalid(content: bytes) -> None:
    token = Fernet(NEW).encrypt(content).decode()
    with pytest.raises(TokenInvalid):
        FernetCipher((NEW,)).unseal(token)


@pytest.mark.parametrize("keys", [(), ("",), ("short",), (NEW, "short"), (NEW[:-2],)])
def test_invalid_keys_are_refused(keys: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"."):
        FernetCipher(keys)


PURPOSES = pytest.mark.parametrize(
    ("cipher", "label"), [(discount_cipher, DISCOUNT), (credentials_cipher, CREDENTIALS)]
)


@PURPOSES
def test_each_purpose_encrypts_with_its_own_key(cipher: Callable[..., FernetCipher], label: bytes) -> None:
    token = cipher((NEW, OLD)).seal(CLAIMS, NOW)

    assert FernetCipher(derived_keys((NEW,), label)).unseal(token) == CLAIMS
    others = [NEW, OLD, *derived_keys((OLD,), label), *derived_keys((NEW,), ({DISCOUNT, CREDENTIALS} - {label}).pop())]
    with pytest.raises(TokenInvalid):
        FernetCipher(others).unseal(token)


@PURPOSES
def test_tokens_made_with_the_secret_itself_can_be_decrypted(cipher: Callable[..., FernetCipher], label: bytes) -> None:
    """Tokens encrypted with the secret itself, as they were by the previous release, can still be decrypted."""
    assert cipher((NEW, OLD)).unseal(FernetCipher((OLD,)).seal(CLAIMS, NOW)) == CLAIMS


def test_key_for_one_purpose_does_not_decrypt_tokens_of_the_other() -> None:
    discount, credentials = discount_cipher((NEW,)), credentials_cipher((NEW,))
    with pytest.raises(TokenInvalid):
        discount.unseal(credentials.seal(CLAIMS, NOW))
    with pytest.raises(TokenInvalid):
        credentials.unseal(discount.seal(CLAIMS, NOW))


@pytest.mark.parametrize(
    ("label", "key"),
    [
        (b"bundlesvc discount", "QUQj-KH2L3jcym0d61H-T_-2WPDisHVaJ8imVIWLg7E="),
        (b"bundlesvc credentials", "xNP6Kz2vTwiW5AedlaQzA9wu-M6WS-t_IHQB9_DeRAg="),
    ],
)
def test_derived_keys_never_change(label: bytes, key: str) -> None:
    """Derived keys never change. Otherwise, stored tokens would become unreadable. The keys are derived with HKDF-SHA256 without
    salt, here from the bytes 00 to 1f."""
    secret = base64.urlsafe_b64encode(bytes(range(32))).decode()
    assert derived_keys([secret], label) == [key]


def test_new_secret_key_is_a_valid_key() -> None:
    made: set[Any] = {new_secret_key() for _ in range(10)}
    assert len(made) == 10
    for key in made:
        assert len(base64.urlsafe_b64decode(key)) == 32
        FernetCipher((key,))
