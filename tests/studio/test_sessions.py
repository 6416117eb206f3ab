"""Sessions: a key is exchanged for a cookie, which only the studio's own page may use."""

from dataclasses import replace

import pytest

from bundlesvc.api.app_keys import AUTHENTICATION
from bundlesvc.ports import TokenInvalid
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.studio.sessions import LIFETIME
from bundlesvc.token_cipher import credentials_cipher, discount_cipher
from tests.api.conftest import Client, Serve
from tests.fakes import FakeClock
from tests.studio.conftest import READ, Browser, MakeKey, session_of


async def test_key_is_exchanged_for_a_session(browser: Browser, make_key: MakeKey) -> None:
    assert (await browser.send("GET", "/session")).held().json == {"session": None, "demoLogin": False, "file": None}

    opened = await browser.log_in(await make_key((READ,)))

    assert session_of(opened) == {"label": "Anna", "scopes": [READ], "shop": "demo"}
    assert session_of(await browser.send("GET", "/session"))["label"] == "Anna"
    cookie = opened.headers["Set-Cookie"]
    for attribute in ("HttpOnly", "SameSite=Strict", "Path=/studio", f"Max-Age={LIFETIME}"):
        assert attribute in cookie
    assert "Secure" not in cookie
    assert opened.headers["Cache-Control"] == "no-store"


async def test_cookie_is_secure_over_https(browser: Browser, make_key: MakeKey) -> None:
    opened = await browser.send("POST", "/session", {"key": await make_key()}, {"X-Forwarded-Proto": "https"})

    assert "Secure" in opened.held().headers["Set-Cookie"]


async def test_cookie_does_not_show_the_key(browser: Browser, make_key: MakeKey, settings: Settings) -> None:
    key = await make_key()
    opened = await browser.log_in(key)

    assert key not in opened.headers["Set-Cookie"] + opened.body.decode()
    for cipher in (discount_cipher(settings.secret_keys), credentials_cipher(settings.secret_keys)):
        with pytest.raises(TokenInvalid):
            cipher.unseal(browser.cookie or "")


@pytest.mark.parametrize(
    ("key", "code"),
    [("bnd_live_" + "x" * 43, "key_invalid"), ("not a key", "key_invalid"), ("", "invalid_request")],
)
async def test_unknown_key_opens_no_session(browser: Browser, key: str, code: str) -> None:
    refused = await browser.log_in(key)

    assert refused.status in (400, 403)
    assert refused.code == code
    assert browser.cookie is None


async def test_key_for_storefronts_opens_no_session(browser: Browser, make_key: MakeKey) -> None:
    assert (await browser.log_in(await make_key(("headless",)))).held(403).code == "key_scope"


async def test_guessing_keys_is_limited(browser: Browser) -> None:
    statuses = [(await browser.log_in(f"bnd_live_{number:043}")).status for number in range(60)]

    assert statuses[0] == 403
    assert statuses[-1] == 429


async def test_session_ends_after_twelve_hours(serve: Serve, make_key: MakeKey, clock: FakeClock) -> None:
    browser = Browser(await serve(clock=clock))
    await browser.log_in(await make_key())
    clock.move(LIFETIME - 1)
    assert session_of(await browser.send("GET", "/session")) is not None
    clock.move(2)
    assert session_of(await browser.send("GET", "/session")) is None


async def test_session_ends_when_its_key_is_revoked(
    client: Client, browser: Browser, make_key: MakeKey, database: Database
) -> None:
    key = await make_key()
    await browser.log_in(key)
    await SqlKeyStore(database).revoke_key(key[:16])
    await client.app[AUTHENTICATION].refresh()

    assert session_of(await browser.send("GET", "/session")) is None
    assert (await browser.send("GET", "/api/shop")).held(401).code == "session_ended"


async def test_session_is_bound_to_its_host(studio: Browser) -> None:
    elsewhere = await studio.send("GET", "/session", headers={"Host": f"studio.example:{studio.client.port}"})

    assert session_of(elsewhere) is None


async def test_ports_of_a_host_have_sessions_of_their_own(browser: Browser, make_key: MakeKey) -> None:
    """Each port of a host has its own session, although browsers send a host's cookies to all of its ports."""
    ports = {f"bundlesvc_studio_{number}": "of another service" for number in range(1, 10)}
    browser.others = {"bundlesvc_studio": "of a service behind a proxy", **ports}

    assert session_of(await browser.log_in(await make_key())) is not None

    assert [*browser.others] == ["bundlesvc_studio", *[*ports][2:]]  # the oldest cookies are dropped
    assert session_of(await browser.send("GET", "/session")) is not None
    assert (await browser.send("DELETE", "/session")).status == 204
    assert len(browser.others) == 8


async def test_changed_cookie_is_no_session(studio: Browser) -> None:
    studio.cookie = f"{(studio.cookie or '')[:-4]}AAAA"

    assert session_of(await studio.send("GET", "/session")) is None


async def test_logging_out_forgets_the_session(studio: Browser) -> None:
    assert (await studio.send("DELETE", "/session")).status == 204

    assert studio.cookie is None


WRITES = [("POST", "/session"), ("DELETE", "/session"), ("POST", "/api/revisions"), ("PATCH", "/api/revisions/1/shop")]


@pytest.mark.parametrize(("method", "path"), WRITES)
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {},
    ],
)
async def test_page_of_another_origin_writes_nothing(
    studio: Browser, method: str, path: str, headers: dict[str, str]
) -> None:
    studio.headers = headers

    assert (await studio.send(method, path, {})).held(403).code == "foreign_page"


@pytest.mark.parametrize(("method", "path"), WRITES)
async def test_form_of_the_own_origin_writes_nothing_without_the_header(
    studio: Browser, method: str, path: str
) -> None:
    assert (await studio.send(method, path, {}, own=False)).held(403).code == "foreign_page"


async def test_page_of_another_origin_reads_nothing(studio: Browser) -> None:
    studio.headers = {"Sec-Fetch-Site": "cross-site"}

    assert (await studio.send("GET", "/api/shop")).held(403).code == "foreign_page"
    assert (await studio.send("GET", "/preview/1/x/now/bundles")).held(403).code == "foreign_page"
    assert "Access-Control-Allow-Origin" not in (await studio.send("GET", "/session")).headers


async def test_older_browser_names_its_origin(studio: Browser) -> None:
    studio.headers = {"Origin": f"http://127.0.0.1:{studio.client.port}", "Host": f"127.0.0.1:{studio.client.port}"}

    assert (await studio.send("DELETE", "/session")).status == 204


async def test_nothing_is_served_when_it_is_off(serve: Serve, settings: Settings) -> None:
    browser = Browser(await serve(settings=replace(settings, studio=False)))

    for path in ("", "/session", "/api/shop"):
        assert (await browser.send("GET", path)).status == 404
