"""The management API and drafts, accessed by the studio's page with its session."""

from typing import Any

import pytest

from tests.api.conftest import Response
from tests.studio.conftest import READ, Browser, MakeKey

BUNDLE = 20


@pytest.fixture
async def draft(studio: Browser) -> int:
    """The number of a new draft, created through the studio."""
    made = (await studio.send("POST", "/api/revisions", {})).held().json
    return int(made["number"])


async def tag_of(studio: Browser, number: int) -> str:
    return (await studio.send("GET", f"/api/revisions/{number}")).held().headers["ETag"]


async def changed(studio: Browser, number: int, patch: Any) -> Response:
    """Change the bundle in a draft, and return the response."""
    headers = {"If-Match": await tag_of(studio, number)}
    return await studio.send("PATCH", f"/api/revisions/{number}/bundles/{BUNDLE}", patch, headers)


async def shown(
    studio: Browser,
    number: int | str,
    tag: str = "x",
    rest: str = f"embed/api/v1/bundle?id={BUNDLE}",
    time: str = "now",
) -> Response:
    return await studio.send("GET", f"/preview/{number}/{tag}/{time}/{rest}", own=False)


async def test_management_api_answers_as_with_the_key(studio: Browser, draft: int) -> None:
    listed = (await studio.send("GET", "/api/revisions?state=draft")).held().json
    assert [(each["number"], each["author"], each["source"]) for each in listed] == [(draft, "Anna", "studio")]

    assert (await studio.send("PATCH", f"/api/revisions/{draft}/bundles/{BUNDLE}", {"name": "X"})).status == 428
    assert (await changed(studio, draft, {"name": "Another"})).held().json["name"] == "Another"
    outdated = await studio.send(
        "PATCH", f"/api/revisions/{draft}/bundles/{BUNDLE}", {"name": "X"}, {"If-Match": '"outdated"'}
    )
    assert outdated.held(412).code == "revision_outdated"
    assert (await studio.send("GET", "/api/no-such-thing")).status == 404


async def test_without_a_session_nothing_is_reached(browser: Browser) -> None:
    assert (await browser.send("GET", "/api/shop")).held(401).code == "session_ended"
    assert (await browser.send("POST", "/api/revisions", {})).held(401).code == "session_ended"
    assert (await shown(browser, 1)).held(401).code == "session_ended"


async def test_a_reader_writes_nothing(browser: Browser, make_key: MakeKey) -> None:
    await browser.log_in(await make_key((READ,)))

    assert (await browser.send("GET", "/api/shop")).status == 200
    assert (await browser.send("POST", "/api/revisions", {})).held(403).code == "key_scope"


async def test_page_cannot_send_another_key(browser: Browser, make_key: MakeKey) -> None:
    await browser.log_in(await make_key((READ,)))
    other = {"Authorization": f"Bearer {await make_key()}"}

    assert (await browser.send("POST", "/api/revisions", {}, other)).held(403).code == "key_scope"


async def test_component_gets_the_draft(studio: Browser, draft: int) -> None:
    before = (await shown(studio, draft)).held()
    await changed(studio, draft, {"name": "Another", "published": False})
    after = (await shown(studio, draft, "y")).held()

    assert before.json["name"] != "Another"
    assert after.json["name"] == "Another"
    assert after.headers["Cache-Control"] == "no-store"
    (listed,) = (
        each for each in (await shown(studio, draft, "y", "bundles?include=offer")).held().json if each["id"] == BUNDLE
    )
    assert listed["name"] == "Another"
    assert "fromPrice" in listed
    assert (await shown(studio, "1")).held().json["name"] == before.json["name"]


async def test_selection_of_a_draft_is_completed(studio: Browser, draft: int) -> None:
    path = f"/preview/{draft}/x/now/embed/api/v1/bundle/{BUNDLE}/complete"
    completed = (await studio.send("POST", path, {"products": []})).held().json

    assert completed["solutions"]
    assert (await studio.send("POST", path, {"products": []}, {"Sec-Fetch-Site": "cross-site"})).status == 403


async def test_draft_that_is_not_valid_names_its_faults(studio: Browser, draft: int) -> None:
    await changed(studio, draft, {"type": "box"})
    refused = (await shown(studio, draft)).held(400)

    assert refused.code == "invalid_request"
    assert refused.json["details"][0]["path"].endswith("type")


async def test_draft_shows_the_prices_of_a_country(studio: Browser, draft: int) -> None:
    shown_there = (await shown(studio, draft, rest=f"embed/api/v1/bundle?id={BUNDLE}&countryCode=US")).held().json

    prices = {variant["presentmentCurrency"] for product in shown_there["products"] for variant in product["variants"]}
    assert prices == {"USD"}


@pytest.mark.parametrize(
    ("time", "status"),
    [
        ("2030-03-31T03:29", 404),
        ("2030-03-31T03:30", 200),
        ("2030-10-27T02:29", 200),
        ("2030-10-27T02:30", 404),
        ("now", 200),
    ],
)
async def test_bundles_begin_and_end_as_at_the_time_of_the_preview(
    studio: Browser, draft: int, time: str, status: int
) -> None:
    """A preview at a chosen time shows only the bundles that are for sale at that time. The shop is in Berlin, where the clocks
    skip an hour on the day on which the sale begins, and repeat an hour on the day on which it ends."""
    headers = {"If-Match": await tag_of(studio, draft)}
    (await studio.send("PATCH", f"/api/revisions/{draft}/shop", {"timezone": "Europe/Berlin"}, headers)).held()
    times = {"publishedFrom": "2030-03-31T02:30", "publishedUntil": "2030-10-27T02:30"}
    (await changed(studio, draft, times)).held()

    assert (await shown(studio, draft, time=time)).status == status
    listed = (await shown(studio, draft, rest="bundles", time=time)).held().json
    assert (BUNDLE in {each["id"] for each in listed}) == (status == 200)


async def test_unpublished_bundle_is_seen_now_and_at_no_time(studio: Browser, draft: int) -> None:
    await changed(studio, draft, {"published": False})

    assert (await shown(studio, draft)).status == 200
    assert (await shown(studio, draft, time="2030-01-01T00:00")).status == 404


@pytest.mark.parametrize("time", ["2030-02-30T00:00", "0001-01-01T00:00+01:00", "friday"])
async def test_time_that_is_not_one_is_refused(studio: Browser, draft: int, time: str) -> None:
    refused = (await shown(studio, draft, time=time)).held(400)

    assert [each["path"] for each in refused.json["details"]] == ["time"]


@pytest.mark.parametrize(
    "rest", ["settings", f"bundles/{BUNDLE}/configure", "configured-bundles/1", "../../session", "embed/api/v1/notify"]
)
async def test_preview_has_nothing_else(studio: Browser, draft: int, rest: str) -> None:
    assert (await shown(studio, draft, rest=rest)).status in (404, 405)


@pytest.mark.parametrize("number", ["0", "99", "999999999999999"])
async def test_unknown_draft_is_not_shown(studio: Browser, number: str) -> None:
    assert (await shown(studio, number)).status in (400, 404)
