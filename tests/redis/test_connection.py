"""The connection to Redis: it never delays requests for long, logs a failure once, and recovers by itself."""

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest

from bundlesvc.redis import connection as redis_connection
from bundlesvc.redis import url as redis_url
from bundlesvc.redis.connection import TIMEOUT, RedisConnection
from bundlesvc.redis.names import RedisUnavailable
from bundlesvc.redis.url import CLUSTER, SENTINEL, SERVER
from bundlesvc.tracing.spans import PassedOn, Span, current_span, inside
from bundlesvc.tracing.trace_context import Parent
from tests.servers.redis_server import PASSWORD, TEST_TIMEOUT, RedisServer, count_contexts, tls_in_front_of, until_up
from tests.storage.database.postgresql.certificates import Authority


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """A function that returns the log lines of the connection so far."""
    caplog.set_level(logging.INFO)
    return lambda: [record.getMessage() for record in caplog.records if record.name == "bundlesvc.redis.connection"]


async def echo(connection: RedisConnection, text: str) -> object:
    return await connection.run(lambda: connection.client.echo(text))


async def test_command_returns_the_response(connection: RedisConnection) -> None:
    assert await echo(connection, "hello") == b"hello"
    assert connection.up


async def test_url_can_have_user_password_and_database_number(redis: RedisServer) -> None:
    connection = RedisConnection(redis.url_of_user)
    await connection.run(lambda: connection.client.set("there", "1"))
    assert await connection.run(connection.client.acl_whoami) == "bundlesvc"
    await connection.aclose()
    with redis.client() as client:
        client.select(3)
        assert client.keys() == [b"there"]


async def test_tls_connection_needs_a_trusted_certificate(
    redis: RedisServer, authority: Authority, long_redis_timeout: None, lines: Callable[[], list[str]]
) -> None:
    """Without a trusted certificate, the connection fails, the log states the reason, and no data is sent."""
    async with tls_in_front_of(redis, authority.sign("server", "127.0.0.1")) as port:
        address = f"rediss://bundlesvc:{PASSWORD}@127.0.0.1:{port}/3"
        trusting = RedisConnection(f"{address}?ssl_ca_certs={authority.certificate}")
        await trusting.run(lambda: trusting.client.set("there", "1"))
        await trusting.aclose()
        untrusting = RedisConnection(address)
        await untrusting.start()
        assert not untrusting.up
        await untrusting.aclose()
    assert redis.keys() == []  # the first database is empty
    (line,) = lines()
    assert "certificate" in line


async def test_secrets_are_not_logged(redis: RedisServer, lines: Callable[[], list[str]]) -> None:
    connection = RedisConnection(redis.url_of_user.replace(PASSWORD, "hunter3"))
    await connection.start()
    assert not connection.up
    await connection.aclose()
    (line,) = lines()
    assert f"127.0.0.1:{redis.port}" in line
    assert "hunter" not in line


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", "redis://localhost?db"])
def test_url_that_does_not_name_a_redis_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="Must be redis://"):
        RedisConnection(url)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("redis://user:hunter2@host", "socket_timeout"),
        ("rediss://user:hunter2@host", "ssl_colour"),
        ("redis+sentinel://user:hunter2@host/primary", "password"),
        ("redis+cluster://user:hunter2@host", "db"),
        ("rediss+cluster://user:hunter2@host", "sentinel_password"),
    ],
)
def test_unknown_option_is_named(place: str, name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name} is not an option of rediss?\S*://\. The options are: ") as refused:
        RedisConnection(f"{place}?{name}=hunter2")
    assert "hunter2" not in str(refused.value)


async def test_every_option_is_known_to_the_client(tmp_path: Path) -> None:
    file = tmp_path / "file.pem"
    file.touch()
    values = {"db": "0", "ssl_cert_reqs": "required", "ssl_min_version": "771", "ssl_check_hostname": "true"}
    values |= dict.fromkeys(("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"), str(file))
    values |= dict.fromkeys(("ssl_include_verify_flags", "ssl_exclude_verify_flags"), "VERIFY_X509_STRICT")
    for place, mode in (("host", SERVER), ("host/primary", SENTINEL), ("host", CLUSTER)):
        options = {name: values.get(name, "x") for name in redis_url.OPTIONS[mode]}
        connection = RedisConnection(f"rediss{mode}://{place}?{urlencode(options)}")
        await connection.aclose()


