"""Distinguishes new idempotency keys from keys that are sent again by a retry."""

from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.lru import LruMapping

MAX_KEYS = 16_384


class RecentKeys:
    """The idempotency keys of the most recent requests to this process, stored as hashes. A key that is new here may be known to
    another process."""

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self._keys: LruMapping[int, None] = LruMapping(max_keys)

    def add(self, shop_id: int, key: IdempotencyKey) -> bool:
        """Add a key. Returns whether it is new."""
        number = hash((shop_id, key.test, key.path, key.key))
        is_new = number not in self._keys
        self._keys[number] = None
        return is_new
