"""The pages of individual bundles: they are complete without scripts, and search engines may index them if the shop allows it."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest

from bundlesvc.settings.environment import Settings
from bundlesvc.storage.database.opening import open_database
from tests.conftest import replace_shop
from tests.demo.service import DEMO_SHOP, Demo, MakeDemo
from tests.html_engine import require_engine

PAGE = "/demo/bundles/101"
NO_INDEX = '<meta name="robots" content="noindex">'


@pytest.fixture(autouse=True)
def engine() -> None:
    require_engine()


async def text(demo: Demo, path: str) -> str:
    return (await demo.fetch(path)).held().body.decode()


async def test_page_has_the_bundle_before_any_script(demo: Demo) -> None:
    page = await text(demo, PAGE)
    assert '<html lang="en">' in page
    assert "<title>Breakfast Box · Alder &amp; Finch Coffee</title>" in page
    assert '<template shadowrootmode="open">' in page
    assert "First Light" in page
    assert "€9.90" in page


async def test_page_is_in_the_language_and_for_the_country(demo: Demo) -> None:
    page = await text(demo, f"{PAGE}?lang=de&country=CH")
    assert "Frühstücksbox" in page
    assert "10,16\xa0CHF" in page
    assert re.search(r'<bundle-builder [^>]*lang="de" country="CH">', page)
    assert re.search(r'<link rel="canonical" href="http://[^"]+/demo/bundles/101\?lang=de">', page)


@pytest.mark.parametrize("country", ["", "?country=CH"])
async def test_page_describes_the_bundle_to_search_engines(demo: Demo, country: str) -> None:
    """A page describes the bundle to search engines, and includes the from-price only in the home market, where it is known."""
    listed = (await demo.get("/bundles?include=offer&limit=1")).held().json
    page = await text(demo, f"{PAGE}{country}")
    (found,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    data = json.loads(found)
    assert (data["@type"], data["name"]) == ("Product", "Breakfast Box")
    assert data["image"].endswith("/storefront/demo/images/bundle-breakfast-box.svg")
    assert data["offers"].get("lowPrice") == (None if country else listed[0]["fromPrice"])
    assert len(data["isRelatedTo"]) > 5


async def test_policy_allows_the_style_sheet_and_nothing_else_inline(demo: Demo) -> None:
    answer = (await demo.fetch(PAGE)).held()
    (style,) = re.findall("<style>(.*?)</style>", answer.body.decode(), re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = answer.headers["Content-Security-Policy"]
    assert f"style-src 'self' 'sha256-{digest}';" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", [PAGE, "/demo"])
async def test_search_engines_read_pages_only_if_the_shop_wants_it(
    make_demo: MakeDemo, settings: Settings, path: str
) -> None:
    assert NO_INDEX in await text(await make_demo(), path)
    shop = DEMO_SHOP.read_text("utf-8")
    async with open_database(settings.database) as database:
        await replace_shop(database, shop.replace("activeFeatures: [", "activeFeatures: [search-engines, "))
    assert NO_INDEX not in await text(await make_demo(), path)


@pytest.mark.parametrize(
    ("path", "status"), [("/demo/bundles/98", 404), ("/demo/bundles/x", 400), (f"{PAGE}?country=Q1", 400)]
)
async def test_other_pages_are_refused(demo: Demo, path: str, status: int) -> None:
    assert (await demo.fetch(path)).status == status


async def test_browser_gets_a_page_for_an_unknown_bundle(demo: Demo) -> None:
    async with demo.client.get("/demo/bundles/98", headers={"Accept": "text/html,*/*;q=0.8"}) as sent:
        assert (sent.status, sent.content_type) == (404, "text/html")
        assert "There is no such page." in await sent.text()
