"""GET /bundle/html: a bundle as HTML for the first paint (docs/first-paint.md). Tests in `tests/browser` check that the content
equals what the component renders."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bundlesvc.api.first_paint import drawing
from bundlesvc.api.first_paint.drawing import Drawing
from bundlesvc.api.first_paint.routes import DRAWING
from bundlesvc.domain.errors import Overloaded
from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, MakeApi
from tests.api.embed.conftest import SHOP_TEXT
from tests.html_engine import require_engine

HTML = "/embed/api/v1/bundle/html"
BUNDLE = "/embed/api/v1/bundle"
PICTURE = "imageUrl: https://img.example/everything.png"
ENDLESS = "export function html() {\n  for (;;);\n}\n"
TIMES = 3
"""How many times each request is sent: the last response comes from the fast path, if there is one."""


@pytest.fixture(autouse=True)
def engine() -> None:
    require_engine()


async def last(api: Api, path: str, **headers: str) -> str:
    """Request a path several times, so that the last HTML is served from the cache, and return that HTML."""
    for _ in range(TIMES):
        response = (await api.get(path, headers)).held()
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    return response.body.decode()


async def test_html_is_a_shadow_root_that_a_browser_attaches(shared_api: Api) -> None:
    html = await last(shared_api, f"{HTML}?id=10")
    assert html.startswith('<template shadowrootmode="open"><style>:host {')
    assert html.endswith("</template>")
    assert html.count("<template") == html.count("<style>") == 1


async def test_html_is_in_the_language_and_for_the_country(shared_api: Api) -> None:
    pages = [await last(shared_api, f"{HTML}?id=10&lang={lang}") for lang in ("en", "de")]
    assert ["In den Warenkorb" in page for page in pages] == [False, True]
    response = await shared_api.get(f"{HTML}?id=10", {"Accept-Language": "de"})
    assert response.headers["Content-Language"] == "de"
    assert response.body.decode() == pages[1]
    assert await last(shared_api, f"{HTML}?id=10&countryCode=US") != pages[0]


@pytest.fixture
async def pictured(make_api: MakeApi) -> Api:
    """The service with a shop that has an image hosted at the service's own address."""
    assert PICTURE in SHOP_TEXT
    return await make_api(SHOP_TEXT.replace(PICTURE, "imageUrl: /storefront/box.svg"))


async def test_images_are_at_the_address_of_the_request(pictured: Api) -> None:
    for host in ("one.example", "two.example"):
        assert f'src="http://{host}/storefront/box.svg"' in await last(pictured, f"{HTML}?id=10", Host=host)


async def test_page_without_a_host_gets_no_image_and_others_do(pictured: Api) -> None:
    assert "box.svg" not in await last(pictured, f"{HTML}?id=10", Host="")
    assert 'src="http://one.example/' in await last(pictured, f"{HTML}?id=10", Host="one.example")


async def test_own_header_of_a_page_hides_that_of_the_bundle(shared_api: Api) -> None:
    assert "data-headed" not in (await last(shared_api, f"{HTML}?id=10")).partition("</style>")[2]
    assert "data-headed" in (await last(shared_api, f"{HTML}?id=10&header=1")).partition("</style>")[2]


