"""The storefront's static files: pages on any origin may load them, and browsers may cache them."""

import gzip
import re
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import pytest
from multidict import CIMultiDictProxy
from yarl import URL

from bundlesvc.api.storefront_files.static_files import FOLDER, Version, read_files
from tests.api.conftest import Api, Client

COMPONENT = "bundle-builder.js"
CLIENT = "client/client.js"
CART = "cart/cart.js"
ANALYTICS = "analytics/analytics.js"
PICTURE = "demo/images/mug-ink.svg"
TEXTS = "texts/de.json"
OLD = "0" * 16
"""The digest of an old version."""

MAX_PACKED_BYTES = 42_500
"""The maximum compressed size of the component and the client: the short-lived module and two linked files. The limit was 35,000
before bundles could be edited and shared, prices shown in the shopper's currency, failures explained, and unknown types
refused."""

MAX_ANALYTICS_BYTES = 1024

IMMUTABLE = "public, max-age=31536000, immutable"
SHORT_LIVED = "public, max-age=300, stale-while-revalidate=3600"


class Got(NamedTuple):
    status: int
    headers: CIMultiDictProxy[str]
    body: bytes


@pytest.fixture
def client(shared_api: Api) -> Client:
    return shared_api.client


async def get(client: Client, name: str, headers: dict[str, str] | None = None, method: str = "GET") -> Got:
    """Fetch a file; `name` is sent unchanged."""
    url = URL(f"/storefront/{name}", encoded=True)
    async with client.request(method, url, headers={"Accept-Encoding": "identity", **(headers or {})}) as sent:
        return Got(sent.status, sent.headers, await sent.read())


@pytest.fixture
async def digest(client: Client) -> str:
    """The digest of the current version, from the imports in the short-lived component module."""
    (found,) = set(re.findall(r'"\./([0-9a-f]{16})/', (await get(client, COMPONENT)).body.decode()))
    return str(found)


@pytest.mark.parametrize("lifetime", [SHORT_LIVED, IMMUTABLE])
@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        (COMPONENT, "text/javascript; charset=utf-8"),
        ("component/view/styles.js", "text/javascript; charset=utf-8"),
        (CLIENT, "text/javascript; charset=utf-8"),
        (CART, "text/javascript; charset=utf-8"),
        ("client/client.d.ts", "text/plain; charset=utf-8"),
        (TEXTS, "application/json; charset=utf-8"),
        (PICTURE, "image/svg+xml"),
    ],
)
async def test_any_origin_may_load_the_files(
    client: Client, digest: str, lifetime: str, name: str, content_type: str
) -> None:
    address = f"{digest}/{name}" if lifetime == IMMUTABLE else name
    status, headers, body = await get(client, address, {"Origin": "https://shop.example"})

    assert status == HTTPStatus.OK
    if not name.endswith(".js"):
        assert body == (FOLDER / name).read_bytes()
    assert headers["Content-Type"] == content_type
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == lifetime
    assert headers["Vary"] == "Accept-Encoding"


async def test_short_lived_module_imports_and_preloads_the_files_of_one_digest(client: Client, digest: str) -> None:
    _, headers, body = await get(client, COMPONENT)

    files = [f"{digest}/{CLIENT}", f"{digest}/{COMPONENT}"]
    assert re.findall(r'(?:from|import) "\./(.*)";', body.decode()) == files
    assert headers["Link"] == ", ".join(f'<{file}>; rel="modulepreload"' for file in files)
    for file in files:
        assert (await get(client, file)).status == HTTPStatus.OK


@pytest.mark.parametrize(("name", "imports"), [(CLIENT, []), (COMPONENT, [f"./{CLIENT}"]), (CART, [f"../{CLIENT}"])])
async def test_linked_file_imports_the_client_only(client: Client, digest: str, name: str, imports: list[str]) -> None:
    code = (await get(client, f"{digest}/{name}")).body.decode()

    assert re.findall(r'\b(?:from|import) "(.*)";', code) == imports


@pytest.mark.parametrize("name", [name for name in read_files(FOLDER) if name.endswith(".js")])
async def test_short_lived_modules_contain_no_code(client: Client, digest: str, name: str) -> None:
    """Short-lived modules contain no code of their own: they only import the current version and re-export its names."""
    lines = (await get(client, name)).body.decode().splitlines()

    first = rf'(import|export {{ .* }} from|import {{ \$modules }} from) "(\.|\.\.(/\.\.)*)/{digest}/[^"]+";'
    known = re.compile(rf'{first}|export const .* = \$modules\["{name}"\];')
    assert [line for line in lines if not known.fullmatch(line)] == []


