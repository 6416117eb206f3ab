"""Subscribes to webhooks and cancels subscriptions."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from tests.standin.data.shop import Shop, WebhookSubscription
from tests.standin.graph.items import Arguments, Node
from tests.standin.graph.webhooks import webhook_subscription_node
from tests.standin.mutations.subjects import number_of
from tests.standin.mutations.user_errors import user_error

_SCHEMES = ("https", "pubsub", "arn")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Hosts to which, unlike the platform, the stand-in delivers without TLS."""


def create_webhook_subscription(shop: Shop, arguments: Arguments) -> Node:
    given = arguments["webhookSubscription"]
    uri, topic = given.get("uri") or given.get("callbackUrl") or "", arguments["topic"]
    errors = list(_errors(shop, topic, uri))
    if errors:
        return {"webhookSubscription": None, "userErrors": errors}
    subscription = WebhookSubscription(
        shop.new_id(), topic, uri, given.get("format") or "JSON", given.get("includeFields") or [], given.get("filter")
    )
    shop.webhook_subscriptions.append(subscription)
    return {"webhookSubscription": webhook_subscription_node(subscription), "userErrors": []}


def delete_webhook_subscription(shop: Shop, arguments: Arguments) -> Node:
    number = number_of("WebhookSubscription", arguments["id"])
    there = [subscription for subscription in shop.webhook_subscriptions if subscription.id == number]
    if not there:
        error = user_error("Webhook subscription does not exist", "id")
        return {"deletedWebhookSubscriptionId": None, "userErrors": [error]}
    shop.webhook_subscriptions.remove(there[0])
    return {"deletedWebhookSubscriptionId": arguments["id"], "userErrors": []}


def _errors(shop: Shop, topic: str, uri: str) -> Iterator[Node]:
    path = ("webhookSubscription", "callbackUrl")
    address = urlsplit(uri)
    if not address.scheme:
        yield user_error("Address can't be blank" if not uri else "Address is invalid", *path)
    elif address.scheme not in _SCHEMES and address.hostname not in _LOOPBACK:
        yield user_error(f"Address protocol {address.scheme}:// is not supported", *path)
    if any((there.topic, there.uri) == (topic, uri) for there in shop.webhook_subscriptions):
        yield user_error("Address for this topic has already been taken", *path)
