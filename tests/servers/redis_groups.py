"""Groups of real servers: a Redis Cluster, and a primary server with a replica that a Sentinel monitors."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from redis import Redis
from redis.exceptions import ResponseError

from tests.servers.free_port import free_port
from tests.servers.redis_server import RedisServer, started

SLOTS = 16_384
SERVICE = "primary-1"

_DEADLINE = 120.0
"""Seconds within which the servers must agree, even on a busy computer."""


def until(condition: Callable[[], object], what: str) -> None:
    """Wait until the condition is true. If it does not become true in time, the error message describes the condition with
    `what`."""
    end = time.monotonic() + _DEADLINE
    while not condition():
        assert time.monotonic() < end, f"still waiting for this after {_DEADLINE} seconds: {what}"
        time.sleep(0.05)


class Cluster:
    """Three primary servers without replicas, each with a third of the slots."""

    def __init__(self, servers: Sequence[RedisServer]) -> None:
        self.servers = servers
        bounds = [SLOTS * number // len(servers) for number in range(len(servers) + 1)]
        for server, first, end in zip(servers, bounds, bounds[1:], strict=False):
            _call(server, "CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for number, server in enumerate(servers, 1):
            _call(server, "CLUSTER", "SET-CONFIG-EPOCH", number)
            _call(server, "CLUSTER", "MEET", "127.0.0.1", servers[0].port, servers[0].config["cluster-port"])
        self._wait()
        self._ids = [str(_call(server, "CLUSTER", "MYID").decode()) for server in servers]
        self._bounds = bounds
        self._moved: dict[int, RedisServer] = {}

    @property
    def url(self) -> str:
        """The URL of the cluster. No server listens at the first address in the URL."""
        return f"redis+cluster://127.0.0.1:1,127.0.0.1:{self.servers[0].port},127.0.0.1:{self.servers[1].port}"

    def keys(self, pattern: str = "*") -> list[bytes]:
        return sorted(key for server in self.servers for key in server.keys(pattern))

    def slot(self, key: bytes) -> int:
        """Return the hash slot of a key, as the servers calculate it."""
        return int(_call(self.servers[0], "CLUSTER", "KEYSLOT", key))

    def owner(self, slot: int) -> RedisServer:
        return self._moved.get(slot) or self._home(slot)

    def move(self, slots: Collection[int], target: RedisServer) -> None:
        """Move slots that contain no keys to another server, and wait until all servers have learned the new owner."""
        to = self._ids[self.servers.index(target)]
        for slot in slots:
            source = self.owner(slot)
            if source is not target:
                _call(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", self._ids[self.servers.index(source)])
                _call(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", to)
                for server in (target, *self.servers):
                    _call(server, "CLUSTER", "SETSLOT", slot, "NODE", to)
                self._moved[slot] = target
        until(lambda: all(self._know(slots, server, target) for server in self.servers), "the servers know the move")

    def _home(self, slot: int) -> RedisServer:
        return self.servers[next(number for number, end in enumerate(self._bounds[1:]) if slot < end)]

    def _know(self, slots: Collection[int], server: RedisServer, owner: RedisServer) -> bool:
        ranges = [entry for entry in _call(server, "CLUSTER", "SLOTS") if entry[2][1] == owner.port]
        return all(any(first <= slot <= last for first, last, *_ in ranges) for slot in slots)

    def repair(self) -> None:
        """Reset the cluster to its initial state, and delete its data."""
        for server in self.servers:
            server.repair()
        self._wait()
        for slot in list(self._moved):
            self.move([slot], self._home(slot))
        self._moved.clear()

    def _wait(self) -> None:
        until(lambda: all(map(self._agrees, self.servers)), "the servers of the cluster agree")

    def _agrees(self, server: RedisServer) -> bool:
        info = _call(server, "CLUSTER", "INFO")
        return b"cluster_state:ok" in info and b"cluster_known_nodes:%d\r\n" % len(self.servers) in info


@contextmanager
def redis_cluster() -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster([stack.enter_context(started(_cluster_server)) for _ in range(3)])


def _cluster_server() -> RedisServer:
    """Create a server of a cluster. Its node timeout is long, so that no server considers a slow server dead."""
    port = free_port()
    return RedisServer(**{"cluster-enabled": "yes", "cluster-port": str(port), "cluster-node-timeout": "600000"})


class WatchedPrimary:
    """A primary server, its replica, and the Sentinel that promotes the replica."""

    def __init__(self, primary: RedisServer, replica: RedisServer, sentinel: RedisServer) -> None:
        self.servers = (primary, replica)
        self.sentinel = sentinel
        until(self._watched, "the Sentinel has found the replica")

    def url(self, options: str = "", service: str = SERVICE) -> str:
        """Return a URL that finds the primary server through the Sentinel. Nothing listens at the first of the URL's two Sentinel
        addresses."""
        return f"redis+sentinel://127.0.0.1:1,127.0.0.1:{self.sentinel.port}/{service}/0{options}"

    @property
    def primary(self) -> RedisServer:
        """The current primary server, according to the Sentinel."""
        (state,) = _call(self.sentinel, "SENTINEL", "MASTERS")
        port = state[state.index(b"port") + 1]
        return next(server for server in self.servers if server.port == int(port))

    def replace(self) -> None:
        """Promote the replica, and make the old primary its replica. The old primary keeps its connections."""
        old = self.primary
        until(lambda: _succeeds(self.sentinel, "SENTINEL", "FAILOVER", SERVICE), "the Sentinel accepts the failover")
        self.until_promoted(old)
        _call(old, "REPLICAOF", "127.0.0.1", self.primary.port)

    def until_promoted(self, old: RedisServer) -> None:
        """Wait until a server other than `old` is the primary."""
        until(lambda: self.primary is not old and _role(self.primary) == b"master", "the replica is promoted")

    def _watched(self) -> bool:
        replicas = self._replicas()
        return bool(replicas) and b"slave" in replicas[0][b"flags"] and replicas[0][b"master-link-status"] == b"ok"

    def _replicas(self) -> list[dict[bytes, bytes]]:
        found = _call(self.sentinel, "SENTINEL", "REPLICAS", SERVICE)
        return [dict(zip(fields[::2], fields[1::2], strict=True)) for fields in found]


@contextmanager
def watched_primary() -> Iterator[WatchedPrimary]:
    with ExitStack() as stack, TemporaryDirectory(prefix="sentinel-") as folder:
        primary, replica = (stack.enter_context(started(_replicated_server)) for _ in range(2))
        _call(replica, "REPLICAOF", "127.0.0.1", primary.port)
        until(lambda: b"master_link_status:up" in _call(replica, "INFO", "REPLICATION"), "the replica has its data")
        sentinel = stack.enter_context(started(lambda: _Sentinel(primary.port, Path(folder))))
        yield WatchedPrimary(primary, replica, sentinel)


def _replicated_server() -> RedisServer:
    return RedisServer(**{"repl-diskless-sync-delay": "0"})


class _Sentinel(RedisServer):
    """A server in Sentinel mode. The program enters this mode because of its file name."""

    def __init__(self, primary: int, folder: Path) -> None:
        super().__init__(
            **{
                f"sentinel monitor {SERVICE}": f"127.0.0.1 {primary} 1",
                f"sentinel down-after-milliseconds {SERVICE}": "1000",
                f"sentinel failover-timeout {SERVICE}": "10000",
            }
        )
        binary = folder / "valkey-sentinel"
        binary.unlink(missing_ok=True)
        binary.symlink_to(self._server._binary_path)
        self._server._binary_path = binary

    def start(self) -> None:
        self._server.start()


def _call(server: RedisServer, *command: object) -> Any:
    """Send a command, and return the response without redis-py's conversions."""
    client = Redis(host="127.0.0.1", port=server.port, protocol=2)
    client.response_callbacks.clear()
    try:
        return client.execute_command(*command)  # type: ignore[no-untyped-call]
    finally:
        client.close()


def _succeeds(server: RedisServer, *command: object) -> bool:
    try:
        _call(server, *command)
    except ResponseError:
        return False
    return True


def _role(server: RedisServer) -> bytes:
    role: bytes = _call(server, "ROLE")[0]
    return role
