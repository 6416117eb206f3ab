"""The connection to a Redis Cluster (docs/scaling.md#sentinel-and-cluster). `tests/ratelimit` and `tests/caching` test the data
stored there."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack

import pytest

from bundlesvc.redis import connection as redis_connection
from bundlesvc.redis.connection import RedisConnection
from bundlesvc.redis.names import RedisUnavailable
from tests.servers.redis_groups import Cluster
from tests.servers.redis_server import PASSWORD, USER, RedisServer, count_contexts, tls_in_front_of, until_up
from tests.storage.database.postgresql.certificates import Authority

KEYS = [f"key-{number}" for number in range(60)]
"""Enough keys for every server to store some of them."""


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """A function that returns the lines that the connection has logged so far."""
    caplog.set_level(logging.INFO)
    return lambda: [record.getMessage() for record in caplog.records if record.name == "bundlesvc.redis.connection"]


async def put(connection: RedisConnection, key: str, value: str = "1") -> None:
    await connection.run(lambda: connection.client.set(key, value))


async def get(connection: RedisConnection, key: str) -> object:
    return await connection.run(lambda: connection.client.get(key))


async def put_all(connection: RedisConnection) -> list[object]:
    return list(await asyncio.gather(*(put(connection, key) for key in KEYS), return_exceptions=True))


async def test_address_without_a_server_is_skipped(cluster_connection: RedisConnection, cluster: Cluster) -> None:
    await cluster_connection.start()
    assert await put_all(cluster_connection) == [None] * len(KEYS)
    assert all(server.keys("key-*") for server in cluster.servers)
    assert cluster_connection.up
    assert cluster_connection.failures == 0


async def test_user_and_password_are_sent_to_every_server(cluster: Cluster, long_redis_timeout: None) -> None:
    connection = RedisConnection(cluster.url.replace("://", f"://{USER}:{PASSWORD}@"))
    await put_all(connection)
    users = await connection.client.acl_whoami(target_nodes=connection.client.PRIMARIES)
    assert list(users.values()) == [USER] * len(cluster.servers)
    await connection.aclose()


async def test_connections_to_all_servers_use_tls(
    cluster: Cluster, authority: Authority, long_redis_timeout: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connections to all servers use TLS and share one TLS context. The servers report the addresses of their non-TLS ports,
    so the test replaces the reported addresses."""
    made = count_contexts(monkeypatch)
    files = authority.sign("server", "127.0.0.1")
    async with AsyncExitStack() as stack:
        ports = {
            server.port: await stack.enter_async_context(tls_in_front_of(server, files)) for server in cluster.servers
        }
        first = ports[cluster.servers[0].port]
        connection = RedisConnection(f"rediss+cluster://127.0.0.1:{first}?ssl_ca_certs={authority.certificate}")
        connection.client.nodes_manager.address_remap = lambda address: (address[0], ports.get(address[1], address[1]))
        await connection.start()
        for key in KEYS[:10]:
            await put(connection, key)
        assert sorted(node.port for node in connection.client.get_primaries()) == sorted(ports.values())
        await connection.aclose()
    assert cluster.keys("key-*") == sorted(key.encode() for key in KEYS[:10])
    assert len(made) == 1


async def test_more_commands_than_connections_wait_for_their_turn(cluster_connection: RedisConnection) -> None:
    numbers = range(redis_connection.MAX_COMMANDS * 6)
    await asyncio.gather(*(put(cluster_connection, f"{number}", f"{number}") for number in numbers))
    found = await asyncio.gather(*(get(cluster_connection, f"{number}") for number in numbers))
    assert found == [f"{number}".encode() for number in numbers]
    assert cluster_connection.failures == 0


