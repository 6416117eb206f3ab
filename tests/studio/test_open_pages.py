"""Pages of the studio can see which other pages are open."""

from typing import Any

import pytest

from bundlesvc.storage.open_pages import MAX_PAGES, OPEN_SECONDS
from bundlesvc.studio.open_pages import NOTES_PER_MINUTE
from tests.api.conftest import Serve
from tests.fakes import FakeClock
from tests.studio.conftest import READ, Browser, MakeKey


async def others(browser: Browser, page: str, bundle: int | None = None) -> list[tuple[str, int | None]]:
    """Report a page as open, and return the other open pages that it sees."""
    seen = (await browser.send("PUT", "/open-page", {"page": page, "bundleId": bundle})).held().json
    return [(each["label"], each["bundleId"]) for each in seen]


@pytest.fixture
async def ben(serve: Serve, make_key: MakeKey) -> Browser:
    """A second user, who is logged in on another process."""
    browser = Browser(await serve())
    (await browser.log_in(await make_key((READ,), "Ben"))).held()
    return browser


async def test_pages_see_each_other_in_every_process(studio: Browser, ben: Browser) -> None:
    assert await others(studio, "anna-page", 20) == []
    assert await others(ben, "bens-page", 10) == [("Anna", 20)]
    assert await others(studio, "anna-page") == [("Ben", 10)]
    assert await others(ben, "bens-page", 10) == [("Anna", None)]


async def test_page_that_is_silent_is_gone(studio: Browser, ben: Browser, clock: FakeClock) -> None:
    await others(studio, "anna-page", 20)
    clock.move(OPEN_SECONDS - 1)
    assert await others(ben, "bens-page") == [("Anna", 20)]
    clock.move(1)
    assert await others(ben, "bens-page") == []


async def test_page_that_is_closed_is_gone_at_once(studio: Browser, ben: Browser) -> None:
    await others(studio, "anna-page", 20)
    await studio.send("DELETE", "/open-page", {"page": "anna-page"})
    assert await others(ben, "bens-page") == []


async def test_number_of_pages_is_limited(studio: Browser, ben: Browser) -> None:
    for number in range(MAX_PAGES + 5):
        await others(studio, f"page-{number:04}")
    assert len(await others(ben, "bens-page")) == MAX_PAGES


async def test_key_has_a_limit(studio: Browser) -> None:
    body = {"page": "anna-page"}
    statuses = [(await studio.send("PUT", "/open-page", body)).status for _ in range(NOTES_PER_MINUTE + 1)]
    assert statuses == [200] * NOTES_PER_MINUTE + [429]


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["page"]),
        ({"page": "short", "bundleId": "20"}, ["bundleId", "page"]),
        ({"page": "with space", "bundleId": 0}, ["bundleId", "page"]),
    ],
)
async def test_every_fault_is_named(studio: Browser, body: dict[str, Any], paths: list[str]) -> None:
    refused = (await studio.send("PUT", "/open-page", body)).held(400)
    assert sorted(each["path"] for each in refused.json["details"]) == paths


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_only_the_page_itself_with_a_session_is_noted(studio: Browser, browser: Browser, method: str) -> None:
    body = {"page": "anna-page"}
    assert (await studio.send(method, "/open-page", body, own=False)).held(403).code == "foreign_page"
    assert (await Browser(browser.client).send(method, "/open-page", body)).held(401).code == "session_ended"
