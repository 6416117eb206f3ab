"""Attack: a request line names an HTTP version that the service does not support, to make the response name that version too."""

import asyncio

import pytest

from tests.api.conftest import BASE, Api
from tests.api.raw import raw_connection

KEEP = "Connection: keep-alive"
PATHS = ["/healthz", "/readyz", "/nothing", f"{BASE}/bundles"]


async def answer(api: Api, sent: str) -> bytes:
    async with raw_connection(api.client) as (reader, writer):
        writer.write(sent.encode())
        return await asyncio.wait_for(reader.read(), 60)


def request(api: Api, path: str, version: str, *lines: str) -> str:
    return "\r\n".join([f"GET {path} {version}", "Host: x", f"Authorization: Bearer {api.key}", *lines, "", ""])


@pytest.mark.parametrize("line", [KEEP, "X: y"])
@pytest.mark.parametrize("version", ["HTTP/2.0", "HTTP/0.9"])
@pytest.mark.parametrize("path", PATHS)
async def test_another_version_is_answered_in_our_own(api: Api, path: str, version: str, line: str) -> None:
    """A request in another HTTP version is answered in HTTP/1.1, and the connection closes, because the bytes that follow may not
    be HTTP."""
    response = await answer(api, request(api, path, version, line))
    assert response.startswith(b"HTTP/1.1 505 ")
    assert b'"code":"http_version_unsupported"' in response.replace(b" ", b"")
    assert b"\r\nServer: bundlesvc\r\n" in response


async def test_second_request_of_a_pipeline_may_not_change_the_version(api: Api) -> None:
    good, other = request(api, f"{BASE}/bundles", "HTTP/1.1"), request(api, f"{BASE}/bundles", "HTTP/2.0", KEEP)
    response = await answer(api, good + other + good)
    assert response.startswith(b"HTTP/1.1 200 ")
    assert response.count(b"HTTP/1.1 505 ") == 1
    assert b"HTTP/2.0" not in response.replace(b"version", b"")


@pytest.mark.parametrize("version", ["HTTP/3.0", "HTTP/1.2", "HTTP/9.9", "HTTPS/1.1"])
async def test_version_that_nobody_has_is_refused(api: Api, version: str) -> None:
    response = await answer(api, request(api, "/healthz", version))
    assert response.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 "))
