"""The studio for a shop file: who may access it, and the events that its page receives."""

from typing import Any

import orjson
import pytest
from aiohttp import ClientResponse
from pytest_aiohttp.plugin import AiohttpClient

from bundlesvc.app import create_app
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.settings.environment import Settings
from bundlesvc.studio.following.followed_file import FollowedFile
from bundlesvc.studio.following.routes import add_followed_file
from tests.api.conftest import Client, Response, Server
from tests.studio.conftest import READ, Browser, MakeKey, session_of
from tests.studio.following.conftest import SavedFile


@pytest.fixture
def followed(saved: SavedFile) -> FollowedFile:
    async def load(_: ShopFile) -> None:
        """Do nothing. The routes do not depend on loading."""

    return FollowedFile(saved.path, load)


@pytest.fixture
async def key(make_key: MakeKey) -> str:
    return await make_key((READ,), "preview")


class Page(Browser):
    """A browser that knows the secret in the studio's address."""

    secret: str = ""

    async def open(self) -> Response:
        return await self.send("POST", "/file/session", {"secret": self.secret})


@pytest.fixture
async def page(
    aiohttp_client: AiohttpClient, settings: Settings, database_file: None, followed: FollowedFile, key: str
) -> Page:
    app = create_app(settings)
    secret = add_followed_file(app, followed, key)
    client: Client = await aiohttp_client(Server(app))
    page = Page(client)
    page.secret = secret.text
    return page


async def event(response: ClientResponse) -> Any:
    """Read the next event from an event stream."""
    line = await response.content.readuntil(b"\n\n")
    return orjson.loads(line.removeprefix(b"data: "))


def events(page: Page) -> Any:
    """Open the event stream of a page, using its session."""
    headers = {**page.headers, "Cookie": f"{page.cookie_name}={page.cookie}"}
    return page.client.get("/studio/file/events", headers=headers)


async def test_secret_opens_a_session_that_may_only_read(page: Page, key: str) -> None:
    assert (await page.send("GET", "/session")).held().json == {
        "session": None,
        "demoLogin": False,
        "file": "shop.yaml",
    }
    opened = await page.open()

    assert session_of(opened) == {"label": "preview", "scopes": [READ], "shop": "demo"}
    assert key not in opened.body.decode() + opened.headers["Set-Cookie"]
    assert "HttpOnly" in opened.headers["Set-Cookie"]
    assert (await page.send("GET", "/api/shop")).status == 200
    assert (await page.send("POST", "/api/revisions", {})).held(403).code == "key_scope"


async def test_secret_is_valid_once(page: Page) -> None:
    first = await page.open()
    second = await page.open()

    assert first.status == 200
    assert second.held(403).code == "secret_invalid"


@pytest.mark.parametrize("secret", ["", "x", "ü", "x" * 43, "x" * 300])
async def test_other_secrets_open_nothing_and_use_nothing_up(page: Page, secret: str) -> None:
    right, page.secret = page.secret, secret
    assert (await page.open()).status in (400, 403)
    page.secret = right
    assert (await page.open()).status == 200


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}])
async def test_page_of_another_origin_cannot_use_the_secret(page: Page, headers: dict[str, str]) -> None:
    page.headers = headers
    assert (await page.open()).held(403).code == "foreign_page"


async def test_form_of_the_own_origin_cannot_use_the_secret(page: Page) -> None:
    body = {"secret": page.secret}
    assert (await page.send("POST", "/file/session", body, own=False)).held(403).code == "foreign_page"


async def test_events_need_the_session_and_the_own_page(page: Page, followed: FollowedFile) -> None:
    await followed.follow()
    assert (await page.send("GET", "/file/events")).held(401).code == "session_ended"
    await page.open()
    page.headers = {"Sec-Fetch-Site": "same-site"}
    assert (await page.send("GET", "/file/events")).held(403).code == "foreign_page"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil", "[::2]", ""]
)
@pytest.mark.parametrize(
    "path",
    ["/studio", "/studio/session", "/studio/file/events", "/api/headless/v1/bundles", "/openapi.json", "/nothing"],
)
async def test_page_of_another_host_reads_nothing(
    page: Page, followed: FollowedFile, key: str, host: str, path: str
) -> None:
    """A page from another host cannot read anything. Otherwise, a page whose domain resolves to this computer would have the same
    origin as the preview."""
    await followed.follow()
    await page.open()
    headers = {"Host": host, "Authorization": f"Bearer {key}", "Cookie": f"{page.cookie_name}={page.cookie}"}
    async with page.client.get(path, headers=headers) as response:
        assert response.status == 421
        assert "shop.yaml" not in await response.text()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8080", "LOCALHOST"])
async def test_names_of_this_computer_are_answered(page: Page, host: str) -> None:
    async with page.client.get("/studio", headers={"Host": host}) as response:
        assert response.status == 200


async def test_events_do_not_name_the_library(page: Page, followed: FollowedFile) -> None:
    await followed.follow()
    await page.open()
    async with events(page) as response:
        await followed.close()
    assert response.headers.getall("Server") == ["bundlesvc"]
    assert response.headers.getall("X-Content-Type-Options") == ["nosniff"]
    assert response.headers["Cache-Control"] == "no-store"


async def test_events_say_what_the_file_is(page: Page, followed: FollowedFile, saved: SavedFile) -> None:
    await followed.follow()
    await page.open()
    async with events(page) as response:
        first = await event(response)
        saved.change("type: percentage", "type: percantage")
        await followed.follow()
        second = await event(response)
        await followed.close()
        assert await response.content.read() == b""

    assert response.headers["Content-Type"] == "text/event-stream"
    (finding,) = first["findings"]
    assert (first["isCurrent"], finding["line"], finding["severity"]) == (True, 25, "warning")
    assert (finding["path"], finding["hint"]) == ("bundles.2.limitRules.0", "change the value or drop the rule")
    assert first["savedAt"].endswith("+00:00")
    assert second["isCurrent"] is False
    assert [(each["line"], each["path"]) for each in second["findings"]] == [(16, "bundles.0.discount.type")]
