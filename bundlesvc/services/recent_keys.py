"""Distinguishes new idempotency keys from those of retries."""

from bundlesvc.domain.idempotency import IdempotencyKey

MAX_KEYS = 16_384


class RecentKeys:
    """The idempotency keys of the most recent requests to this process, stored as hashes. When half of `max_keys` are new, the
    older half is dropped. A key that is new here may be known to another process."""

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self._max_young = max_keys // 2
        self._young: set[int] = set()
        self._old: set[int] = set()

    def add(self, shop_id: int, key: IdempotencyKey) -> bool:
        """Add a key. Returns whether it is new."""
        number = hash((shop_id, key.test, key.path, key.key))
        if number in self._young:
            return False
        if len(self._young) >= self._max_young:
            self._old, self._young = self._young, set()
        self._young.add(number)
        return number not in self._old
