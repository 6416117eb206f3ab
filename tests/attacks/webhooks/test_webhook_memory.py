"""Attack: many webhooks with slow bodies, which fill the memory before any signature is checked."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path

import orjson
import pytest

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.token_cipher import credentials_cipher
from tests.api.conftest import LIVE_SHOP, Client
from tests.api.raw import raw_connection
from tests.attacks.live import deliver
from tests.platforms.shopify.webhooks.test_messages import SECRET, headers
from tests.process.serving import SECRET_KEY, TIMEOUT, Server, in_database, prepare, serving

MEBIBYTE = 2**20
CONNECTIONS = 200
UNSIGNED = {"Hmac_Sha256": "A" * 43 + "="}
"""A well-formed but wrong signature, which the service can recognise as wrong only after reading the body."""

REFUSED = [
    pytest.param("live", {"Hmac_Sha256": None}, 403, "signature_invalid", id="no signature"),
    pytest.param("live", {"Hmac_Sha256": "AAAA"}, 403, "signature_invalid", id="a short signature"),
    pytest.param("live", {"Hmac_Sha256": "?" * 44}, 403, "signature_invalid", id="a signature that is not base64"),
    pytest.param("live", {"Shop_Domain": "another.example"}, 403, "signature_invalid", id="another shop's domain"),
    pytest.param("live", {"Topic": "nonsense"}, 400, "invalid_request", id="no topic"),
    pytest.param("live", {"Webhook_Id": None}, 400, "invalid_request", id="no id"),
    pytest.param("demo", {}, 403, "signature_invalid", id="a shop without a live platform"),
    pytest.param("nobody", {}, 403, "signature_invalid", id="no shop"),
]


def head(length: int, shop: str = "live", changed: Mapping[str, str | None] | None = None) -> bytes:
    """Build the head of a webhook request that announces a body of `length` bytes."""
    sent = headers(b"{}", changed=changed)
    lines = [f"POST /webhooks/platform/{shop} HTTP/1.1", "Host: x", f"Content-Length: {length}"]
    return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in sent.items()), "", ""]).encode()


async def response_to(client: Client, sent: bytes) -> tuple[int, str]:
    """Send a request whose body never arrives, and return the status and the code of the response."""
    async with raw_connection(client) as (reader, writer):
        writer.write(sent)
        answered = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)).decode()
        length = int(answered.lower().partition("content-length: ")[2].split()[0])
        body = await asyncio.wait_for(reader.readexactly(length), 5)
    return int(answered.split()[1]), orjson.loads(body)["code"]


@pytest.mark.parametrize(("shop", "changed", "status", "code"), REFUSED)
async def test_invalid_headers_are_refused_before_the_body(
    live_client: Client, shop: str, changed: dict[str, str | None], status: int, code: str
) -> None:
    assert await response_to(live_client, head(7 * MEBIBYTE, shop, changed)) == (status, code)


async def test_an_announced_length_beyond_the_limit_is_refused_before_the_body(live_client: Client) -> None:
    assert await response_to(live_client, head(8 * MEBIBYTE + 1)) == (413, "body_too_large")


async def test_chunks_beyond_the_limit_are_refused(live_client: Client) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(9):
            yield bytes(MEBIBYTE)

    sent = headers(b"{}", changed=UNSIGNED)
    async with live_client.post("/webhooks/platform/live", data=chunks(), headers=sent) as response:
        assert (response.status, (await response.json())["code"]) == (413, "body_too_large")


async def test_memory_is_freed_when_an_attacker_disconnects(live_client: Client) -> None:
    """Memory is freed when an attacker disconnects. The attacker's twelve bodies of 7 MiB together exceed the memory allowed for
    all webhooks."""
    for _ in range(12):
        async with raw_connection(live_client) as (_, writer):
            writer.write(head(7 * MEBIBYTE + 1, changed=UNSIGNED) + bytes(7 * MEBIBYTE))
            await writer.drain()
            await asyncio.sleep(0.01)

    assert await deliver(live_client, b'{"id": 7}') == (200, {"status": "ok"})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A process with a shop on a live platform."""
    folder = tmp_path_factory.mktemp("attacked")
    prepare(folder)
    shop = folder / "live.yaml"
    shop.write_text(LIVE_SHOP)
    in_database(folder, lambda database: connect(database, shop))
    with serving(folder) as server:
        yield server


async def connect(database: Database, shop: Path) -> None:
    await SqlShopFileStore(database).replace(read_shop_file(shop))
    tenant = await SqlKeyStore(database).tenant("live")
    assert tenant is not None
    store = SqlCredentialStore(database, credentials_cipher([SECRET_KEY]))
    await store.connect(tenant, PlatformConnection("roaster.myshopify.com", "token", SECRET), 0)


@pytest.mark.process
def test_incomplete_bodies_share_bounded_memory(server: Server) -> None:
    """Incomplete bodies share limited memory: of the 400 MB that are sent, 64 MiB are kept, and the other requests are
    refused."""
    before = server.memory_megabytes()
    with ExitStack() as opened:
        clients = [opened.enter_context(closing(_attacker(server))) for _ in range(CONNECTIONS)]
        for _ in range(16):
            for client in clients:
                _drip(client, 128 * 1024)
        grown = server.memory_megabytes() - before
        refused = sum(_was_refused(client) for client in clients)

        assert server.get("/healthz").status == 200
    print({"grown by": round(grown), "refused": refused})  # noqa: T201 - for information
    assert grown < 200
    assert refused > CONNECTIONS / 2


def _attacker(server: Server) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", server.port), TIMEOUT)
    client.sendall(head(7 * MEBIBYTE, changed=UNSIGNED))
    client.settimeout(1)
    return client


def _drip(client: socket.socket, size: int) -> None:
    try:
        client.sendall(bytes(size))
    except OSError:
        return  # refused, and cut off


def _was_refused(client: socket.socket) -> bool:
    client.settimeout(0.05)
    try:
        return b'"overloaded"' in client.recv(4096)
    except TimeoutError:
        return False
    except OSError:
        return True
