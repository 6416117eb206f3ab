"""Preview links: anyone who has a link can see one bundle in a draft, and nothing else."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from bundlesvc.domain.revisions.preview_link import MAX_LINKS
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import api_keys
from bundlesvc.studio.sharing.guest_handlers import REQUESTS_PER_MINUTE
from bundlesvc.token_cipher import (
    FernetCipher,
    credentials_cipher,
    discount_cipher,
    new_secret_key,
    preview_link_cipher,
    session_cipher,
)
from tests.api.conftest import Response, Serve
from tests.conftest import SECRET_KEY
from tests.fakes import START, FakeClock
from tests.studio.conftest import READ, WRITE, Browser, MakeKey
from tests.studio.test_drafts import BUNDLE, changed, tag_of

DAY = 24 * 60 * 60
EMBED = "embed/api/v1/bundle?id="
OTHER_CIPHERS = (
    discount_cipher([SECRET_KEY]),
    credentials_cipher([SECRET_KEY]),
    session_cipher([SECRET_KEY]),
    FernetCipher([SECRET_KEY]),
    preview_link_cipher([new_secret_key()]),
)


@pytest.fixture
async def draft(studio: Browser) -> int:
    """The number of a draft in which the bundle has a different name."""
    number = int((await studio.send("POST", "/api/revisions", {})).held().json["number"])
    (await changed(studio, number, {"name": "Another"})).held()
    return number


async def made(studio: Browser, number: int, **body: Any) -> dict[str, Any]:
    """Create a preview link, and return it."""
    response = await studio.send("POST", f"/api/revisions/{number}/preview-links", {"bundleId": BUNDLE, **body})
    link: dict[str, Any] = response.held().json
    return link


def token_of(link: dict[str, Any]) -> str:
    path, _, token = link["address"].partition("#")
    assert path == "/studio/shared"
    return str(token)


async def opened(guest: Browser, token: str, rest: str = "link", **headers: str) -> Response:
    """Request a shared page with a token but no session, and return the response."""
    sent = {"Authorization": f"Bearer {token}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return await guest.send("GET", f"/shared/{rest}", headers=sent, own=False)


async def test_guest_sees_the_bundle_as_the_draft_has_it_now(studio: Browser, browser: Browser, draft: int) -> None:
    link = await made(studio, draft)
    assert {name: link[name] for name in ("revision", "bundleId", "time", "author")} == {
        "revision": draft,
        "bundleId": BUNDLE,
        "time": "now",
        "author": "Anna",
    }
    token, guest = token_of(link), Browser(browser.client)
    about = (await opened(guest, token)).held()
    assert (about.json["name"], about.json["state"], about.headers["Cache-Control"]) == ("Another", "draft", "no-store")
    assert (await opened(guest, token, f"preview/{EMBED}{BUNDLE}")).held().json["name"] == "Another"
    (await changed(studio, draft, {"name": "A third"})).held()
    assert (await opened(guest, token, f"preview/{EMBED}{BUNDLE}")).held().json["name"] == "A third"


async def test_link_shows_nothing_but_its_bundle(studio: Browser, draft: int) -> None:
    token, guest = token_of(await made(studio, draft)), Browser(studio.client)
    assert [each["id"] for each in (await opened(guest, token, "preview/bundles")).held().json] == [BUNDLE]
    assert (await opened(guest, token, f"preview/{EMBED}10")).status == 404
    assert (await guest.send("GET", "/api/shop", headers={"Authorization": f"Bearer {token}"})).status == 401
    for path in ("bundles", "configured-bundles/1", "settings"):
        assert (await opened(guest, token, f"preview/../../../api/headless/v1/{path}")).status in (403, 404)
    async with studio.client.get("/api/headless/v1/bundles", headers={"Authorization": f"Bearer {token}"}) as answer:
        assert answer.status == 403


async def test_link_ends_to_the_second(studio: Browser, draft: int, clock: FakeClock) -> None:
    link = await made(studio, draft, days=1)
    guest = Browser(studio.client)
    clock.move(DAY - 1)
    (await opened(guest, token_of(link))).held()
    clock.move(1)
    assert (await opened(guest, token_of(link))).held(410).code == "link_ended"


async def test_link_that_was_ended_shows_nothing_at_once(studio: Browser, draft: int) -> None:
    link, other = await made(studio, draft), await made(studio, draft)
    listed = (await studio.send("GET", "/api/preview-links")).held().json
    assert [each["id"] for each in listed] == [other["id"], link["id"]]
    assert not any("address" in each for each in listed)
    ended = (await studio.send("DELETE", f"/api/preview-links/{link['id']}")).held().json
    assert ended["id"] == link["id"]
    guest = Browser(studio.client)
    assert (await opened(guest, token_of(link))).held(410).code == "link_ended"
    (await opened(guest, token_of(other))).held()
    assert (await studio.send("DELETE", f"/api/preview-links/{link['id']}")).status == 404


async def test_link_ends_with_the_key_that_made_it(
    browser: Browser, make_key: MakeKey, database: Database, clock: FakeClock
) -> None:
    key = await make_key()
    await browser.log_in(key)
    number = (await browser.send("POST", "/api/revisions", {})).held().json["number"]
    link = await made(browser, number)
    assert await SqlKeyStore(database).revoke_key(key[:16])
    assert (await opened(Browser(browser.client), token_of(link))).held(410).code == "link_ended"


async def discard(studio: Browser, number: int) -> None:
    headers = {"If-Match": await tag_of(studio, number)}
    (await studio.send("POST", f"/api/revisions/{number}/discard", {}, headers)).held()


async def test_link_ends_with_its_draft(studio: Browser, draft: int) -> None:
    token, guest = token_of(await made(studio, draft)), Browser(studio.client)
    await discard(studio, draft)
    for rest in ("link", f"preview/{EMBED}{BUNDLE}"):
        assert (await opened(guest, token, rest)).held(410).code == "link_ended"
    assert (await studio.send("GET", "/api/preview-links")).held().json == []


async def test_discarded_draft_is_not_shared(studio: Browser, draft: int) -> None:
    await discard(studio, draft)
    refused = await studio.send("POST", f"/api/revisions/{draft}/preview-links", {"bundleId": BUNDLE})
    assert refused.held(409).code == "revision_state"


async def test_link_of_a_demo_key_shows_nothing_in_production(
    studio: Browser, draft: int, database: Database, settings: Settings, serve: Serve
) -> None:
    token = token_of(await made(studio, draft))
    await database.write(lambda connection: connection.execute(update(api_keys).values(demo=True)))
    assert (await opened(Browser(studio.client), token)).held(410).code == "link_ended"
    demo = Browser(await serve(settings=replace(settings, demo=True)))
    (await opened(demo, token)).held()


async def test_link_of_a_disabled_shop_shows_nothing_until_it_is_enabled(
    studio: Browser, draft: int, database: Database
) -> None:
    token, guest, keys = token_of(await made(studio, draft)), Browser(studio.client), SqlKeyStore(database)
    await keys.set_headless("demo", enabled=False)
    for rest in ("link", f"preview/{EMBED}{BUNDLE}"):
        assert (await opened(guest, token, rest)).held(403).code == "shop_not_enabled"
    await keys.set_headless("demo", enabled=True)
    (await opened(guest, token)).held()


async def test_guest_of_a_draft_with_faults_reads_none_of_them(studio: Browser, draft: int) -> None:
    token, guest = token_of(await made(studio, draft)), Browser(studio.client)
    (await changed(studio, draft, {"type": "box"})).held()
    for rest in ("link", f"preview/{EMBED}{BUNDLE}"):
        refused = (await opened(guest, token, rest)).held(409)
        assert (refused.code, refused.json.keys()) == ("draft_invalid", {"error", "code", "requestId"})
    (await changed(studio, draft, {"type": "native"})).held()
    (await opened(guest, token)).held()


async def test_fault_of_another_bundle_hides_nothing(studio: Browser, draft: int) -> None:
    token, guest = token_of(await made(studio, draft)), Browser(studio.client)
    headers = {"If-Match": await tag_of(studio, draft)}
    (await studio.send("PATCH", f"/api/revisions/{draft}/bundles/10", {"type": "box"}, headers)).held()
    (await opened(guest, token)).held()


async def test_bundle_that_was_deleted_from_the_draft_is_not_found(studio: Browser, draft: int) -> None:
    token, guest = token_of(await made(studio, draft)), Browser(studio.client)
    headers = {"If-Match": await tag_of(studio, draft)}
    (await studio.send("DELETE", f"/api/revisions/{draft}/bundles/{BUNDLE}", None, headers)).held()
    assert (await opened(guest, token)).held(404).code == "not_found"


async def test_link_ends_at_once_in_every_process(studio: Browser, draft: int, serve: Serve) -> None:
    link, elsewhere = await made(studio, draft), Browser(await serve())
    for rest in ("link", f"preview/{EMBED}{BUNDLE}"):
        (await opened(elsewhere, token_of(link), rest)).held()
    (await studio.send("DELETE", f"/api/preview-links/{link['id']}")).held()
    for rest in ("link", f"preview/{EMBED}{BUNDLE}"):
        assert (await opened(elsewhere, token_of(link), rest)).held(410).code == "link_ended"


async def test_link_to_a_draft_that_was_published_says_so(studio: Browser, draft: int) -> None:
    token, guest = token_of(await made(studio, draft)), Browser(studio.client)
    headers = {"If-Match": await tag_of(studio, draft)}
    (await studio.send("POST", f"/api/revisions/{draft}/publish", {}, headers)).held()
    assert (await opened(guest, token)).held().json["state"] == "live"


async def test_only_our_own_tokens_are_links(studio: Browser, draft: int) -> None:
    token, guest = token_of(await made(studio, draft)), Browser(studio.client)
    claims = {"shop": 1, "link": 1}
    forged = [
        "",
        "nonsense",
        token[:-4] + "AAA=",
        *(of_others.seal(claims, int(START)) for of_others in OTHER_CIPHERS),
        preview_link_cipher([SECRET_KEY]).seal({"shop": "x"}, int(START)),
    ]
    for each in forged:
        assert (await opened(guest, each)).held(404).code == "link_unknown"
    elsewhere = preview_link_cipher([SECRET_KEY]).seal({"shop": 2, "link": 1}, int(START))
    assert (await opened(guest, elsewhere)).held(410).code == "link_ended"


async def test_page_of_another_site_gets_nothing(studio: Browser, draft: int) -> None:
    token, guest = token_of(await made(studio, draft)), Browser(studio.client)
    assert (await opened(guest, token, Sec_Fetch_Site="cross-site")).held(403).code == "foreign_page"


async def test_visitor_has_a_limit(studio: Browser) -> None:
    guest = Browser(studio.client)
    statuses = [(await opened(guest, "nonsense")).status for _ in range(REQUESTS_PER_MINUTE + 1)]
    assert statuses == [404] * REQUESTS_PER_MINUTE + [429]


async def test_page_may_not_be_framed_or_stored_by_search_engines(studio: Browser) -> None:
    page = (await Browser(studio.client).send("GET", "/shared", own=False)).held()
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert (page.headers["Cache-Control"], page.headers["X-Robots-Tag"]) == ("no-store", "noindex")
    assert b'name="robots" content="noindex"' in page.body


async def test_bundle_is_shown_as_at_a_time(studio: Browser, draft: int) -> None:
    (await changed(studio, draft, {"publishedFrom": "2030-01-01T00:00"})).held()
    guest = Browser(studio.client)
    before, after = [token_of(await made(studio, draft, time=f"20{year}-06-01T00:00")) for year in (29, 30)]
    assert (await opened(guest, before, f"preview/{EMBED}{BUNDLE}")).status == 404
    (await opened(guest, after, f"preview/{EMBED}{BUNDLE}")).held()


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["bundleId"]),
        ({"bundleId": "20"}, ["bundleId"]),
        ({"bundleId": 0, "days": 31, "time": "Friday"}, ["bundleId", "days", "time"]),
        ({"bundleId": 20, "days": 0}, ["days"]),
    ],
)
async def test_every_fault_is_named(studio: Browser, draft: int, body: dict[str, Any], paths: list[str]) -> None:
    refused = (await studio.send("POST", f"/api/revisions/{draft}/preview-links", body)).held(400)
    assert sorted(each["path"] for each in refused.json["details"]) == paths


async def test_there_is_no_link_to_nothing(studio: Browser, draft: int) -> None:
    for number, bundle in ((draft, 999), (99, BUNDLE)):
        path = f"/api/revisions/{number}/preview-links"
        assert (await studio.send("POST", path, {"bundleId": bundle})).status == 404


async def test_a_retry_makes_no_second_link(studio: Browser, draft: int) -> None:
    path, key = f"/api/revisions/{draft}/preview-links", {"Idempotency-Key": "once"}
    first, second = [(await studio.send("POST", path, {"bundleId": BUNDLE}, key)).held() for _ in range(2)]
    assert first.json == second.json
    assert len((await studio.send("GET", "/api/preview-links")).held().json) == 1


async def test_dry_run_stores_nothing(studio: Browser, draft: int) -> None:
    path = f"/api/revisions/{draft}/preview-links?dryRun=true"
    link = (await studio.send("POST", path, {"bundleId": BUNDLE})).held().json
    assert (await studio.send("GET", "/api/preview-links")).held().json == []
    assert (await opened(Browser(studio.client), token_of(link))).held(410).code == "link_ended"


async def test_reader_makes_and_ends_no_link(browser: Browser, make_key: MakeKey) -> None:
    await browser.log_in(await make_key((READ, WRITE), "Writer"))
    number = (await browser.send("POST", "/api/revisions", {})).held().json["number"]
    link = await made(browser, number)
    await browser.log_in(await make_key((READ,), "Reader"))
    refused = await browser.send("POST", f"/api/revisions/{number}/preview-links", {"bundleId": BUNDLE})
    assert (refused.status, (await browser.send("DELETE", f"/api/preview-links/{link['id']}")).status) == (403, 403)
    assert len((await browser.send("GET", "/api/preview-links")).held().json) == 1


async def test_audit_log_has_who_shared_what_without_the_secret(studio: Browser, draft: int) -> None:
    link = await made(studio, draft)
    (await studio.send("DELETE", f"/api/preview-links/{link['id']}")).held()
    log = (await studio.send("GET", "/api/audit?limit=2")).held()
    assert [(each["action"], each["actor"], each["revision"]) for each in log.json] == [
        ("unshare", "Anna", draft),
        ("share", "Anna", draft),
    ]
    asked, path = {"bundleId": BUNDLE, "time": "now", "days": 7}, f"previewLinks.{link['id']}"
    assert [each["changes"] for each in log.json] == [
        [{"path": path, "before": asked, "after": None}],
        [{"path": path, "before": None, "after": asked}],
    ]
    assert token_of(link)[20:].encode() not in log.body


async def test_shop_has_a_most_links(studio: Browser, draft: int, clock: FakeClock, make_key: MakeKey) -> None:
    await fill_with_links(studio, draft, clock)
    refused = await studio.send("POST", f"/api/revisions/{draft}/preview-links", {"bundleId": BUNDLE})
    assert refused.held(409).code == "too_many_links"
    clock.move(DAY)
    await studio.log_in(await make_key())
    await made(studio, draft)


async def test_links_of_a_revoked_key_leave_room_for_others(
    browser: Browser, make_key: MakeKey, database: Database, clock: FakeClock
) -> None:
    key = await make_key()
    await browser.log_in(key)
    number = int((await browser.send("POST", "/api/revisions", {})).held().json["number"])
    await fill_with_links(browser, number, clock)
    assert await SqlKeyStore(database).revoke_key(key[:16])
    await browser.log_in(await make_key())
    link = await made(browser, number)
    assert [each["id"] for each in (await browser.send("GET", "/api/preview-links")).held().json] == [link["id"]]


async def fill_with_links(studio: Browser, number: int, clock: FakeClock) -> None:
    """Create as many preview links to revision `number`, valid for one day, as a shop may have."""
    for count in range(MAX_LINKS):
        await made(studio, number, days=1)
        if count % 50 == 49:
            clock.move(60)  # waits until the write limit allows more