async def test_linked_files_have_source_maps(client: Client, digest: str) -> None:
    for name in (CLIENT, COMPONENT, CART):
        code = (await get(client, f"{digest}/{name}")).body.decode()
        (file,) = re.findall(r"^//# sourceMappingURL=(.*)$", code, re.MULTILINE)
        found = await get(client, str(Path(digest, name).with_name(file)))
        assert (found.status, found.headers["Cache-Control"]) == (HTTPStatus.OK, IMMUTABLE)
        assert found.headers["Content-Type"] == "application/json; charset=utf-8"


@pytest.mark.parametrize("name", [TEXTS, "component/view/styles.js", f"{CLIENT}.map"])
async def test_file_of_another_version_is_not_found(client: Client, digest: str, name: str) -> None:
    status, headers, body = await get(client, f"{OLD}/{name}")

    assert status == HTTPStatus.NOT_FOUND
    assert f"The current files are below /storefront/{digest}/.".encode() in body
    assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("name", [COMPONENT, CLIENT, CART])
async def test_module_of_another_version_leads_to_the_current_files(client: Client, digest: str, name: str) -> None:
    """A module of another version re-exports the current files. This works for a page that has cached only the short-lived
    module.

    It does not work for a page that has also cached one of the two linked files, which needs the `$modules` export of the other.
    The module tested here lacks that export, so the browser refuses both files."""
    status, headers, body = await get(client, f"{OLD}/{name}")

    assert (status, headers["Cache-Control"]) == (HTTPStatus.OK, "no-store")
    assert b"$modules" not in body
    imported = re.findall(r'(?:from|import) "(.*)";', body.decode())
    addresses = {URL(f"http://service/{OLD}/{name}").join(URL(path)).path for path in imported}
    assert addresses == {f"/{digest}/{CLIENT}", f"/{digest}/{name}"}


def test_digest_changes_with_any_file() -> None:
    files = read_files(FOLDER)
    changed = [{**files, name: files[name] + b"\n"} for name in (COMPONENT, CLIENT, TEXTS, PICTURE)]

    digests = [Version(each).digest for each in (files, files, *changed)]

    assert digests[0] == digests[1]
    assert len(set(digests)) == 1 + len(changed)


async def test_component_and_client_are_small(client: Client, digest: str) -> None:
    names = [COMPONENT, f"{digest}/{CLIENT}", f"{digest}/{COMPONENT}"]
    packed = [gzip.compress((await get(client, name)).body, compresslevel=9, mtime=0) for name in names]

    assert sum(map(len, packed)) < MAX_PACKED_BYTES


async def test_compressed_forms(client: Client, digest: str) -> None:
    module = f"{digest}/{COMPONENT}"
    _, headers, _ = await get(client, module, {"Accept-Encoding": "gzip"}, "HEAD")
    _, plain_headers, plain = await get(client, module)

    assert headers["Content-Encoding"] == "gzip"
    assert int(headers["Content-Length"]) == len(gzip.compress(plain, compresslevel=9, mtime=0)) < len(plain) / 2
    assert int(plain_headers["Content-Length"]) == len(plain)
    assert headers["ETag"] != plain_headers["ETag"]


async def test_unchanged_files_are_304(client: Client) -> None:
    _, headers, _ = await get(client, COMPONENT)

    status, again, body = await get(client, COMPONENT, {"If-None-Match": headers["ETag"]})

    assert (status, body) == (HTTPStatus.NOT_MODIFIED, b"")
    assert (again["ETag"], again["Access-Control-Allow-Origin"]) == (headers["ETag"], "*")
    assert (await get(client, COMPONENT, {"If-None-Match": '"another"'})).status == HTTPStatus.OK


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


def test_analytics_stay_small() -> None:
    """The analytics file, which a page loads in addition to the client file, stays within its size limit."""
    version = Version(read_files(FOLDER))
    assert len(gzip.compress(version.immutable[ANALYTICS].body, compresslevel=9)) <= MAX_ANALYTICS_BYTES
