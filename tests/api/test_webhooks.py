"""POST /webhooks/platform/:shop: signed, recorded once, and forgotten by the process within its poll."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.api import webhooks
from bundlesvc.api.keys import DIRECTORY
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import PRODUCT, Change, Connection
from bundlesvc.sealing import credentials_sealer
from bundlesvc.storage.change_log import SqlChangeLog
from bundlesvc.storage.connections import SqlConnections
from bundlesvc.storage.database import Database
from bundlesvc.storage.keys import SqlKeyStore
from tests.api.conftest import Client, Serve
from tests.conftest import SECRET_KEY, LoadShop
from tests.fakes import FakeClock
from tests.platforms.shopify.test_webhooks import SECRET, headers

LIVE_SHOP = """
shop: {handle: live, name: Live, domain: live.example, locale: en, headlessEnabled: true, activeFeatures: [],
       platform: {kind: shopify, domain: roaster.myshopify.com}, templates: [default]}
"""
BODY = json.dumps({"id": 7}).encode()


@pytest.fixture
async def live(database: Database, load_shop: LoadShop, tmp_path: Path, clock: FakeClock) -> Tenant:
    """A shop on a live platform, connected."""
    path = tmp_path / "live.yaml"
    path.write_text(LIVE_SHOP)
    await load_shop(path)
    tenant = await SqlKeyStore(database).tenant("live")
    assert tenant is not None
    connection = Connection("roaster.myshopify.com", "token", SECRET)
    await SqlConnections(database, credentials_sealer([SECRET_KEY])).connect(tenant, connection, int(clock.now()))
    return tenant


@pytest.fixture
async def client(live: Tenant, serve: Serve) -> Client:
    return await serve()


async def deliver(client: Client, body: bytes = BODY, shop: str = "live", **changed: str | None) -> tuple[int, Any]:
    async with client.post(f"/webhooks/platform/{shop}", data=body, headers=headers(BODY, changed=changed)) as sent:
        text = await sent.text()
        return sent.status, json.loads(text) if text else None


async def test_it_is_recorded_before_it_is_answered(client: Client, database: Database, live: Tenant) -> None:
    assert await deliver(client) == (200, {"status": "ok"})
    assert [one.change for one in await SqlChangeLog(database).after(0)] == [Change(PRODUCT, 7)]


async def test_the_same_delivery_again_changes_nothing(client: Client, database: Database) -> None:
    for _ in range(3):
        assert (await deliver(client))[0] == 200
    assert (await deliver(client, Webhook_Id="d-2"))[0] == 200
    assert len(await SqlChangeLog(database).after(0)) == 2


@pytest.mark.parametrize(
    ("body", "shop", "changed"),
    [
        (b'{"id": 8}', "live", {}),
        (BODY, "live", {"Hmac_Sha256": "AAAA"}),
        (BODY, "live", {"Shop_Domain": "another.myshopify.com"}),  # signed with the same app's secret, for another shop
        (BODY, "demo", {}),  # a shop without a live platform
        (BODY, "nobody", {}),
    ],
)
async def test_refusals_cannot_be_told_apart(
    client: Client, database: Database, body: bytes, shop: str, changed: dict[str, str | None]
) -> None:
    status, error = await deliver(client, body, shop, **changed)
    assert (status, error["code"]) == (403, "signature_invalid")
    assert error["error"] == "The signature of this webhook does not hold for this shop."
    assert await SqlChangeLog(database).after(0) == []


async def test_what_is_missing_is_named(client: Client) -> None:
    status, error = await deliver(client, Webhook_Id=None)
    assert (status, error["code"]) == (400, "invalid_request")
    assert error["details"][0]["path"] == "X-Shopify-Webhook-Id"


async def test_only_post(client: Client) -> None:
    async with client.get("/webhooks/platform/live") as sent:
        assert (sent.status, sent.headers["Allow"]) == (405, "POST")


async def test_a_large_product_fits(client: Client) -> None:
    body = json.dumps({"id": 7, "body_html": "x" * 2_000_000}).encode()
    async with client.post("/webhooks/platform/live", data=BytesIO(body), headers=headers(body)) as sent:
        assert sent.status == 200


async def test_a_body_beyond_the_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MAX_WEBHOOK_BYTES", 100)
    body = json.dumps({"id": 7, "body_html": "x" * 200}).encode()
    async with client.post("/webhooks/platform/live", data=body, headers=headers(body)) as sent:
        assert (sent.status, (await sent.json())["code"]) == (413, "body_too_large")


async def test_a_shop_that_was_just_loaded_is_known_after_the_poll(
    client: Client, load_shop: LoadShop, tmp_path: Path
) -> None:
    path = tmp_path / "later.yaml"
    path.write_text(LIVE_SHOP.replace("handle: live", "handle: later"))
    await load_shop(path)
    assert (await deliver(client, shop="later"))[0] == 403
    await client.app[DIRECTORY].refresh()
    assert client.app[DIRECTORY].tenant_of("later") is not None
