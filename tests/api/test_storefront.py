"""The storefront's static files: any page on any origin may load them, and a browser may keep them."""

import gzip
import os
from http import HTTPStatus
from pathlib import Path

import pytest
from aiohttp import web
from multidict import CIMultiDictProxy
from pytest_aiohttp.plugin import AiohttpClient
from yarl import URL

from bundlesvc.api.storefront import FOLDER, StorefrontFiles
from tests.api.conftest import Api, Client

MODULE = "bundle-builder.js"
PICTURE = "demo/images/mug-ink.svg"
TEXTS = "texts/de.json"


MODULES = [
    str(path.relative_to(FOLDER))
    for path in sorted(FOLDER.rglob("*.js"))
    if not {"cart", "demo", "react"} & {*path.parts}
]
MAX_PACKED_BYTES = 42_000
"""What component and client may take on the way to a browser, each module packed by itself. It was 35,000 before bundles could
be edited and shared, prices shown in the shopper's currency, and failures explained."""


def code_of(name: str) -> list[str]:
    """The lines of a module without comments and indentation."""
    lines, within = [], False
    for line in (FOLDER / name).read_text().splitlines():
        text = line.strip()
        within = within or text.startswith("/**")
        if not within and not text.startswith("//"):
            lines.append(text)
        within = within and not text.endswith("*/")
    return lines


@pytest.fixture
def client(shared_api: Api) -> Client:
    return shared_api.client


async def get(
    client: Client, name: str, headers: dict[str, str] | None = None, method: str = "GET"
) -> tuple[int, CIMultiDictProxy[str], bytes]:
    """Status, headers and body; `name` is sent as it is."""
    url = URL(f"/storefront/{name}", encoded=True)
    async with client.request(method, url, headers={"Accept-Encoding": "identity", **(headers or {})}) as sent:
        return sent.status, sent.headers, await sent.read()


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        (MODULE, "text/javascript; charset=utf-8"),
        ("component/styles.js", "text/javascript; charset=utf-8"),
        ("client/client.js", "text/javascript; charset=utf-8"),
        ("client/client.d.ts", "text/plain; charset=utf-8"),
        ("cart/cart.js", "text/javascript; charset=utf-8"),
        (TEXTS, "application/json; charset=utf-8"),
        (PICTURE, "image/svg+xml"),
    ],
)
async def test_any_origin_may_load_the_files(client: Client, name: str, content_type: str) -> None:
    status, headers, body = await get(client, name, {"Origin": "https://shop.example"})

    assert status == HTTPStatus.OK
    if not name.endswith(".js"):
        assert body == (FOLDER / name).read_bytes()
    assert headers["Content-Type"] == content_type
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "public, max-age=300, stale-while-revalidate=3600"
    assert headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("name", MODULES)
async def test_module_is_sent_without_comments_and_indentation(client: Client, name: str) -> None:
    _, _, body = await get(client, name)

    assert body.decode().splitlines() == code_of(name)


async def test_component_and_client_are_small(client: Client) -> None:
    packed = [gzip.compress((await get(client, name))[2], compresslevel=9, mtime=0) for name in MODULES]

    assert sum(map(len, packed)) < MAX_PACKED_BYTES


async def test_compressed_forms(client: Client) -> None:
    _, headers, _ = await get(client, MODULE, {"Accept-Encoding": "gzip"}, "HEAD")
    _, plain_headers, plain = await get(client, MODULE)

    assert headers["Content-Encoding"] == "gzip"
    assert int(headers["Content-Length"]) == len(gzip.compress(plain, compresslevel=9, mtime=0)) < len(plain) / 2
    assert int(plain_headers["Content-Length"]) == len(plain)
    assert headers["ETag"] != plain_headers["ETag"]


async def test_unchanged_files_are_304(client: Client) -> None:
    _, headers, _ = await get(client, MODULE)

    status, again, body = await get(client, MODULE, {"If-None-Match": headers["ETag"]})

    assert (status, body) == (HTTPStatus.NOT_MODIFIED, b"")
    assert (again["ETag"], again["Access-Control-Allow-Origin"]) == (headers["ETag"], "*")
    assert (await get(client, MODULE, {"If-None-Match": '"another"'}))[0] == HTTPStatus.OK


@pytest.mark.parametrize(
    "name",
    [
        "nothing.js",
        "demo",
        "demo/page/demo.js",
        "demo/images",
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/api/documentation/page/page.css",
        "%2fetc%2fpasswd",
        "client/..%2f..%2fsettings.py",
        "package.json",
        "README.md",
        "bundle-builder.js%00",
        f"{'a' * 5000}.js",
    ],
)
async def test_nothing_else_is_served(client: Client, name: str) -> None:
    status, headers, body = await get(client, name)

    assert status == HTTPStatus.NOT_FOUND, body
    assert headers["Content-Type"].startswith("application/json")


async def test_file_that_changes_is_read_again(aiohttp_client: AiohttpClient, tmp_path: Path) -> None:
    file = tmp_path / "a.js"
    app = web.Application()
    app.router.add_get("/{name:.+}", StorefrontFiles(tmp_path).respond)
    client = await aiohttp_client(app)

    async def read(seconds: int, text: str) -> tuple[str, str]:
        file.write_text(text)
        os.utime(file, (seconds, seconds))
        async with client.get("/a.js") as sent:
            return await sent.text(), sent.headers["ETag"]

    before, after, unchanged = await read(1, "one"), await read(2, "two"), await read(3, "two")

    assert (before[0], after[0]) == ("one", "two")
    assert before[1] != after[1] == unchanged[1]
