"""API keys: their form, what is kept of them, and what they open (design 3)."""

import hashlib
import re
from dataclasses import dataclass

HEADLESS, EMBED = "headless", "embed"
SCOPES = (HEADLESS, EMBED)
DEFAULT_RATE_LIMIT = 100
PREFIX_LENGTH = 16
TOUCH_INTERVAL = 300
"""A last-used time is written at most once in so many seconds, by however many processes."""

_KEY = re.compile(r"bnd_(live|test)_[A-Za-z0-9_-]{43}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is stored: its digest instead of itself. `rate_limit` in requests per minute, times in seconds (UTC)."""

    id: int
    shop_id: int
    digest: str
    prefix: str
    label: str
    test: bool
    scopes: tuple[str, ...]
    origins: tuple[str, ...]
    rate_limit: int
    active: bool
    created_at: int
    last_used_at: int | None = None

    def allows_origin(self, origin: str) -> bool:
        """Whether a page of this origin may use the key; an empty list allows all, a trailing slash is ignored."""
        return not self.origins or _plain(origin) in map(_plain, self.origins)


def new_key(random_part: str, *, test: bool) -> str:
    """The key with 43 URL-safe random characters."""
    return f"bnd_{'test' if test else 'live'}_{random_part}"


def is_key(text: str) -> bool:
    return bool(_KEY.match(text))


def digest(key: str) -> str:
    """What is stored instead of the key: SHA-256, in hex."""
    return hashlib.sha256(key.encode()).hexdigest()


def _plain(origin: str) -> str:
    return origin.removesuffix("/")
