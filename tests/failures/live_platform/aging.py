"""Makes cache entries in Redis older, so that no test has to wait."""

from bundlesvc.caching.stores import VERSION_BYTES
from tests.servers.redis_server import RedisServer

MICROSECONDS = 1_000_000


def age(redis: RedisServer, shop_id: int, seconds: int) -> None:
    """Make all cache entries of a shop look this many seconds older."""
    with redis.client() as client:
        for name in redis.keys(f"bundlesvc:*:{{shop:{shop_id}}}:*"):
            raw = client.get(name)
            assert isinstance(raw, bytes)
            read_at = int(raw[1:VERSION_BYTES]) - seconds * MICROSECONDS
            client.set(name, b"[%d" % read_at + raw[VERSION_BYTES:], keepttl=True)
