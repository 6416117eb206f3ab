"""The publication of a bundle begins or ends while two processes with Redis are under load. Every request sent after this change
sees the new state, and every response received before it shows the old state."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.process.serving import BASE, Server, prepare, serving
from tests.process.shop import PAIR, SHOP
from tests.servers.redis_server import RedisServer

WORKERS = 2
CLIENTS = 6
UNTIL_THEN, AFTERWARDS = 12.0, 1.5
"""Seconds from loading the shop to the time at which the publication begins or ends (enough for a start on a busy machine), and
from that time to the end of the test."""

READS: dict[str, Callable[[int, bytes], bool]] = {
    f"/bundles/{PAIR}": lambda status, _: status == 200,
    "/bundles": lambda _, body: b'"id":%d' % PAIR in body,
    f"/embed/api/v1/bundle?id={PAIR}": lambda status, _: status == 200,
}
"""For each path from which the bundle can be read: a function that says whether a response shows the bundle for sale."""


class Seen(NamedTuple):
    """A response: when its request was sent, when it was received, and whether it contains the bundle."""

    sent: float
    received: float
    for_sale: bool


def read_until(server: Server, key: str, path: str, end: float) -> list[Seen]:
    connection, seen = server.connect(), []
    while (sent := time.time()) < end:
        connection.request("GET", f"{BASE}{path}", headers={"Authorization": f"Bearer {key}"})
        response = connection.getresponse()
        body = response.read()
        seen.append(Seen(sent, time.time(), READS[path](response.status, body)))
    connection.close()
    return seen


@pytest.mark.parametrize("key_of_times", ["publishedFrom", "publishedUntil"])
def test_time_is_exact_under_load(key_of_times: str, tmp_path: Path, redis: RedisServer) -> None:
    moment = int(time.time() + UNTIL_THEN)
    shop = tmp_path / "shop.yaml"
    local = f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%S}"
    shop.write_text(
        SHOP.read_text().replace(f"{{id: {PAIR}, name: Pair,", f"{{id: {PAIR}, name: Pair, {key_of_times}: {local},")
    )
    key = prepare(tmp_path, shop)
    ended = key_of_times == "publishedUntil"
    with serving(tmp_path, settings={"WEB_CONCURRENCY": str(WORKERS), "REDIS_URL": redis.url}) as server:
        assert time.time() < moment - 1
        with ThreadPoolExecutor(CLIENTS) as pool:
            paths = [*READS] * (CLIENTS // len(READS))
            runs = [pool.submit(read_until, server, key, path, moment + AFTERWARDS) for path in paths]
            seen = [each for run in runs for each in run.result()]
    after = [each for each in seen if each.sent >= moment]
    before = [each for each in seen if each.received < moment]
    assert min(len(before), len(after)) > 100
    assert [each for each in after if each.for_sale == ended] == []
    assert [each for each in before if each.for_sale != ended] == []
