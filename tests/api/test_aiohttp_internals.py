"""Checks that the private parts of aiohttp on which the service depends exist. After an aiohttp release, the names of failing
tests show what has changed.

Nothing from the service is imported here, because the import could fail: `scripts/check-aiohttp` runs this file without the
conftest."""

import ast
import asyncio
import inspect
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import StreamReader, web
from aiohttp.base_protocol import BaseProtocol
from aiohttp.test_utils import make_mocked_request
from aiohttp.web_protocol import RequestHandler

PACKAGE = Path(__file__).parents[2] / "bundlesvc"
INTERNALS = PACKAGE / "api" / "aiohttp_internals.py"

SLOTS = {
    "_loop": asyncio.AbstractEventLoop,
    "_manager": web.Server,
    "_messages": deque,
    "_request_count": int,
    "_waiter": None,
    "_request_handler": object,
    "_current_request": None,
    "_close": bool,
    "_force_close": bool,
    "_upgraded": bool,
    "_reading_paused": bool,
    "_buffer_paused": bool,
    "_parser": object,
    "_paused": bool,
    "_keepalive_handle": None,
    "_keepalive_timeout": (int, float),
    "_next_keepalive_close_time": float,
}
"""The slots of a new connection, with the type of each slot's value; None if the slot is not set yet."""

METHODS = (
    (RequestHandler, "_pause_transport_reading", ["self"]),
    (RequestHandler, "_resume_transport_reading", ["self"]),
    (RequestHandler, "handle_error", ["self", "request", "status", "exc", "message"]),
    (RequestHandler, "finish_response", ["self", "request", "resp", "start_time"]),
    (RequestHandler, "data_received", ["self", "data"]),
    (RequestHandler, "log_exception", ["self", "args", "kw"]),
    (web.AppRunner, "_make_server", ["self"]),
)
"""Methods that the service calls or overrides, with their parameters."""

OTHERS = {"_ErrInfo", "_message", "_version", "_buffer", "_match_info"}


async def _handle(_: web.BaseRequest) -> web.StreamResponse:
    return web.Response()


@pytest.mark.parametrize("name", SLOTS)
async def test_a_connection_has_the_slot(name: str) -> None:
    """aiohttp's connection class stores the attribute in a slot. `aiohttp_internals.py` relies on this: it defines a second name
    for the slot's descriptor."""
    assert inspect.ismemberdescriptor(getattr(RequestHandler, name))
    value, kind = getattr(RequestHandler(web.Server(_handle), loop=asyncio.get_running_loop()), name), SLOTS[name]
    assert value is None if kind is None else isinstance(value, kind)


@pytest.mark.parametrize(("owner", "name", "parameters"), METHODS, ids=[name for _, name, _ in METHODS])
def test_a_method_has_its_parameters(owner: type, name: str, parameters: list[str]) -> None:
    assert list(inspect.signature(getattr(owner, name)).parameters) == parameters


async def test_parser_counts_the_messages_that_were_taken() -> None:
    protocol = RequestHandler(web.Server(_handle), loop=asyncio.get_running_loop())
    assert callable(protocol._parser.message_consumed)  # type: ignore[union-attr]


async def test_parser_takes_no_harm_from_a_message_that_it_did_not_parse() -> None:
    """The parser accepts a call of `message_consumed` for a message that it did not parse, and still admits no more messages than
    its limit allows."""
    protocol = RequestHandler(web.Server(_handle), loop=asyncio.get_running_loop())
    parser, most = protocol._parser, protocol._max_msg_queue_size
    assert parser is not None
    for _ in range(3):
        parser.message_consumed()
    messages, _, _ = parser.feed_data(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * (most + 2))
    assert len(messages) == most


def test_fault_in_place_of_a_message() -> None:
    from aiohttp.web_protocol import _ErrInfo  # noqa: PLC0415 - a missing name must fail this test, not the whole module

    assert list(inspect.signature(_ErrInfo).parameters) == ["status", "exc", "message"]


def test_request_refers_to_its_message() -> None:
    request = make_mocked_request("GET", "/path")
    assert request._message.path == "/path"


def test_version_of_a_request_can_be_changed() -> None:
    request = make_mocked_request("GET", "/path")
    request._version = request._version._replace(minor=0)
    assert request.version.minor == 0


def test_route_of_a_request_can_be_set() -> None:
    match = make_mocked_request("GET", "/other").match_info
    request = make_mocked_request("GET", "/path")
    request._match_info = match
    assert request.match_info is match


async def test_body_that_has_come_stays_in_its_buffer() -> None:
    protocol = BaseProtocol(asyncio.get_running_loop())
    payload = StreamReader(protocol, 1024, loop=asyncio.get_running_loop())
    payload.feed_data(b"ab")
    payload.feed_data(b"c")
    assert b"".join(payload._buffer) == b"abc"
    assert await payload.read(3) == b"abc"


def test_each_name_that_is_used_is_tested() -> None:
    used = {name for name in _names(ast.parse(INTERNALS.read_text())) if re.match("_[a-zA-Z]", name)}
    assert used - {"_slot", "_Slot"} == {*SLOTS, *OTHERS, *(name for _, name, _ in METHODS if name.startswith("_"))}


def test_no_other_module_names_what_is_private() -> None:
    """No module except `aiohttp_internals.py` uses private attributes of aiohttp's objects."""
    private = {*SLOTS, *OTHERS, "_make_server", "_kwargs", "_runner", "_pause_transport_reading"}
    found = {
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in PACKAGE.rglob("*.py")
        if path != INTERNALS and "aiohttp" in (text := path.read_text())
        for name in _foreign_names(ast.parse(text)) & private
    }
    assert not found


def _names(module: ast.Module) -> Iterator[str]:
    """Yield the names of attributes, definitions and imports, and those passed to `_slot` as strings."""
    for node in ast.walk(module):
        match node:
            case ast.Attribute(attr=name) | ast.AsyncFunctionDef(name=name) | ast.alias(name=name):
                yield name
            case ast.Call(func=ast.Name(id="_slot"), args=[ast.Constant(value=str(name))]):
                yield name


def _foreign_names(module: ast.Module) -> set[str]:
    """The attributes and imported names that a module uses without assigning them itself."""
    own = set(_assigned(module))
    named = {node.attr for node in ast.walk(module) if isinstance(node, ast.Attribute)}
    imported = {name.name for node in ast.walk(module) if isinstance(node, ast.ImportFrom) for name in node.names}
    return (named | imported) - own


def _assigned(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            for target in (each for each in ast.walk(node) if isinstance(each, ast.Attribute)):
                if (
                    isinstance(target.ctx, ast.Store)
                    and isinstance(target.value, ast.Name)
                    and target.value.id == "self"
                ):
                    yield target.attr
