"""Webhook subscriptions, and the webhooks that the stand-in sends."""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from bundlesvc.domain.live_platform.platform_change import INVENTORY_ITEM, PRODUCT, Change
from bundlesvc.platforms.shopify.webhooks.messages import ShopifyWebhooks
from tests.standin.app.webhooks import SECRET, Webhook, deleted_product_body, inventory_level_body, product_body
from tests.standin.calling import Caller
from tests.standin.data.generated import product

SUBSCRIBE = """mutation Subscribe($topic: WebhookSubscriptionTopic!, $subscription: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $subscription) {
    webhookSubscription { id topic uri format includeFields filter apiVersion { handle } }
    userErrors { field message }
  }
}"""
LIST = """query Subscriptions($topics: [WebhookSubscriptionTopic!]) {
  webhookSubscriptions(first: 10, topics: $topics) { nodes { id topic uri } }
}"""
UNSUBSCRIBE = """mutation Unsubscribe($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } }
}"""


async def subscribe(call: Caller, uri: str, topic: str = "PRODUCTS_UPDATE", **others: Any) -> Any:
    reply = await call(SUBSCRIBE, topic=topic, subscription={"uri": uri, **others})
    return reply.data["webhookSubscriptionCreate"]


async def test_subscriptions_are_created_listed_and_deleted(call: Caller) -> None:
    made = await subscribe(call, "https://shop.example/hook", includeFields=["id"], filter="id:*")
    assert made["userErrors"] == []
    subscription = made["webhookSubscription"]
    assert subscription | {"id": None} == {
        "id": None,
        "topic": "PRODUCTS_UPDATE",
        "uri": "https://shop.example/hook",
        "format": "JSON",
        "includeFields": ["id"],
        "filter": "id:*",
        "apiVersion": {"handle": "2026-07"},
    }
    await subscribe(call, "https://shop.example/hook", "SHOP_UPDATE")
    listed = (await call(LIST)).data["webhookSubscriptions"]["nodes"]
    assert [node["topic"] for node in listed] == ["PRODUCTS_UPDATE", "SHOP_UPDATE"]
    listed = (await call(LIST, topics=["SHOP_UPDATE"])).data["webhookSubscriptions"]["nodes"]
    assert [node["topic"] for node in listed] == ["SHOP_UPDATE"]

    gone = (await call(UNSUBSCRIBE, id=subscription["id"])).data["webhookSubscriptionDelete"]
    assert gone == {"deletedWebhookSubscriptionId": subscription["id"], "userErrors": []}
    (error,) = (await call(UNSUBSCRIBE, id=subscription["id"])).data["webhookSubscriptionDelete"]["userErrors"]
    assert error["field"] == ["id"]


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("", "Address can't be blank"),
        ("shop.example/hook", "Address is invalid"),
        ("http://shop.example/hook", "Address protocol http:// is not supported"),
        ("https://shop.example/taken", "Address for this topic has already been taken"),
    ],
)
async def test_refused_addresses(call: Caller, uri: str, message: str) -> None:
    await subscribe(call, "https://shop.example/taken")
    refused = await subscribe(call, uri)
    assert refused["webhookSubscription"] is None
    assert refused["userErrors"] == [{"field": ["webhookSubscription", "callbackUrl"], "message": message}]


async def test_local_address_without_tls_is_accepted(call: Caller) -> None:
    assert (await subscribe(call, "http://127.0.0.1:8080/hook"))["userErrors"] == []


THING = product(7, variants=2)


@pytest.mark.parametrize(
    ("topic", "body", "change"),
    [
        ("products/update", product_body(THING), Change(PRODUCT, 7)),
        ("products/delete", deleted_product_body(7), Change(PRODUCT, 7)),
        (
            "inventory_levels/update",
            inventory_level_body(THING.variants[0]),
            Change(INVENTORY_ITEM, THING.variants[0].inventory_item_id),
        ),
    ],
)
def test_the_service_reads_the_webhooks(topic: str, body: Mapping[str, Any], change: Change) -> None:
    webhook = Webhook(topic, body)
    message = ShopifyWebhooks().expect(webhook.headers, webhook.domain, [SECRET])
    message.feed(webhook.raw)
    delivery = message.finish()
    assert (delivery.id, delivery.changes) == (webhook.id, (change,))


def test_product_webhook_has_the_rest_shape() -> None:
    body = product_body(THING)
    assert (body["status"], body["tags"], body["admin_graphql_api_id"]) == ("active", "", "gid://shopify/Product/7")
    first = body["variants"][0]
    assert (first["price"], first["option1"], first["inventory_quantity"]) == ("11.00", "Size 1", 50)


async def test_webhooks_are_posted(aiohttp_server: Any) -> None:
    received: list[tuple[Mapping[str, str], bytes]] = []

    async def receive(request: web.Request) -> web.Response:
        received.append((request.headers, await request.read()))
        return web.Response(status=202)

    app = web.Application()
    app.router.add_post("/hook", receive)
    server: TestServer = await aiohttp_server(app)
    webhook = Webhook("shop/update", {"id": 1})
    async with ClientSession() as session:
        assert await webhook.send(session, str(server.make_url("/hook"))) == 202
        assert await webhook.send(session, str(server.make_url("/hook")), {"X-Shopify-Hmac-Sha256": "forged"}) == 202
    (headers, body), (forged, _) = received
    assert orjson.loads(body) == {"id": 1}
    assert {name: headers[name] for name in webhook.headers} == webhook.headers
    assert forged["X-Shopify-Hmac-Sha256"] == "forged"
