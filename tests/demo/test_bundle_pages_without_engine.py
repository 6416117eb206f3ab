"""The pages of individual bundles on a service without the HTML engine: the storefront, which renders in the browser, shows the
bundle instead."""

import pytest

from bundlesvc.demo import bundle_pages
from tests.demo.service import Demo, MakeDemo

PAGE = "/demo/bundles/101"


@pytest.fixture
async def demo(make_demo: MakeDemo, monkeypatch: pytest.MonkeyPatch) -> Demo:
    monkeypatch.setattr(bundle_pages, "is_installed", lambda: False)
    return await make_demo()


@pytest.mark.parametrize(
    ("query", "address"),
    [("", "/demo?bundle=101"), ("?lang=de&country=CH&bundle=102", "/demo?lang=de&country=CH&bundle=101")],
)
async def test_page_redirects_to_the_storefront(demo: Demo, query: str, address: str) -> None:
    async with demo.client.get(f"{PAGE}{query}", allow_redirects=False) as sent:
        assert (sent.status, sent.headers["Location"]) == (302, address)
        assert sent.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "status"), [("/demo/bundles/98", 404), ("/demo/bundles/x", 400), (f"{PAGE}?country=Q1", 400)]
)
async def test_other_pages_are_refused(demo: Demo, path: str, status: int) -> None:
    assert (await demo.fetch(path)).status == status
