"""Attack: find out from a response which library and version the service uses, or make a browser run a response as a script."""

import asyncio

import pytest

from tests.api.conftest import BASE, Api
from tests.api.raw import raw_exchange

CLOSE = "Host: x\r\nConnection: close\r\n"
REQUESTS = {
    "health": f"GET /healthz HTTP/1.1\r\n{CLOSE}\r\n",
    "metrics": f"GET /metrics HTTP/1.1\r\n{CLOSE}\r\n",
    "the documentation": f"GET /docs HTTP/1.1\r\n{CLOSE}\r\n",
    "a file of the storefront": f"GET /storefront/bundle-builder.js HTTP/1.1\r\n{CLOSE}\r\n",
    "a HEAD": f"HEAD /storefront/bundle-builder.js HTTP/1.1\r\n{CLOSE}\r\n",
    "no such file": f"GET /storefront/nothing.js HTTP/1.1\r\n{CLOSE}\r\n",
    "no such path": f"GET /nothing HTTP/1.1\r\n{CLOSE}\r\n",
    "no such method": f"DELETE /healthz HTTP/1.1\r\n{CLOSE}\r\n",
    "without a key": f"GET {BASE}/bundles HTTP/1.1\r\n{CLOSE}\r\n",
    "a preflight": f"OPTIONS {BASE}/bundles HTTP/1.1\r\n{CLOSE}Origin: https://x.example\r\n"
    "Access-Control-Request-Method: GET\r\n\r\n",
    "a refused webhook": f"POST /webhooks/platform/demo HTTP/1.1\r\n{CLOSE}Content-Length: 0\r\n\r\n",
    "a packed body": f"POST /healthz HTTP/1.1\r\n{CLOSE}Content-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
    "not HTTP": "nonsense\r\n\r\n",
    "a header that is too long": f"GET / HTTP/1.1\r\n{CLOSE}X: {'x' * 20_000}\r\n\r\n",
    "an expectation that nobody has": f"GET /healthz HTTP/1.1\r\n{CLOSE}Expect: a miracle\r\n\r\n",
    "a method that nobody knows": f"BREW / HTTP/1.1\r\n{CLOSE}\r\n",
    "chunks that are not": f"POST /healthz HTTP/1.1\r\n{CLOSE}Transfer-Encoding: chunked\r\n\r\nzz\r\n",
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
async def test_no_response_names_the_library(api: Api, request_: str) -> None:
    _, headers, body = await raw_exchange(api.client, request_)

    assert headers["server"] == "bundlesvc"
    assert headers["x-content-type-options"] == "nosniff"
    assert b"aiohttp" not in body or request_ == REQUESTS["the documentation"]


@pytest.mark.parametrize("tag", ["", "*"], ids=["rendered", "not modified"])
@pytest.mark.parametrize("path", ["/bundles", "/bundles/20", "/settings"])
async def test_no_ready_response_names_the_library(api: Api, path: str, tag: str) -> None:
    responses = await asyncio.gather(*(api.get(path, {"If-None-Match": tag} if tag else {}) for _ in range(2)))

    for response in responses:
        assert response.status == (304 if tag else 200)
        assert response.headers.getall("Server") == ["bundlesvc"]
        assert response.headers.getall("X-Content-Type-Options") == ["nosniff"]
