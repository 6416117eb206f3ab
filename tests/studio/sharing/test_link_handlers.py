"""The endpoints for preview links, called with a key. Every response is checked against the running service's OpenAPI
document."""

from typing import Any

import pytest

from bundlesvc.storage.database.interface import Database
from tests.api.conftest import Api, Client
from tests.api.manage.revisions.conftest import ALL, Managing, key_of, managing_of
from tests.studio.conftest import PUBLISH, READ, WRITE
from tests.studio.test_drafts import BUNDLE

ASKED = {"bundleId": BUNDLE, "days": 30, "time": "2030-01-01T00:00"}


@pytest.fixture
async def managing(client: Client, database: Database) -> Managing:
    return await managing_of(Api(client, None), await key_of(database, *ALL))


async def made(managing: Managing, **further: str) -> dict[str, Any]:
    path, _ = await managing.draft()
    link: dict[str, Any] = (await managing.request("POST", f"{path}/preview-links", ASKED, **further)).held().json
    return link


async def test_link_is_made_listed_and_ended(managing: Managing) -> None:
    link = await made(managing)
    stored = {name: value for name, value in link.items() if name != "address"}
    assert (link["bundleId"], link["time"], link["author"]) == (ASKED["bundleId"], ASKED["time"], "Mira")
    assert await managing.get("/preview-links") == [stored]
    assert (await managing.request("DELETE", f"/preview-links/{link['id']}")).held().json == stored
    assert await managing.get("/preview-links") == []
    assert (await managing.request("DELETE", f"/preview-links/{link['id']}")).held(404).code == "not_found"


async def test_dry_run_of_an_end_ends_nothing(managing: Managing) -> None:
    link = await made(managing)
    (await managing.request("DELETE", f"/preview-links/{link['id']}?dryRun=true")).held()
    assert [each["id"] for each in await managing.get("/preview-links")] == [link["id"]]


async def test_retry_gets_the_address_again_and_another_request_does_not(managing: Managing) -> None:
    path, _ = await managing.draft()
    first, again = [
        (await managing.request("POST", f"{path}/preview-links", ASKED, Idempotency_Key="a")).held() for _ in range(2)
    ]
    assert (again.json, again.headers["Idempotent-Replayed"]) == (first.json, "true")
    other = await managing.request("POST", f"{path}/preview-links", {"bundleId": BUNDLE}, Idempotency_Key="a")
    assert other.held(400).code == "idempotency_key_reused"


@pytest.mark.parametrize(
    ("scopes", "statuses"), [((READ,), (200, 403, 403)), ((WRITE,), (403, 200, 200)), ((PUBLISH,), (403, 403, 403))]
)
async def test_each_endpoint_wants_its_scope(
    managing: Managing, database: Database, scopes: tuple[str, ...], statuses: tuple[int, ...]
) -> None:
    (path, _), link = await managing.draft(), await made(managing)
    other = Managing(managing.client, await key_of(database, *scopes), managing.check)
    answers = [
        await other.request("GET", "/preview-links"),
        await other.request("POST", f"{path}/preview-links", ASKED),
        await other.request("DELETE", f"/preview-links/{link['id']}"),
    ]
    assert tuple(each.status for each in answers) == statuses


async def test_keys_of_one_shop_reach_no_link_of_another(managing: Managing, database: Database) -> None:
    link = await made(managing)
    other = Managing(managing.client, await key_of(database, *ALL, handle="other"), managing.check)
    assert await other.get("/preview-links") == []
    assert (await other.request("DELETE", f"/preview-links/{link['id']}")).held(404).code == "not_found"
    assert [each["id"] for each in await managing.get("/preview-links")] == [link["id"]]
