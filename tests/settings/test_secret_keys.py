"""Secret keys: a random key is accepted; a key that can be guessed is refused, with a command that generates a better one."""

import os
from base64 import urlsafe_b64encode

import pytest

from bundlesvc.settings.secret_keys import check_secret_key


def key_of(content: bytes) -> str:
    return urlsafe_b64encode(content).decode()


def test_random_keys_pass() -> None:
    for _ in range(1000):
        check_secret_key(key_of(os.urandom(32)))


WEAK = {
    "zeros": bytes(32),
    "ones": b"\xff" * 32,
    "two bytes repeated": b"\x01\x02" * 16,
    "five bytes repeated": (os.urandom(5) * 7)[:32],
    "half a key twice": os.urandom(16) * 2,
    "counting up": bytes(range(32)),
    "counting down": bytes(range(40, 8, -1)),
    "one other byte": bytes(31) + b"\x01",
    "a sentence": b"correct horse battery staple 123",
    "hex digits": b"0f1e2d3c4b5a69788796a5b4c3d2e1f0",
}
NOT_A_KEY = {"empty": "", "a word": "hunter2", "too short": key_of(os.urandom(31)), "too long": key_of(os.urandom(33))}


@pytest.mark.parametrize("content", WEAK.values(), ids=WEAK.keys())
def test_keys_that_can_be_guessed_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"can be guessed.*python3 -c"):
        check_secret_key(key_of(content))


@pytest.mark.parametrize("key", NOT_A_KEY.values(), ids=NOT_A_KEY.keys())
def test_other_text_than_a_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="Must be Fernet keys"):
        check_secret_key(key)
