"""API keys: their format, the data stored for each key, and the requests that it allows (docs/contract.md#shops-and-keys)."""

import hashlib
import re
from dataclasses import dataclass, field
from typing import TypedDict

from bundlesvc.domain.access.origin import plain_origin, wildcard_of

HEADLESS, EMBED = "headless", "embed"
SCOPES = (HEADLESS, EMBED)
"""The scopes for storefronts. A key has both, unless it is created for one of them."""
ORDERS, REPORTS = "orders", "reports"
MANAGE_READ, MANAGE_WRITE, MANAGE_PUBLISH = "manage:read", "manage:write", "manage:publish"
MANAGEMENT_SCOPES = (ORDERS, REPORTS, MANAGE_READ, MANAGE_WRITE, MANAGE_PUBLISH)
"""The scopes of the management API. A key with one of them has no scope for storefronts."""
DEFAULT_RATE_LIMIT = 100
PAGE_RATE_LIMIT, PAGE_VISITOR_LIMIT = 6000, 100
"""The default limits of a key for pages, in requests per minute: in total, and per address."""
PREFIX_LENGTH = 16
TOUCH_INTERVAL = 300
"""The minimum number of seconds between two updates of a key's last-used time, across all processes."""

_KEY = re.compile(r"bnd_(live|test)_[A-Za-z0-9_-]{43}\Z", re.ASCII)


class KeyLimits(TypedDict, total=False):
    """Changes to a key's limits. A limit that is left out stays the same."""

    rate_limit: int
    visitor_limit: int | None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key as it is stored: its digest, without the key itself. Limits are in requests per minute: in total, and
    per visitor (None: no limit). Times are in seconds since 1970. A `demo` key works only while demo mode is on."""

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
    visitor_limit: int | None = None
    demo: bool = False
    _allowed: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_allowed", frozenset(map(plain_origin, self.origins)))

    def allows_origin(self, origin: str) -> bool:
        """Whether pages from this origin may use the key. An empty list of origins allows all; a trailing slash is ignored."""
        if not self._allowed:
            return True
        plain = plain_origin(origin)
        return plain in self._allowed or wildcard_of(plain) in self._allowed


def new_key(random_part: str, *, test: bool) -> str:
    """Build a key from 43 random URL-safe characters."""
    return f"bnd_{'test' if test else 'live'}_{random_part}"


def is_key(text: str) -> bool:
    return bool(_KEY.match(text))


def digest(key: str) -> str:
    """Return the digest that is stored instead of the key: SHA-256, in hex."""
    return hashlib.sha256(key.encode()).hexdigest()
