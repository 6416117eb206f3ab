"""When each key was last used. Requests write nothing: times are collected and written together."""

from bundlesvc.domain.key import TOUCH_INTERVAL
from bundlesvc.ports import Clock, KeyStore


class LastUse:
    """The times of last use of this process's keys, by key id."""

    def __init__(self, keys: KeyStore, clock: Clock) -> None:
        self._keys = keys
        self._now = clock.now
        self._used: dict[int, float] = {}
        self._written: dict[int, float] = {}

    def record(self, key_id: int) -> None:
        """The key is used now."""
        self._used[key_id] = self._now()

    async def write(self) -> None:
        """Write the times of keys whose written time is old. Raises StorageUnavailable; then the next call writes them."""
        due = {key: at for key, at in self._used.items() if at - self._written.get(key, 0) >= TOUCH_INTERVAL}
        if not due:
            return
        await self._keys.touch_keys({key: int(at) for key, at in due.items()})
        self._written.update(due)
