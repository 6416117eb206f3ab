"""Heads that differ only in their idempotency key: each request is treated as if its own head had been parsed."""

import asyncio
from typing import Any
from unittest.mock import Mock

import orjson
import pytest
from aiohttp import EMPTY_PAYLOAD
from aiohttp.http import HttpRequestParser
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.api.aiohttp_internals import RawRequestMessage
from bundlesvc.api.fast_path.head_cache import HeadCache, PlainPost
from bundlesvc.api.fast_path.key_header import has_only, split_head, with_key
from bundlesvc.api.fast_path.pipeline import FAST_PATH
from bundlesvc.api.posts.idempotency import MAX_KEY_LENGTH
from bundlesvc.api.server.connection import Connection
from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, Serve
from tests.api.fast_path.test_get_responder import _both, _masked
from tests.api.fast_path.test_waiting_posts import CONFIGURE, message, response
from tests.api.raw import raw_connection
from tests.api.selection import configure_body
from tests.conftest import MakeKey

NAMES = ("Idempotency-Key", "idempotency-key", "IDEMPOTENCY-KEY")
VISIBLE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=MAX_KEY_LENGTH)


def head_with(*lines: str) -> bytes:
    return "\r\n".join(["POST /a?b=1 HTTP/1.1", "Host: x", *lines, "Content-Length: 2", "", ""]).encode()


def parsed(head: bytes) -> RawRequestMessage:
    loop = asyncio.new_event_loop()
    try:
        messages, _, _ = HttpRequestParser(Mock(), loop, 2**16).feed_data(head + b"{}")
    finally:
        loop.close()
    return messages[0][0]


@given(name=st.sampled_from(NAMES), first=VISIBLE, second=VISIBLE)
def test_message_with_another_key_is_the_one_the_parser_makes_of_its_head(name: str, first: str, second: str) -> None:
    before, after = (head_with(f"{name}: {key}", "X: y") for key in (first, second))
    (rest, _), (other_rest, header) = split_head(before), split_head(after)
    assert rest == other_rest
    assert header is not None
    made, expected = with_key(parsed(before), header), parsed(after)
    assert repr(made) == repr(expected)
    assert made.raw_headers == expected.raw_headers
    assert has_only(made, header)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["Idempotency-Key:"],
        ["Idempotency-Key: "],
        ["Idempotency-Key:k"],
        ["Idempotency-Key:  k"],
        ["Idempotency-Key: k "],
        ["Idempotency-Key: two words"],
        ["Idempotency-Key: kéy"],
        ["Idempotency-Key: \0"],
        [f"Idempotency-Key: {'k' * (MAX_KEY_LENGTH + 1)}"],
        ["X-Idempotency-Key: k"],
        ["X: Idempotency-Key: k"],
    ],
)
def test_key_in_an_unusual_form_stays_in_the_head(lines: list[str]) -> None:
    head = head_with(*lines)
    assert split_head(head) == (head, None)


def test_head_with_two_keys_is_recognised() -> None:
    head = head_with("Idempotency-Key: a", "idempotency-key: b")
    _, header = split_head(head)
    assert header is not None
    assert not has_only(parsed(head), header)


def test_head_without_its_key_differs_from_every_head_without_a_key() -> None:
    taken_out, _ = split_head(head_with("Idempotency-Key: k"))
    assert taken_out not in {head_with("Idempotency-Key: "), head_with("Idempotency-Key:"), head_with()}
    assert not taken_out.endswith(b"\r\n\r\n")


def test_head_without_its_key_is_found_only_for_a_request_with_a_key() -> None:
    heads = HeadCache(lambda _, __: PlainPost("/a", None, 2))
    for key in ("a", "b"):
        head = head_with(f"Idempotency-Key: {key}")
        heads.learn(head, parsed(head), EMPTY_PAYLOAD)
    assert heads.find(head_with("Idempotency-Key: c") + b"{}") is not None
    rest, _ = split_head(head)
    for data in (rest, rest + b"{}", rest[:-1], rest[:-1] + b"{}", b"\0" + rest[:-1]):
        assert heads.find(data) is None


