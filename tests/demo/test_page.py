"""The demo's page and its data, which exist in demo mode only."""

import re
from html.parser import HTMLParser

import pytest
from yarl import URL

from bundlesvc.demo.routes import PAGE
from tests.api.conftest import Api, Response
from tests.demo.service import Demo, MakeDemo

SHOP = "/demo/shop.json"
PAGE_FILES = "/demo/page/"
IMPORTED = re.compile(r'^import\b[^"]*"([^"]+)";', re.MULTILINE)
OTHER_WAYS_TO_THE_PAGE = [
    "/storefront/demo/page/index.html",
    "/storefront/demo//page/index.html",
    "/storefront//demo/page/index.html",
    "/storefront/demo/images/../page/index.html",
    "/storefront/demo/images/%2e%2e/page/index.html",
    "/storefront/demo%2fpage/index.html",
    "/storefront/client/../demo/page/index.html",
]


class Page(HTMLParser):
    """A parser that collects the addresses that a page loads, and the inline code and styles that a strict Content Security
    Policy would block."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocked: list[str] = []
        self.loaded: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.blocked += [f"{tag} {name}" for name in named if name.startswith("on") or name == "style"]
        if tag == "style" or (tag == "script" and "src" not in named):
            self.blocked.append(tag)
        address = named.get("src") or (named.get("href") if tag == "link" else None)
        if address:
            self.loaded.append(address)


async def test_page_has_a_strict_policy_and_complies(demo: Demo) -> None:
    answer = (await demo.fetch("/demo")).held()
    policy = answer.headers["Content-Security-Policy"]
    page = Page(answer.body.decode())

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.blocked == []
    assert page.loaded
    assert [(await demo.fetch(address)).status for address in page.loaded] == [200] * len(page.loaded)
    assert answer.headers["Content-Type"].startswith("text/html")


async def test_page_preloads_the_component(demo: Demo) -> None:
    answer = (await demo.fetch("/demo")).held()

    preloaded = re.findall(r'<([^>]+)>; rel="modulepreload"', answer.headers["Link"])
    assert len(preloaded) == 2
    assert [(await demo.fetch(address)).status for address in preloaded] == [200, 200]


@pytest.mark.parametrize("module", sorted(path.name for path in PAGE.glob("*.js")))
async def test_module_is_served_as_a_script_with_all_its_imports(demo: Demo, module: str) -> None:
    own = URL(f"{PAGE_FILES}{module}")
    answer = (await demo.fetch(own.path)).held()
    assert "javascript" in answer.headers["Content-Type"]

    imported = [str(URL(f"http://demo{own}").join(URL(name)).path) for name in IMPORTED.findall(answer.body.decode())]
    assert [(await demo.fetch(path)).status for path in imported] == [200] * len(imported)


async def without(path: str, api: Api) -> Response:
    """Fetch a path from a service that is not in demo mode."""
    async with api.client.get(path) as sent:
        return Response(sent.status, sent.headers, await sent.read())


@pytest.mark.parametrize(
    "path", ["/demo", "/demo/shop.json", "/demo/checkout", f"{PAGE_FILES}demo.js", *OTHER_WAYS_TO_THE_PAGE]
)
async def test_demo_is_not_found_without_demo_mode(shared_api: Api, path: str) -> None:
    answer, unknown = await without(path, shared_api), await without("/nothing", shared_api)
    assert (answer.status, answer.json["code"], answer.json["error"]) == (404, "not_found", unknown.json["error"])


async def test_component_and_images_are_served_without_demo_mode(shared_api: Api) -> None:
    for path in ("/storefront/client/client.js", "/storefront/demo/images/first-light.svg"):
        assert (await without(path, shared_api)).status == 200


@pytest.mark.parametrize(
    "path",
    ["/demo/", "/demo/page/", "/demo/page/nothing.js", "/demo/page/../images/first-light.svg", *OTHER_WAYS_TO_THE_PAGE],
)
async def test_other_paths_are_not_found(demo: Demo, path: str) -> None:
    assert (await demo.fetch(path)).held(404).code == "not_found"


async def test_browser_gets_a_page_for_an_unknown_path(demo: Demo) -> None:
    async with demo.client.get("/demo/nothing", headers={"Accept": "text/html,*/*;q=0.8"}) as sent:
        page = Page(await sent.text())

    assert (sent.status, sent.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "default-src 'none'" in sent.headers["Content-Security-Policy"]
    assert page.blocked == []
    assert [(await demo.fetch(address)).status for address in page.loaded] == [200] * len(page.loaded)


async def test_shop_data_for_the_page(demo: Demo) -> None:
    shop = (await demo.fetch(SHOP)).held().json

    assert (shop["apiKey"], shop["basePath"], shop["canBuy"]) == (demo.key, "/api/headless/v1", True)
    assert shop["shop"] == {"handle": "demo", "name": "Alder & Finch Coffee", "domain": "alder-and-finch.example"}
    assert shop["settings"] == (await demo.get("/settings")).held().json
    assert (shop["locale"], shop["languages"], shop["templates"]) == ("en", ["en", "de"], ["default", "compact"])
    assert shop["countries"] == [
        {"code": "CH", "currency": "CHF"},
        {"code": "JP", "currency": "JPY"},
        {"code": "US", "currency": "USD"},
    ]
    assert shop["experiments"] == [{"id": "breakfast-layout", "bundleId": 101, "arms": [101, 111]}]


async def test_shop_data_in_another_language(demo: Demo) -> None:
    assert (await demo.fetch(f"{SHOP}?lang=de-AT")).held().json["locale"] == "de"
    assert (await demo.fetch(f"{SHOP}?lang=fr")).held().json["locale"] == "en"


async def test_demo_without_a_shop_says_to_load_one(make_demo: MakeDemo) -> None:
    demo = await make_demo(demo_key=None)
    answers = [await demo.fetch(SHOP), await demo.checkout({"items": []})]
    assert [(answer.status, answer.code) for answer in answers] == [(404, "not_found")] * 2
    assert "Load a shop" in answers[0].json["error"]
