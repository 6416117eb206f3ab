"""Distinguishes new idempotency keys from keys that are sent again by a retry."""

from bundlesvc.domain.idempotency import IdempotencyKey

MAX_KEYS = 16_384


class RecentKeys:
    """The idempotency keys of the most recent requests to this process, as hashes: at least half of `max_keys`. They are kept in
    two sets, and the older one is dropped when the younger one is full, because tracking the age of each key would take longer. A
    key that is new here may be known to another process."""

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self._half = max_keys // 2
        self._young: set[int] = set()
        self._old: set[int] = set()

    def add(self, shop_id: int, key: IdempotencyKey) -> bool:
        """Add a key. Returns whether it is new."""
        number = hash((shop_id, key.test, key.path, key.key))
        is_new = number not in self._young and number not in self._old
        if len(self._young) >= self._half:
            self._young, self._old = set(), self._young
        self._young.add(number)
        return is_new