@pytest.fixture
def repeated(monkeypatch: pytest.MonkeyPatch) -> list[RawRequestMessage]:
    """The messages whose heads were not parsed again."""
    messages: list[RawRequestMessage] = []
    add_message = Connection.add_message

    def adding(connection: Connection, message: RawRequestMessage) -> None:
        messages.append(message)
        add_message(connection, message)

    monkeypatch.setattr(Connection, "add_message", adding)
    return messages


def keyed(api: Api, *keys: str, variant: str = "1002@1") -> bytes:
    body = orjson.dumps(configure_body(variant))
    return message(api, "POST", CONFIGURE, body, *(f"Idempotency-Key: {key}" for key in keys))


async def sent(api: Api, *requests: bytes) -> list[tuple[bytes, Any]]:
    """Send requests one after another on one connection, and return the heads and contents of the responses."""
    received = []
    async with raw_connection(api.client) as (reader, writer):
        for request in requests:
            writer.write(request)
            received.append(await response(reader))
    return received


async def test_each_key_of_a_repeated_head_gets_its_own_bundle(api: Api, repeated: list[RawRequestMessage]) -> None:
    keys = [f"key-{number}" for number in range(8)]
    first = await sent(api, *(keyed(api, key) for key in keys))
    assert [each.headers["Idempotency-Key"] for each in repeated][-3:] == keys[-3:]
    assert len({content["configured_bundle_id"] for _, content in first}) == len(keys)
    again = await sent(api, *(keyed(api, key) for key in keys))
    assert [content for _, content in again] == [content for _, content in first]
    assert all(b"idempotent-replayed: true" in head for head, _ in again)
    assert not any(b"idempotent-replayed" in head for head, _ in first)


async def test_reused_key_is_refused_with_a_repeated_head(api: Api, repeated: list[RawRequestMessage]) -> None:
    await sent(api, *(keyed(api, f"key-{number}") for number in range(4)))
    ((head, content),) = await sent(api, keyed(api, "key-0", variant="1001@1"))
    assert repeated[-1].headers["Idempotency-Key"] == "key-0"
    assert head.startswith(b"http/1.1 400")
    assert content["code"] == "idempotency_key_reused", content


async def test_head_with_two_keys_is_parsed_each_time(api: Api, repeated: list[RawRequestMessage]) -> None:
    await sent(api, *(keyed(api, "same", f"other-{number}") for number in range(5)))
    assert not repeated


async def test_repeated_head_does_not_hide_an_invalid_key(api: Api) -> None:
    (*_, (refused, content)) = await sent(api, *(keyed(api, f"key-{number}") for number in range(4)), keyed(api, "é"))
    assert refused.startswith(b"http/1.1 400")
    assert content["code"] == "idempotency_key_invalid", content


async def test_refused_selection_gets_the_same_bytes_with_and_without_the_fast_path(
    serve: Serve, settings: Settings, make_key: MakeKey
) -> None:
    both = await _both(serve, settings, make_key)
    good, bad = (orjson.dumps(configure_body(variant)).decode() for variant in ("1002@1", "1009@1"))
    assert len(good) == len(bad)

    def request(key: str, body: str) -> bytes:
        headers = f"Idempotency-Key: {key}", f"Content-Length: {len(body)}", "", body
        return both.request(CONFIGURE, *headers, method="POST")

    for client in both.clients:
        async with raw_connection(client) as (reader, writer):
            for number in range(4):
                writer.write(request(f"key-{number}", good))
                await response(reader)
    assert both.clients[0].app[FAST_PATH].heads.size
    requests = [request("key-4", bad), both.request("/bundles/10", "Connection: close")]
    edge, application = await both.exchange(requests, pipelined=False)
    assert _masked(edge) == _masked(application)
    assert edge.startswith(b"HTTP/1.1 400")