async def test_response_to_a_cancelled_command_does_not_reach_the_next_one(
    cluster_connection: RedisConnection, cluster: Cluster
) -> None:
    await put(cluster_connection, "old", "old")
    await put(cluster_connection, "new", "new")
    for _ in range(20):
        for server in cluster.servers:
            server.pause()
        cancelled = [asyncio.create_task(get(cluster_connection, "old")) for _ in range(3)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for task in cancelled:
            task.cancel()
        for server in cluster.servers:
            server.resume()
        await asyncio.gather(*cancelled, return_exceptions=True)
        assert await get(cluster_connection, "new") == b"new"
    assert cluster_connection.up


async def test_connections_closed_while_idle_are_opened_again(
    cluster_connection: RedisConnection, cluster: Cluster
) -> None:
    await put_all(cluster_connection)
    for server in cluster.servers:
        with server.client() as client:
            client.client_kill_filter(_type="normal", skipme=True)
    assert await put_all(cluster_connection) == [None] * len(KEYS)
    assert cluster_connection.failures == 0


@pytest.mark.parametrize("number", [0, 2])
async def test_killed_server_is_logged_once_and_used_again_after_its_return(
    number: int, cluster_connection: RedisConnection, cluster: Cluster, lines: Callable[[], list[str]]
) -> None:
    """While one server is down, no commands are sent to the other servers either: each process works on its own for all keys. The
    failure is logged once, and the server is used again after its return."""
    await put_all(cluster_connection)
    cluster.servers[number].kill()
    for _ in range(3):
        results = await put_all(cluster_connection)
        assert {type(result) for result in results} <= {type(None), RedisUnavailable}
    assert not cluster_connection.up
    assert {type(result) for result in await put_all(cluster_connection)} == {RedisUnavailable}
    assert len(lines()) == 1
    cluster.repair()
    await until_up(cluster_connection)
    assert await put_all(cluster_connection) == [None] * len(KEYS)
    assert [line.partition(" can")[0] for line in lines()] == [cluster_connection.name] * 2


async def test_hung_server_delays_only_running_commands(
    cluster_connection: RedisConnection, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    await put_all(cluster_connection)
    monkeypatch.setattr(redis_connection, "TIMEOUT", 0.5)
    cluster.servers[1].pause()
    try:
        await put_all(cluster_connection)
        assert not cluster_connection.up
        for result in await put_all(cluster_connection):
            assert isinstance(result, RedisUnavailable)
            assert result.__cause__ is None, "a command was sent"
    finally:
        cluster.servers[1].resume()
    monkeypatch.setattr(redis_connection, "TIMEOUT", 10.0)
    await until_up(cluster_connection)
    assert await put_all(cluster_connection) == [None] * len(KEYS)


async def test_connection_can_be_closed_while_a_server_is_down(cluster: Cluster, long_redis_timeout: None) -> None:
    connection = RedisConnection(cluster.url)
    await put_all(connection)
    cluster.servers[0].kill()
    await put_all(connection)
    await connection.aclose()
    assert [task for task in asyncio.all_tasks() if task.get_name() == "waiting for Redis"] == []


async def test_slot_that_moved_is_followed(cluster_connection: RedisConnection, cluster: Cluster) -> None:
    await put_all(cluster_connection)
    cluster.repair()  # deletes the keys: `move` needs empty slots
    slot = cluster.slot(KEYS[0].encode())
    target = next(server for server in cluster.servers if server is not cluster.owner(slot))
    cluster.move([slot], target)
    await put(cluster_connection, KEYS[0])
    assert target.keys() == [KEYS[0].encode()]
    assert cluster_connection.failures == 0


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("redis+cluster://127.0.0.1:{server}", "Cluster mode is not enabled on this node"),
        ("redis+cluster://127.0.0.1:1", "Connect call failed"),
        ("redis+cluster://user:hunter3@127.0.0.1:{member}", "invalid username-password pair"),
        ("redis://127.0.0.1:{member}", "it belongs to a cluster: write redis+cluster://"),
    ],
)
async def test_wrong_address_is_logged_with_its_reason(
    place: str,
    reason: str,
    cluster: Cluster,
    redis: RedisServer,
    long_redis_timeout: None,
    lines: Callable[[], list[str]],
) -> None:
    connection = RedisConnection(place.format(server=redis.port, member=cluster.servers[1].port))
    await connection.start()
    assert not connection.up
    await connection.aclose()
    (line,) = lines()
    assert reason in line
    assert "hunter" not in line
