"""Checks secret keys (`BUNDLESVC_SECRET_KEYS`), and rejects keys that can be guessed."""

from base64 import urlsafe_b64decode
from itertools import pairwise

from cryptography.fernet import Fernet

LONGEST_PATTERN = 16
"""The longest repeated pattern, in bytes, that makes a key weak. It is half as long as a key, because one half of a key signs and
the other half encrypts."""

FEWEST_VALUES = 13
"""The minimum number of distinct byte values in a strong key. The 32 bytes of a random key have about 30, and only one random key
in 10^18 has fewer than 13."""


def check_secret_key(key: str) -> None:
    """Check that a string is a strong key. Raises ValueError with the reason when it is not a key, or is a weak one."""
    try:
        Fernet(key)
    except ValueError as error:
        raise ValueError("Must be Fernet keys (32 bytes in URL-safe base64), separated by commas.") from error
    if _is_weak(urlsafe_b64decode(key)):
        raise ValueError(
            "One of these keys can be guessed: its bytes are not random. Make one with: "
            'python3 -c "import base64, os; print(base64.urlsafe_b64encode(os.urandom(32)).decode())"'
        )


def _is_weak(key: bytes) -> bool:
    """Whether the bytes of a key repeat, count up or down, or are plain text. Random bytes practically never look like this."""
    repeats = any(key[length:] == key[:-length] for length in range(1, LONGEST_PATTERN + 1))
    steps = {(after - before) % 256 for before, after in pairwise(key)}
    return repeats or len(steps) == 1 or len(set(key)) < FEWEST_VALUES or (key.isascii() and key.decode().isprintable())
