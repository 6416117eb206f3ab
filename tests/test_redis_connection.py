"""The connection to Redis: it never delays for long, says once what happened, and finds back by itself."""

import asyncio
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest

from bundlesvc import redis_connection
from bundlesvc.redis_connection import TIMEOUT, RedisConnection, RedisUnavailable
from tests.redis_server import PASSWORD, RedisServer
from tests.storage.postgresql.certificates import Authority, Files

TEST_TIMEOUT = 10.0
"""Seconds within which the service must have found back."""


@pytest.fixture
async def connection(redis: RedisServer, patient: None) -> AsyncIterator[RedisConnection]:
    connection = RedisConnection(redis.url)
    yield connection
    await connection.aclose()


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """What was logged of Redis."""
    caplog.set_level(logging.INFO)
    return lambda: [record.getMessage() for record in caplog.records if record.name == "bundlesvc.redis_connection"]


async def echo(connection: RedisConnection, text: str) -> object:
    return await connection.run(lambda: connection.client.echo(text))


async def until_up(connection: RedisConnection) -> None:
    """Returns when Redis is used again, without asking it anything."""
    if connection._watch is not None:
        await asyncio.wait_for(connection._watch, TEST_TIMEOUT)
    assert connection.up


async def test_it_asks_what_it_is_given(connection: RedisConnection) -> None:
    assert await echo(connection, "hello") == b"hello"
    assert connection.up


async def test_user_names_passwords_and_database_numbers(redis: RedisServer) -> None:
    connection = RedisConnection(redis.url_of_user)
    await connection.run(lambda: connection.client.set("there", "1"))
    assert await connection.run(connection.client.acl_whoami) == "bundlesvc"
    await connection.aclose()
    with redis.client() as client:
        client.select(3)
        assert client.keys() == [b"there"]


async def test_over_tls(redis: RedisServer, tmp_path: Path, patient: None, lines: Callable[[], list[str]]) -> None:
    """Who trusts the authority is connected; who does not is told why, and is not connected."""
    authority = Authority(tmp_path, "authority")
    async with tls_in_front_of(redis, authority.sign("server", "127.0.0.1")) as port:
        address = f"rediss://bundlesvc:{PASSWORD}@127.0.0.1:{port}/3"
        trusts = RedisConnection(f"{address}?ssl_ca_certs={authority.certificate}")
        await trusts.run(lambda: trusts.client.set("there", "1"))
        await trusts.aclose()
        does_not = RedisConnection(address)
        await does_not.start()
        assert not does_not.up
        await does_not.aclose()
    assert redis.keys() == []  # in the first database
    (line,) = lines()
    assert "certificate" in line


@asynccontextmanager
async def tls_in_front_of(redis: RedisServer, files: Files) -> AsyncIterator[int]:
    """The port of a server that speaks TLS, and hands on what it hears."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.certificate, files.key)

    async def hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", redis.port)
        await asyncio.gather(_pipe(reader, inner_writer), _pipe(inner_reader, writer))

    server = await asyncio.start_server(hand_on, "127.0.0.1", 0, ssl=context)
    async with server:
        yield int(server.sockets[0].getsockname()[1])


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while heard := await reader.read(65536):
            writer.write(heard)
            await writer.drain()
    writer.close()


async def test_secrets_are_not_logged(redis: RedisServer, lines: Callable[[], list[str]]) -> None:
    connection = RedisConnection(redis.url_of_user.replace(PASSWORD, "hunter3"))
    await connection.start()
    assert not connection.up
    await connection.aclose()
    (line,) = lines()
    assert f"127.0.0.1:{redis.port}" in line
    assert "hunter" not in line


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", "redis://localhost?colour=red"])
def test_what_is_no_address_of_redis(url: str) -> None:
    with pytest.raises(ValueError, match=r"Redis URL|REDIS_URL"):
        RedisConnection(url)


async def test_more_questions_at_once_than_connections(connection: RedisConnection) -> None:
    texts = [f"{number}" for number in range(redis_connection.MAX_CONNECTIONS * 6)]
    answers = await asyncio.gather(*(echo(connection, text) for text in texts))
    assert answers == [text.encode() for text in texts]
    assert connection.failures == 0


async def test_a_question_that_is_given_up_leaves_no_answer_for_the_next(
    connection: RedisConnection, redis: RedisServer
) -> None:
    await echo(connection, "warm")
    for _ in range(20):
        redis.pause()
        given_up = asyncio.create_task(echo(connection, "old"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        given_up.cancel()
        redis.resume()
        await asyncio.gather(given_up, return_exceptions=True)
        assert await echo(connection, "new") == b"new"
    assert connection.up


async def test_a_connection_that_was_closed_while_it_was_idle(connection: RedisConnection, redis: RedisServer) -> None:
    await echo(connection, "first")
    with redis.client() as client:
        client.client_kill_filter(_type="normal", skipme=True)
    assert await echo(connection, "second") == b"second"
    assert connection.failures == 0


async def test_nobody_there(lines: Callable[[], list[str]]) -> None:
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


async def test_killed_and_back(connection: RedisConnection, redis: RedisServer, lines: Callable[[], list[str]]) -> None:
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


async def test_hung_and_back(
    connection: RedisConnection, redis: RedisServer, lines: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who find out wait for a moment, and nobody after them."""
    await connection.start()
    monkeypatch.setattr(redis_connection, "TIMEOUT", TIMEOUT)
    with paused(redis):
        async with asyncio.timeout(TEST_TIMEOUT):
            found = await asyncio.gather(*(echo(connection, "hello") for _ in range(200)), return_exceptions=True)
        assert {type(each) for each in found} == {RedisUnavailable}
        assert connection.failures == 200
        for _ in range(200):
            with pytest.raises(RedisUnavailable) as away:
                await echo(connection, "hello")
            assert away.value.__cause__ is None  # nothing was asked
    monkeypatch.setattr(redis_connection, "TIMEOUT", TEST_TIMEOUT)
    await until_up(connection)
    assert await echo(connection, "hello") == b"hello"
    assert len(lines()) == 2


async def test_full_and_room_again(
    connection: RedisConnection,
    redis: RedisServer,
    lines: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that answers but takes nothing is not back, though it may be asked."""
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


async def test_one_that_comes_and_goes_is_tried_less_often(
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


async def test_it_can_be_closed_while_redis_is_away(redis: RedisServer) -> None:
    connection = RedisConnection(redis.url)
    redis.kill()
    await connection.start()
    await connection.aclose()
    assert [task for task in asyncio.all_tasks() if task.get_name() == "waiting for Redis"] == []


async def test_its_metrics(connection: RedisConnection, redis: RedisServer) -> None:
    def found() -> dict[str, float]:
        return {sample.name: sample.value for metric in connection.collect() for sample in metric.samples}

    assert found() == {"bundlesvc_redis_failures_total": 0, "bundlesvc_redis_up": 1}
    redis.kill()
    await connection.start()
    assert found() == {"bundlesvc_redis_failures_total": 1, "bundlesvc_redis_up": 0}


def test_a_hung_redis_delays_a_request_by_a_fraction_of_a_second() -> None:
    assert TIMEOUT <= 0.5


@contextmanager
def paused(redis: RedisServer) -> Iterator[None]:
    redis.pause()
    try:
        yield
    finally:
        redis.resume()