async def test_unchanged_html_is_304(shared_api: Api) -> None:
    response = await shared_api.get(f"{HTML}?id=10")
    again = await shared_api.get(f"{HTML}?id=10", {"If-None-Match": response.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")


async def test_html_runs_nothing_at_the_origin_of_the_service(shared_api: Api) -> None:
    response = await shared_api.get(f"{HTML}?id=10")
    assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("query", "status"),
    [("", 400), ("?id=x&countryCode=Q1", 400), ("?id=10&forceTemplate=none", 400), ("?id=98", 404)],
)
async def test_requests_are_refused_as_those_for_the_bundle(shared_api: Api, query: str, status: int) -> None:
    refused, alike = [await shared_api.get(f"{path}{query}") for path in (HTML, BUNDLE)]
    assert refused.status == alike.status == status
    assert {**refused.json, "requestId": ""} == {**alike.json, "requestId": ""}


@pytest.mark.parametrize("edge", [True, False], ids=["edge", "application"])
async def test_cdn_may_cache_it_and_purge_it_by_tag(settings: Settings, make_api: MakeApi, edge: bool) -> None:
    api = await make_api(settings=replace(settings, shared_caching=True, edge=edge))
    for _ in range(TIMES):
        response = await api.get(f"{HTML}?id=10")
    assert response.headers["Cache-Control"] == "public, max-age=15, s-maxage=15, stale-while-revalidate=60"
    assert response.headers["Vary"] == "Authorization, Origin, Accept-Encoding, Accept-Language"
    assert response.headers["Cache-Tag"].startswith("shop-demo,shop-demo-")
    assert "RateLimit" not in response.headers
    fresh = await api.get(f"{HTML}?id=10&fresh=1")
    assert fresh.headers["Cache-Control"] == "no-store"
    assert fresh.body == response.body


async def test_service_without_the_engine_says_what_is_missing(
    shared_api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "is_installed", lambda: False)
    response = await shared_api.get(f"{HTML}?id=10&fresh=1")
    assert (response.status, response.code) == (404, "not_found")
    assert "bundlesvc[html]" in response.json["error"]


async def test_drawing_that_takes_too_long_is_refused_and_the_next_one_is_not(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "TIMEOUT", 0.0)
    response = await api.get(f"{HTML}?id=10")
    assert (response.status, response.code) == (503, "overloaded")
    monkeypatch.undo()
    assert (await api.get(f"{HTML}?id=10")).status == 200


def module(folder: Path, text: str) -> Path:
    """Write a module with a drawing function, and return the storefront folder that contains the module."""
    (folder / "html").mkdir()
    (folder / "html" / "drawing.js").write_text(text)
    return folder


async def test_endless_drawing_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "TIMEOUT", 0.2)
    endless = Drawing(module(tmp_path, ENDLESS))
    with pytest.raises(Overloaded):
        await endless.html(b"{}", {})
    await endless.close()


async def test_drawings_that_wait_when_the_service_stops_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "TIMEOUT", 0.5)
    endless = Drawing(module(tmp_path, ENDLESS))
    waiting = [asyncio.create_task(endless.html(b"{}", {})) for _ in range(drawing.MAX_WAITING)]
    await asyncio.sleep(0.1)
    async with asyncio.timeout(drawing.MAX_WAITING * drawing.TIMEOUT / 2):
        await endless.close()
    assert {type(error) for error in await asyncio.gather(*waiting, return_exceptions=True)} == {Overloaded}
    with pytest.raises(Overloaded):
        await endless.html(b"{}", {})


async def test_services_in_several_threads_draw(tmp_path: Path) -> None:
    """Services in several threads can render HTML. On processors with memory protection keys, the process would crash if a thread
    that started before the first use of the JavaScript engine accessed it."""
    folder = module(tmp_path, "export function html(bundle) {\n  return bundle;\n}\n")

    async def draw(number: int) -> bytes:
        drawing = Drawing(folder)
        try:
            return await drawing.html(str(number).encode(), {})
        finally:
            await drawing.close()

    threads = (asyncio.to_thread(asyncio.run, draw(number)) for number in range(4))
    assert await asyncio.gather(*threads) == [b"0", b"1", b"2", b"3"]


async def test_too_many_drawings_are_refused(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MAX_WAITING", 1)
    paths = [f"{HTML}?id=10&fresh={number}" for number in range(3)]
    statuses = [response.status for response in await asyncio.gather(*map(api.get, paths))]
    assert sorted(statuses) == [200, 503, 503]


async def test_texts_with_characters_of_scripts_are_drawn(api: Api) -> None:
    """Text with characters that are special in scripts (line separators, quotes, surrogates) reaches the engine as data."""
    text = b'{"name": "\xe2\x80\xa8 \\" \\\\ </script> ${1} `"}'
    with pytest.raises(Exception, match="undefined"):
        await api.client.app[DRAWING].html(text, {})
