"""POST /webhooks/platform/{shop}: the signature is checked, and a delivery is recorded once."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from bundlesvc.api import webhooks
from bundlesvc.api.app_keys import AUTHENTICATION
from bundlesvc.domain.live_platform.platform_change import PRODUCT, Change
from bundlesvc.domain.shop import Tenant
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from tests.api.conftest import LIVE_SHOP, Client
from tests.conftest import LoadShop
from tests.platforms.shopify.webhooks.test_messages import headers

BODY = json.dumps({"id": 7}).encode()


async def deliver(client: Client, body: bytes = BODY, shop: str = "live", **changed: str | None) -> tuple[int, Any]:
    async with client.post(f"/webhooks/platform/{shop}", data=body, headers=headers(BODY, changed=changed)) as sent:
        text = await sent.text()
        return sent.status, json.loads(text) if text else None


async def test_delivery_is_recorded_before_the_response(live_client: Client, database: Database, live: Tenant) -> None:
    assert await deliver(live_client) == (200, {"status": "ok"})
    assert [one.change for one in await SqlChangeLog(database).after(0)] == [Change(PRODUCT, 7)]


async def test_same_delivery_again_changes_nothing(live_client: Client, database: Database) -> None:
    for _ in range(3):
        assert (await deliver(live_client))[0] == 200
    assert len(await SqlChangeLog(database).after(0)) == 1


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
async def test_refused_deliveries_have_the_same_response(
    live_client: Client, database: Database, body: bytes, shop: str, changed: dict[str, str | None]
) -> None:
    status, error = await deliver(live_client, body, shop, **changed)
    assert (status, error["code"]) == (403, "signature_invalid")
    assert error["error"] == "The signature of this webhook is not valid for this shop."
    assert await SqlChangeLog(database).after(0) == []


@pytest.mark.parametrize("path", ["/webhooks/platform/live", "/webhooks/platform"])
@pytest.mark.parametrize(
    "changed", [{"Hmac_Sha256": None}, {"Hmac_Sha256": "AAAA"}, {"Shop_Domain": "another.example"}]
)
async def test_headers_that_cannot_be_right_are_refused_without_a_read(
    live_client: Client, monkeypatch: pytest.MonkeyPatch, path: str, changed: dict[str, str | None]
) -> None:
    read: list[Tenant] = []

    async def of(_: SqlCredentialStore, tenant: Tenant) -> None:
        read.append(tenant)

    monkeypatch.setattr(SqlCredentialStore, "of", of)
    async with live_client.post(path, data=BODY, headers=headers(BODY, changed=changed)) as sent:
        assert sent.status == 403
    assert read == []
    async with live_client.post(path, data=BODY, headers=headers(BODY)) as sent:
        assert sent.status == 403
    assert len(read) == 1


async def test_missing_headers_are_named(live_client: Client) -> None:
    status, error = await deliver(live_client, Webhook_Id=None)
    assert (status, error["code"]) == (400, "invalid_request")
    assert error["details"][0]["path"] == "X-Shopify-Webhook-Id"


async def test_webhooks_accept_post_only(live_client: Client) -> None:
    async with live_client.get("/webhooks/platform/live") as sent:
        assert (sent.status, sent.headers["Allow"]) == (405, "POST")


async def test_large_product_fits(live_client: Client) -> None:
    body = json.dumps({"id": 7, "body_html": "x" * 2_000_000}).encode()
    async with live_client.post("/webhooks/platform/live", data=BytesIO(body), headers=headers(body)) as sent:
        assert sent.status == 200


async def test_body_over_the_limit_is_refused(live_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MAX_WEBHOOK_BYTES", 100)
    body = json.dumps({"id": 7, "body_html": "x" * 200}).encode()
    async with live_client.post("/webhooks/platform/live", data=body, headers=headers(body)) as sent:
        assert (sent.status, (await sent.json())["code"]) == (413, "body_too_large")


async def test_new_shop_is_known_after_the_next_refresh(
    live_client: Client, load_shop: LoadShop, tmp_path: Path
) -> None:
    path = tmp_path / "later.yaml"
    path.write_text(LIVE_SHOP.replace("handle: live", "handle: later"))
    await load_shop(path)
    assert (await deliver(live_client, shop="later"))[0] == 403
    await live_client.app[AUTHENTICATION].refresh()
    assert live_client.app[AUTHENTICATION].tenants.with_handle("later") is not None