async def test_more_commands_than_connections_wait_for_their_turn(connection: RedisConnection) -> None:
    texts = [f"{number}" for number in range(redis_connection.MAX_COMMANDS * 6)]
    answers = await asyncio.gather(*(echo(connection, text) for text in texts))
    assert answers == [text.encode() for text in texts]
    assert connection.failures == 0


async def test_waiting_for_a_turn_is_not_taken_for_a_failure_of_redis(
    connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that times out while it waits for its turn does not count as a failure of Redis: the commands in flight are slow,
    but within their time limit."""
    going = [asyncio.create_task(connection.run(asyncio.Event().wait)) for _ in range(redis_connection.MAX_COMMANDS)]
    await asyncio.sleep(0)
    monkeypatch.setattr(redis_connection, "TIMEOUT", 0.01)
    with pytest.raises(RedisUnavailable):
        await echo(connection, "waits")
    assert connection.up
    assert connection.failures == 1
    for each in going:
        each.cancel()
    await asyncio.gather(*going, return_exceptions=True)
    assert connection._turns._value == redis_connection.MAX_COMMANDS


async def test_connections_share_a_tls_context(
    redis: RedisServer, authority: Authority, long_redis_timeout: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = count_contexts(monkeypatch)
    async with tls_in_front_of(redis, authority.sign("server", "127.0.0.1")) as port:
        connection = RedisConnection(
            f"rediss://bundlesvc:{PASSWORD}@127.0.0.1:{port}/3?ssl_ca_certs={authority.certificate}"
        )
        assert await asyncio.gather(*(echo(connection, "hello") for _ in range(5))) == [b"hello"] * 5
        await connection.aclose()
    assert len(made) == 1


async def test_a_busy_event_loop_is_not_taken_for_a_hanging_redis(
    connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy event loop is not mistaken for a hanging Redis, because a response may have arrived long before the loop reads
    it."""
    monkeypatch.setattr(redis_connection, "TIMEOUT", 0.1)

    async def command() -> str:
        for _ in range(6):
            time.sleep(0.05)  # noqa: ASYNC251 - stands for other requests that occupy the processor
            await asyncio.sleep(0)
        return "response"

    assert await connection.run(command) == "response"
    assert connection.up


async def test_response_to_a_cancelled_command_does_not_reach_the_next_one(
    connection: RedisConnection, redis: RedisServer
) -> None:
    await echo(connection, "warm")
    for _ in range(20):
        redis.pause()
        cancelled = asyncio.create_task(echo(connection, "old"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        cancelled.cancel()
        redis.resume()
        await asyncio.gather(cancelled, return_exceptions=True)
        assert await echo(connection, "new") == b"new"
    assert connection.up


async def test_connection_closed_while_idle_is_opened_again(connection: RedisConnection, redis: RedisServer) -> None:
    await echo(connection, "first")
    with redis.client() as client:
        client.client_kill_filter(_type="normal", skipme=True)
    assert await echo(connection, "second") == b"second"
    assert connection.failures == 0


async def test_missing_redis_is_logged_once(lines: Callable[[], list[str]]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    connection = RedisConnection(f"redis://127.0.0.1:{port}")
    await connection.start()
    assert not connection.up
    with pytest.raises(RedisUnavailable):
        await echo(connection, "hello")
    assert connection.failures == 1
    await connection.aclose()
    assert len(lines()) == 1


async def test_waiting_for_redis_belongs_to_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_connection, "RETRY_SECONDS", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    connection = RedisConnection(f"redis://127.0.0.1:{port}")
    with inside(PassedOn(Parent("a" * 32, "b" * 16, "01", ""))):
        with pytest.raises(RedisUnavailable):
            await echo(connection, "hello")
        spans: list[Span | None] = []

        async def responds() -> None:
            spans.append(current_span())

        monkeypatch.setattr(connection, "_probe", responds)
        await until_up(connection)
    assert spans == [None]
    await connection.aclose()


async def test_killed_redis_is_logged_once_and_used_again_after_its_return(
    connection: RedisConnection, redis: RedisServer, lines: Callable[[], list[str]]
) -> None:
    await connection.start()
    redis.kill()
    for _ in range(100):
        with pytest.raises(RedisUnavailable):
            await echo(connection, "hello")
    assert len(lines()) == 1
    assert not connection.up
    redis.start()
    await until_up(connection)
    assert await echo(connection, "hello") == b"hello"
    assert len(lines()) == 2
    assert "again" in lines()[1]


async def test_hung_redis_delays_only_running_commands(
    connection: RedisConnection, redis: RedisServer, lines: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hung Redis delays only the commands in flight. Commands after the first failure do not wait."""
    await connection.start()
    monkeypatch.setattr(redis_connection, "TIMEOUT", TIMEOUT)
    with paused(redis):
        async with asyncio.timeout(TEST_TIMEOUT):
            found = await asyncio.gather(*(echo(connection, "hello") for _ in range(200)), return_exceptions=True)
        assert {type(each) for each in found} == {RedisUnavailable}
        assert connection.failures >= redis_connection.MAX_COMMANDS
        for _ in range(200):
            with pytest.raises(RedisUnavailable) as away:
                await echo(connection, "hello")
            assert away.value.__cause__ is None  # no command was sent
    monkeypatch.setattr(redis_connection, "TIMEOUT", TEST_TIMEOUT)
    await until_up(connection)
    assert await echo(connection, "hello") == b"hello"
    assert len(lines()) == 2


async def test_full_redis_counts_as_down_until_it_accepts_writes(
    connection: RedisConnection,
    redis: RedisServer,
    lines: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that responds but accepts no writes counts as down."""
    monkeypatch.setattr(redis_connection, "RETRY_SECONDS", 0.02)
    redis.fill()
    await connection.start()
    assert not connection.up
    assert "maxmemory" in lines()[0]
    tried_twice = asyncio.Event()
    probe = connection._probe

    async def counted() -> None:
        if connection.failures > 2:
            tried_twice.set()
        await probe()

    monkeypatch.setattr(connection, "_probe", counted)
    await asyncio.wait_for(tried_twice.wait(), TEST_TIMEOUT)
    assert not connection.up
    assert len(lines()) == 1
    redis.make_room()
    await until_up(connection)
    assert len(lines()) == 2


async def test_redis_that_fails_again_soon_is_tried_less_often(
    connection: RedisConnection, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_connection, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(redis_connection, "MAX_RETRY_SECONDS", 0.04)
    pauses = []
    for _ in range(4):
        redis.fill()
        with pytest.raises(RedisUnavailable):
            await connection.run(lambda: connection.client.set("a", "b"))
        pauses.append(connection._pause)
        redis.make_room()
        await until_up(connection)
    assert pauses == [0.01, 0.02, 0.04, 0.04]
    monkeypatch.setattr(redis_connection, "STEADY_SECONDS", 0.0)
    redis.fill()
    with pytest.raises(RedisUnavailable):
        await connection.run(lambda: connection.client.set("a", "b"))
    assert connection._pause == 0.01


async def test_client_is_replaced_after_a_failure_once_no_command_uses_it(
    connection: RedisConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_connection, "RETRY_SECONDS", 0.01)
    old, slow = connection.client, asyncio.Event()
    running = asyncio.create_task(connection.run(slow.wait))
    await asyncio.sleep(0)
    with pytest.raises(RedisUnavailable):
        await connection.run(lambda: connection.client.execute_command("NO-SUCH-COMMAND"))
    await asyncio.sleep(0.1)
    assert connection.client is old
    slow.set()
    assert await running
    await until_up(connection)
    assert connection.client is not old


async def test_connection_can_be_closed_while_redis_is_down(redis: RedisServer) -> None:
    connection = RedisConnection(redis.url)
    redis.kill()
    await connection.start()
    await connection.aclose()
    assert [task for task in asyncio.all_tasks() if task.get_name() == "waiting for Redis"] == []


async def test_metrics_show_failures_and_whether_redis_is_up(connection: RedisConnection, redis: RedisServer) -> None:
    def found() -> dict[str, float]:
        return {sample.name: sample.value for metric in connection.collect() for sample in metric.samples}

    assert found() == {"bundlesvc_redis_failures_total": 0, "bundlesvc_redis_up": 1}
    redis.kill()
    await connection.start()
    assert found() == {"bundlesvc_redis_failures_total": 1, "bundlesvc_redis_up": 0}


def test_hung_redis_delays_a_request_by_half_a_second_at_most() -> None:
    assert TIMEOUT <= 0.5


@contextmanager
def paused(redis: RedisServer) -> Iterator[None]:
    redis.pause()
    try:
        yield
    finally:
        redis.resume()
