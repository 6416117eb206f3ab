"""Making what is kept in Redis older than it is, so that nobody has to wait for it."""

from bundlesvc.caching.stores import VERSION_BYTES
from tests.redis_server import RedisServer

MICROSECONDS = 1_000_000


def age(redis: RedisServer, shop_id: int, seconds: int) -> None:
    """All that is kept of a shop was read so many seconds earlier."""
    with redis.client() as client:
        for name in redis.keys(f"bundlesvc:*:{shop_id}:*"):
            raw = client.get(name)
            assert isinstance(raw, bytes)
            read_at = int(raw[1:VERSION_BYTES]) - seconds * MICROSECONDS
            client.set(name, b"[%d" % read_at + raw[VERSION_BYTES:], keepttl=True)
