"""The preview's page, and its events."""

from typing import Any

import orjson
import pytest
from aiohttp import ClientResponse
from aiohttp.test_utils import TestClient
from pytest_aiohttp.plugin import AiohttpClient

from bundlesvc.app import create_app
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.preview.previewed_file import PreviewedFile
from bundlesvc.preview.routes import add_preview
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.engine.database import Database
from tests.preview.conftest import SavedFile

PreviewClient = TestClient[Any, Any]


@pytest.fixture
def previewed(saved: SavedFile) -> PreviewedFile:
    async def load(_: ShopFile) -> None:
        """The routes do not depend on it."""

    return PreviewedFile(saved.path, load)


@pytest.fixture
async def client(
    aiohttp_client: AiohttpClient, settings: Settings, database: Database, previewed: PreviewedFile
) -> PreviewClient:
    app = create_app(settings)
    add_preview(app, previewed, "bnd_test_key", settings.base_path)
    return await aiohttp_client(app)


async def event(response: ClientResponse) -> Any:
    """The next event of a stream."""
    line = await response.content.readuntil(b"\n\n")
    return orjson.loads(line.removeprefix(b"data: "))


@pytest.mark.parametrize("name", ["", "/page/preview.js", "/page/preview.css", "/page/demo.css", "/page/dom.js"])
async def test_page_and_its_files(client: PreviewClient, name: str) -> None:
    async with client.get(f"/preview{name}") as response:
        assert response.status == 200
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil", "[::2]", ""]
)
@pytest.mark.parametrize(
    "path", ["/preview", "/preview/events", "/api/headless/v1/bundles", "/openapi.json", "/nothing"]
)
async def test_page_of_another_host_reads_nothing(
    client: PreviewClient, previewed: PreviewedFile, host: str, path: str
) -> None:
    """A domain that resolves to this computer would be the same origin as the preview."""
    await previewed.follow()
    async with client.get(path, headers={"Host": host, "Authorization": "Bearer bnd_test_key"}) as response:
        assert response.status == 421
        assert "bnd_test_key" not in await response.text()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8080", "LOCALHOST"])
async def test_names_of_this_computer_are_answered(client: PreviewClient, host: str) -> None:
    async with client.get("/preview", headers={"Host": host}) as response:
        assert response.status == 200


async def test_events_do_not_name_the_library(client: PreviewClient, previewed: PreviewedFile) -> None:
    await previewed.follow()
    async with client.get("/preview/events") as response:
        await previewed.close()
    assert response.headers.getall("Server") == ["bundlesvc"]
    assert response.headers.getall("X-Content-Type-Options") == ["nosniff"]


async def test_events_have_all_that_the_page_shows(
    client: PreviewClient, previewed: PreviewedFile, saved: SavedFile
) -> None:
    await previewed.follow()
    async with client.get("/preview/events") as response:
        first = await event(response)
        saved.change("type: percentage", "type: percantage")
        await previewed.follow()
        second = await event(response)
        await previewed.close()
        assert await response.content.read() == b""

    assert response.headers["Content-Type"] == "text/event-stream"
    assert first == {
        "apiKey": "bnd_test_key",
        "basePath": "/api/headless/v1",
        "file": "shop.yaml",
        "number": 1,
        "isCurrent": True,
        "shopName": "Corner Shop",
        "currency": "EUR",
        "moneyFormat": "€{{amount}}",
        "languages": ["en", "de"],
        "countries": ["US"],
        "bundles": [
            {"id": 1, "name": "Breakfast", "published": True, "fromPrice": "3.60", "discountSummary": "10 % off"},
            {"id": 2, "name": "Supper", "published": False, "fromPrice": None, "discountSummary": None},
        ],
        "findings": [{**first["findings"][0], "line": 25, "severity": "warning", "bundleId": 2}],
    }
    assert (second["isCurrent"], second["bundles"]) == (False, first["bundles"])
    assert [(finding["line"], finding["bundleId"]) for finding in second["findings"]] == [(16, None)]
