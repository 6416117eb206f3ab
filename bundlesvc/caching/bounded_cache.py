"""An in-memory cache of limited size."""

from collections.abc import Callable

from aiocache import SimpleMemoryCache
from aiocache.serializers import NullSerializer

from bundlesvc.lru import LruMapping


class BoundedCache(SimpleMemoryCache):  # type: ignore[misc]
    """aiocache's in-memory cache with a size limit. It sets no timers, because each entry records when it was read."""

    def __init__(self, max_bytes: int, cost: Callable[[str, bytes], int]) -> None:
        super().__init__(serializer=NullSerializer(encoding=None), timeout=None)
        self._cache: LruMapping[str, bytes] = LruMapping(max_bytes, cost)
