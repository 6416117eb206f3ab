"""Attack: a few hundred compressed bytes that decompress to gigabytes, on any path, without a key."""

import gzip
import os
import socket
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import brotli
import orjson
import pytest

from tests.api.conftest import Api
from tests.api.selection import price_body
from tests.process.serving import BASE, TIMEOUT, Server, prepare, serving

UNPACKED = 256 * 1024 * 1024
PATHS = [
    "/healthz",
    "/metrics",
    "/nothing/here",
    "/storefront/bundle-builder.js",
    "/webhooks/platform/demo",
    "/webhooks/platform/nobody",
    f"{BASE}/bundles/1/price",
    f"{BASE}/nothing",
    f"{BASE}/embed/api/v1/bundles/1",
]
CPU_SECONDS = 1.0
"""The maximum processor time for all bombs of a test, in seconds. A single bomb used to take several seconds."""


@cache
def bomb(coding: str) -> bytes:
    """Bytes that decompress to `UNPACKED` zeros."""
    part, parts = bytes(2**20), UNPACKED // 2**20
    if coding == "br":
        packer = brotli.Compressor(quality=5)
        return b"".join([*(packer.process(part) for _ in range(parts)), packer.finish()])
    deflate = zlib.compressobj(9, wbits=31 if coding == "gzip" else 15)
    return b"".join([*(deflate.compress(part) for _ in range(parts)), deflate.flush()])


@pytest.fixture(scope="module", params=["1", "2"], ids=["one process", "workers"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The service, once as one process, and once under gunicorn, which creates the server itself."""
    folder = tmp_path_factory.mktemp("attacked")
    prepare(folder)
    with serving(folder, settings={"WEB_CONCURRENCY": request.param}) as server:
        assert server.get("/healthz").status == 200
        yield server


def cpu_seconds(server: Server) -> float:
    """The processor time of the server and its worker processes, in seconds."""
    ticks = 0
    for pid in (server.process.pid, *server.workers()):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def send(server: Server, path: str, coding: str, body: bytes, method: str = "POST") -> tuple[int, str]:
    """Send a body, and return the status and the error code of the response.

    Reads until the connection closes, so that work done after the response is measured too."""
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Encoding: {coding}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        response = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, content = response.decode().partition("\r\n\r\n")
    return int(head.split()[1]), orjson.loads(content)["code"]


@pytest.mark.process
@pytest.mark.parametrize("coding", ["br", "gzip", "deflate"])
def test_a_bomb_is_refused_on_every_path_and_never_decompressed(server: Server, coding: str) -> None:
    before = cpu_seconds(server)

    responses = {path: send(server, path, coding, bomb(coding)) for path in PATHS}

    assert responses == dict.fromkeys(PATHS, (400, "content_encoding_unsupported"))
    assert cpu_seconds(server) - before < CPU_SECONDS


@pytest.mark.process
def test_a_bomb_in_a_get_is_not_decompressed_either(server: Server) -> None:
    before = cpu_seconds(server)

    assert send(server, "/healthz", "br", bomb("br"), "GET") == (400, "content_encoding_unsupported")
    assert cpu_seconds(server) - before < CPU_SECONDS


@pytest.mark.process
def test_a_bomb_uses_no_memory(server: Server) -> None:
    before = server.memory_megabytes()

    for _ in range(10):
        send(server, "/healthz", "br", bomb("br"))

    assert server.memory_megabytes() - before < 50


@pytest.mark.parametrize(
    "coding", ["gzip", "GZIP", "br", "deflate", "zstd", "compress", "x-gzip", "gzip, br", "identity, gzip"]
)
async def test_every_coding_but_identity_is_refused(api: Api, coding: str) -> None:
    body = orjson.dumps(price_body("1001@1"))

    response = (await api.post("/bundles/20/price", gzip.compress(body), {"Content-Encoding": coding})).held(400)

    assert response.code == "content_encoding_unsupported"
    assert (await api.get("/settings")).status == 200


@pytest.mark.parametrize("coding", ["identity", "Identity", "", "identity, identity"])
async def test_an_uncompressed_body_is_accepted(api: Api, coding: str) -> None:
    assert (await api.post("/bundles/20/price", price_body("1001@1"), {"Content-Encoding": coding})).status == 200
