"""Work on data that arrives together is spread over several turns of the event loop."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from bundlesvc.api.server import connections
from bundlesvc.api.server.loop_budget import LoopBudget
from tests.api.conftest import BASE, Api, MakeApi
from tests.api.raw import raw_connection
from tests.api.running_server import server_of
from tests.api.selection import configure_body

MANY = 10


def do(budget: LoopBudget, work: Callable[[], None]) -> None:
    if budget.enough():
        budget.put_off(work)
    else:
        work()


async def test_turn_does_few_things_and_the_rest_follows_in_order() -> None:
    budget, done = LoopBudget(few=4), list[int]()
    for number in range(MANY):
        do(budget, partial(done.append, number))
    assert done == [0, 1, 2, 3]
    await asyncio.sleep(0)
    do(budget, partial(done.append, MANY))
    assert done == [0, 1, 2, 3, 4, 5, 6, 7]
    await asyncio.sleep(0)
    assert done == [*range(MANY + 1)]


async def test_turn_with_time_left_does_everything() -> None:
    budget, done = LoopBudget(few=1, seconds=3600), list[int]()
    for number in range(MANY):
        do(budget, partial(done.append, number))
    assert done == [*range(MANY)]


def fail() -> None:
    raise ValueError


async def test_failure_does_not_hold_up_what_follows() -> None:
    failures: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["exception"]))
    budget, done = LoopBudget(few=2), list[int]()
    do(budget, partial(done.append, 0))
    do(budget, partial(done.append, 1))
    do(budget, fail)
    do(budget, partial(done.append, 2))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert done == [0, 1, 2]
    assert [type(each) for each in failures] == [ValueError]


@pytest.mark.parametrize("which", ["reads", "begins"])
async def test_requests_that_come_together_are_put_off_and_answered(
    which: str, make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests that arrive together are deferred and then answered; requests on the same connection are answered in order."""
    monkeypatch.setattr(connections, "READ_SECONDS", 0)
    monkeypatch.setattr(connections, f"FEW_{which.upper()}", 1)
    put_off = 0
    original = LoopBudget.put_off

    def counted(budget: LoopBudget, work: Callable[[], None]) -> None:
        nonlocal put_off
        put_off += 1
        original(budget, work)

    monkeypatch.setattr(LoopBudget, "put_off", counted)
    api = await make_api()
    responses = await asyncio.gather(
        *(api.post("/bundles/20/configure", configure_body("1001@1")) for _ in range(MANY)),
        *(api.get(f"/bundles/{number % 2 + 10}") for number in range(MANY)),
    )
    assert [response.status for response in responses] == [200] * MANY + [200, 404] * (MANY // 2)
    assert put_off > 0
    async with raw_connection(api.client) as (reader, writer):
        for number in range(MANY):
            closing = "close" if number == MANY - 1 else "keep-alive"
            writer.write(
                f"GET {BASE}/bundles/{number % 2 + 10} HTTP/1.1\r\nHost: a\r\nX-Request-Id: request-{number}\r\n"
                f"Authorization: Bearer {api.key}\r\nConnection: {closing}\r\n\r\n".encode()
            )
        received = (await asyncio.wait_for(reader.read(), 30)).decode()
    assert [line for line in received.splitlines() if line.startswith("X-Request-Id")] == [
        f"X-Request-Id: request-{number}" for number in range(MANY)
    ]


@pytest.fixture
def put_off(monkeypatch: pytest.MonkeyPatch) -> asyncio.Queue[Callable[[], None]]:
    """A queue of all arriving work, which is deferred until the test runs it."""
    works: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
    monkeypatch.setattr(LoopBudget, "enough", lambda _: True)
    monkeypatch.setattr(LoopBudget, "put_off", lambda _, work: works.put_nowait(work))
    return works


async def test_connection_whose_request_is_put_off_is_not_idle(
    api: Api, put_off: asyncio.Queue[Callable[[], None]]
) -> None:
    """A connection whose request is deferred is not idle; otherwise, it could be closed without a response, to make room for a
    new connection."""
    async with raw_connection(api.client) as (reader, writer):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        work = await asyncio.wait_for(put_off.get(), 30)
        (connection,) = server_of(api.client)._open
        now = asyncio.get_running_loop().time() + 3600
        connection.look(now)
        assert connection.rank(now + 3600) is None
        work()
        assert (await asyncio.wait_for(reader.read(), 30)).startswith(b"HTTP/1.1 200")


async def test_client_that_leaves_before_its_request_is_read_is_forgotten(
    api: Api, put_off: asyncio.Queue[Callable[[], None]]
) -> None:
    async with raw_connection(api.client) as (_, writer):
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        work = await asyncio.wait_for(put_off.get(), 30)
    server = server_of(api.client)
    work()
    while server._open:  # noqa: ASYNC110 - the service notifies nobody
        await asyncio.sleep(0.01)
