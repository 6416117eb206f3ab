"""The documentation in a browser: the API reference, the guides, and the files that they load."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import PurePosixPath

import pytest

from bundlesvc.api.documentation.guide_files import FOLDER
from bundlesvc.api.documentation.markdown import render
from bundlesvc.api.documentation.pages import GUIDES, GUIDES_PATH
from bundlesvc.api.documentation.plain_text import LLMS_PATH, MARKDOWN_PATH
from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, Serve

NAMES = [path.relative_to(FOLDER).as_posix() for path in [*FOLDER.glob("*.md"), *FOLDER.glob("decisions/*.md")]]


class Addresses(HTMLParser):
    """A parser that collects a page's links, the files that it loads, and its element ids."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in {"href", "src"}:
                self.loaded.append(value or "")


async def page(api: Api, path: str) -> str:
    async with api.client.get(path) as response:
        assert (response.status, response.content_type) == (200, "text/html"), path
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self';" in policy
        return await response.text()


async def test_reference_loads_everything_from_this_service(shared_api: Api) -> None:
    addresses = Addresses(await page(shared_api, "/docs")).loaded

    assert "/docs/assets/swagger-ui-bundle.js" in addresses
    for address in addresses:
        if address != "data:,":
            async with shared_api.client.get(address) as response:
                assert response.status == 200, address


async def test_demo_key_is_in_the_reference_only_in_demo_mode(serve: Serve) -> None:
    plain = Api(await serve(demo_key="bnd_live_demo"), None)

    assert "bnd_live_demo" not in await page(plain, "/docs")


async def test_demo_key_is_filled_in_in_demo_mode(serve: Serve, settings: Settings) -> None:
    demo = Api(await serve(demo_key="bnd_live_demo", settings=replace(settings, demo=True)), None)

    assert 'data-demo-key="bnd_live_demo"' in await page(demo, "/docs")


async def test_root_leads_a_browser_to_the_documentation(shared_api: Api) -> None:
    async with shared_api.client.get("/", headers={"Accept": "text/html,*/*"}, allow_redirects=False) as response:
        assert (response.status, response.headers["Location"]) == (302, "/docs")
    async with shared_api.client.get("/") as response:
        assert (response.status, (await response.json())["code"]) == (404, "not_found")


@pytest.fixture(scope="module")
def ids_by_path() -> dict[str, list[str]]:
    """A cache of the ids in each fetched page, because many guides link to the same pages."""
    return {}


async def _ids(api: Api, path: str, ids_by_path: dict[str, list[str]]) -> list[str]:
    if path not in ids_by_path:
        async with api.client.get(path) as response:
            assert response.status == 200, path
            text = await response.text() if response.content_type == "text/html" else ""
            ids_by_path[path] = Addresses(text).ids
    return ids_by_path[path]


@pytest.mark.parametrize("name", NAMES)
async def test_every_link_of_a_guide_is_served(shared_api: Api, name: str, ids_by_path: dict[str, list[str]]) -> None:
    addresses = Addresses(await page(shared_api, f"{GUIDES_PATH}/{name}"))

    for address in [*addresses.links, *addresses.loaded]:
        target, _, anchor = address.partition("#")
        if "://" in target or target == "data:,":
            continue
        if not target:
            assert anchor in addresses.ids, address
            continue
        ids = await _ids(shared_api, _resolved(name, target), ids_by_path)
        assert not anchor or anchor in ids, address


def _resolved(name: str, address: str) -> str:
    if address.startswith("/"):
        return address
    parts: list[str] = []
    for part in (PurePosixPath(GUIDES_PATH) / PurePosixPath(name).parent / address).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return str(PurePosixPath(*parts))


async def test_every_page_links_to_every_guide_and_marks_its_own(shared_api: Api) -> None:
    text = await page(shared_api, f"{GUIDES_PATH}/running.md")

    assert all(f'href="{GUIDES_PATH}/{name}"' in text for name in GUIDES)
    assert re.findall(r'href="([^"]+)" aria-current', text) == [f"{GUIDES_PATH}/running.md"]


@pytest.mark.parametrize("name", ["nothing.md", "../README.md", "%2e%2e/README.md", "decisions/../../SECURITY.md"])
async def test_only_guides_are_served(shared_api: Api, name: str) -> None:
    async with shared_api.client.get(f"{GUIDES_PATH}/{name}") as response:
        assert response.status == 404


def test_link_out_of_the_guides_becomes_text() -> None:
    title, body = render(
        "# A `title`\n\nSee [the code](../bundlesvc/app.py) and [limits](contract.md#rate-limits).", FOLDER
    )

    assert title == "A title"
    assert "See the code and" in body
    assert 'href="contract.md#rate-limits"' in body


async def test_list_for_language_models_leads_to_every_guide_as_it_is_written(shared_api: Api) -> None:
    async with shared_api.client.get(LLMS_PATH) as response:
        assert (response.status, response.content_type) == (200, "text/plain")
        text = await response.text()
    assert text.startswith("# bundlesvc\n\n> ")
    links = dict(re.findall(r"^- \[([^\]]+)\]\(([^)]+)\)", text, re.MULTILINE))
    assert [links[title] for title in GUIDES.values()] == [f"{MARKDOWN_PATH}/{name}" for name in GUIDES]
    for address in links.values():
        async with shared_api.client.get(address) as response:
            assert response.status == 200, address
    for name in NAMES:
        async with shared_api.client.get(f"{MARKDOWN_PATH}/{name}") as response:
            assert response.content_type == "text/markdown"
            assert await response.text() == (FOLDER / name).read_text("utf-8")


@pytest.mark.parametrize("name", ["nothing.md", "../README.md", "%2e%2e/README.md", "decisions/../../SECURITY.md"])
async def test_only_guides_are_served_as_markdown(shared_api: Api, name: str) -> None:
    async with shared_api.client.get(f"{MARKDOWN_PATH}/{name}") as response:
        assert response.status == 404
