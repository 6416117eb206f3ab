"""The ways in which a client reaches Redis: at one address, through Sentinels, or in a Redis Cluster."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from redis.asyncio import ConnectionPool, Redis, RedisCluster, Sentinel
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import RedisSSLContext, SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, SentinelManagedConnection, SentinelManagedSSLConnection
from redis.backoff import NoBackoff
from redis.exceptions import AskError
from redis.exceptions import ConnectionError as RedisConnectionError

from bundlesvc.redis.names import PREFIX
from bundlesvc.redis.url import CLUSTER, SENTINEL, SERVER, RedisUrl, parse_redis_url

Client = Redis | RedisCluster

_PROBE = f"{PREFIX}probe"

_PROBES = [f"{_PROBE}:{number}" for number in range(200)]
"""Keys for test values, enough that every server of a cluster stores at least one of them."""


class RedisServers(Protocol):
    """The servers behind a Redis URL. `name` is used in messages. `attempts` is the number of servers that may have to be tried
    until one responds."""

    name: str
    attempts: int

    def client(self, timeout: float) -> Client:
        """Create a client, without I/O. When a server does not respond within `timeout`, the client switches to another server,
        if there is one."""

    async def probe(self, client: Any) -> None:
        """Write a test value, because a full Redis or a read-only replica is reachable but unusable."""

    async def close(self, client: Any) -> None: ...

    def reason(self, error: Exception) -> str:
        """Return a human-readable reason why a command failed."""


def redis_servers(url: str) -> RedisServers:
    """Return the servers for a URL. Raises ValueError when it is not a Redis URL."""
    address = parse_redis_url(url)
    return _MODES[address.mode](address)


class Server:
    """A single Redis server."""

    attempts = 1

    def __init__(self, address: RedisUrl) -> None:
        self.name = f"Redis at {_listed(address)}"
        self._options = {
            **parse_url(address.server),
            # RedisConnection sets the only timeout; the client's own would interfere with it.
            "socket_timeout": None,
            "socket_connect_timeout": None,
            **_common(),
        }

    def client(self, timeout: float) -> Redis:
        tls = {"connection_class": _sharing_tls(SSLConnection)} if "connection_class" in self._options else {}
        pool: ConnectionPool = ConnectionPool(**{**self._options, **tls})
        pool.make_connection()  # type: ignore[no-untyped-call]
        return Redis.from_pool(pool)

    async def probe(self, client: Redis) -> None:
        await client.set(_PROBE, "1", px=1000)

    async def close(self, client: Redis) -> None:
        await client.aclose()

    def reason(self, error: Exception) -> str:
        if isinstance(error, AskError):
            return "it belongs to a cluster: write redis+cluster://"
        if str(error).startswith("unknown command"):
            return "it is a Sentinel: write redis+sentinel://, and at the end /NAME, its name for the primary server"
        return str(error)


class Sentinels:
    """The primary server reported by Sentinels. Each new connection asks the Sentinels for it, and connections to a former
    primary are closed."""

    def __init__(self, address: RedisUrl) -> None:
        self.name = f"Redis {address.service} of the Sentinels at {_listed(address)}"
        self.attempts = len(address.hosts) + 1
        self._address = address
        self._options = _options_of_many(address)

    def client(self, timeout: float) -> Redis:
        """Create a client that spends at most half of the timeout on one Sentinel, so that another Sentinel can still be
        tried."""
        sentinels = Sentinel(  # type: ignore[no-untyped-call]
            self._address.hosts,
            sentinel_kwargs={
                **{name: value for name, value in self._options.items() if name not in ("db", "username", "password")},
                **self._address.sentinel_login,
                "socket_timeout": timeout / 2,
                "socket_connect_timeout": timeout / 2,
            },
        )
        if self._options["ssl"]:
            for sentinel in sentinels.sentinels:
                sentinel.connection_pool.connection_class = _sharing_tls(SSLConnection)
        client: Redis = sentinels.master_for(
            self._address.service,
            **{**self._options, "connection_class": _sharing_tls(_TlsPrimary) if self._options["ssl"] else _Primary},
            socket_timeout=None,
            socket_connect_timeout=None,
        )
        return client

    async def probe(self, client: Redis) -> None:
        await client.set(_PROBE, "1", px=1000)

    async def close(self, client: Redis) -> None:
        await client.aclose()
        pool: Any = client.connection_pool
        await pool.sentinel_manager.aclose()

    def reason(self, error: Exception) -> str:
        if str(error).startswith("unknown command"):
            return "there is no Sentinel, but Redis itself: write redis://"
        if isinstance(error, MasterNotFoundError):
            return self._not_found(str(error))
        return str(error)

    def _not_found(self, text: str) -> str:
        """Explain why no primary server was found. In the client's message, a Sentinel that did not answer appears as `<client> -
        network:ConnectionError`."""
        failures = re.findall(r" - \w+:(\w+)", text)
        if "AuthenticationError" in failures:
            return "they refuse sentinel_username and sentinel_password"
        if len(failures) == len(self._address.hosts):
            return "none of them can be reached"
        return "they know no primary server of this name that is up"


class _Primary(SentinelManagedConnection):
    """A connection that asks the Sentinels for the primary's address even when it is reopened for a retry. The Redis client's own
    class would try the old address again."""

    async def send_packed_command(self, *arguments: Any, **options: Any) -> None:
        if not self.is_connected:
            await self.connect()  # type: ignore[no-untyped-call]
        await super().send_packed_command(*arguments, **options)


class _TlsPrimary(_Primary, SentinelManagedSSLConnection):
    pass


class Cluster:
    """A Redis Cluster, reached through some of its servers, which know the others. Each command is sent to the server that stores
    its keys."""

    def __init__(self, address: RedisUrl) -> None:
        self.name = f"Redis Cluster at {_listed(address)}"
        self.attempts = len(address.hosts) + 1
        self._hosts = address.hosts
        self._options = _options_of_many(address)

    def client(self, timeout: float) -> RedisCluster:
        """Create a client in which a MOVED response updates only one slot: reloading all slots would close the connections of
        other commands."""
        client = RedisCluster(
            startup_nodes=[ClusterNode(host, port) for host, port in self._hosts],
            reinitialize_steps=0,
            **{**self._options, "socket_timeout": timeout, "socket_connect_timeout": timeout},
        )
        if self._options["ssl"]:
            sharing = _sharing_tls(SSLConnection)
            client.connection_kwargs["connection_class"] = sharing  # also used for servers that are discovered later
            for node in client.startup_nodes:
                node.connection_class = sharing
        return client

    async def probe(self, client: RedisCluster) -> None:
        """Write a test value to each server, because commands may be sent to any of them."""
        await client.initialize()
        keys = {client.nodes_manager.get_node_from_slot(client.keyslot(key)).name: key for key in _PROBES}
        for key in keys.values():
            await client.set(key, "1", px=1000)

    async def close(self, client: RedisCluster) -> None:
        """Close all connections. After a failure, the client itself would leave them open."""
        for nodes in ("nodes_cache", "startup_nodes"):
            await client.nodes_manager.aclose(nodes)
        await client.aclose()

    def reason(self, error: Exception) -> str:
        return str(error).rpartition("reachable node: ")[2]


_MODES: Mapping[str, Callable[[RedisUrl], RedisServers]] = {SERVER: Server, SENTINEL: Sentinels, CLUSTER: Cluster}


def _sharing_tls(base: type[SSLConnection]) -> type[SSLConnection]:
    """Return a connection class whose connections share one TLS context, created for the first of them. By default, the client
    creates a context for each connection, and each time reads all certificates that the host trusts."""
    shared: RedisSSLContext | None = None

    class Sharing(base):  # type: ignore[valid-type, misc]
        ssl_context: RedisSSLContext

        def __init__(self, **options: Any) -> None:
            nonlocal shared
            super().__init__(**options)
            shared = shared or self.ssl_context
            self.ssl_context = shared

    return Sharing


def _common() -> dict[str, Any]:
    """Return the options common to all clients. A connection that the server closed while it was idle is reopened once,
    immediately. Nothing else is retried, because callers can continue without Redis."""
    return {
        "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        "protocol": 2,  # every version of Redis supports it, and it saves one command per connection
    }


def _options_of_many(address: RedisUrl) -> dict[str, Any]:
    """Return the connection options for several servers."""
    options: dict[str, Any] = {**parse_url(address.server), **_common()}
    options["ssl"] = options.pop("connection_class", None) is SSLConnection
    return {name: value for name, value in options.items() if name not in ("host", "port")}


def _listed(address: RedisUrl) -> str:
    return ", ".join(f"{host}:{port}" for host, port in address.hosts)
