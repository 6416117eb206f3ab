"""The webhook subscriptions in the stand-in's Admin API."""

from tests.standin.data.gids import gid
from tests.standin.data.shop import Shop, WebhookSubscription
from tests.standin.graph.items import Arguments, Items, Node
from tests.standin.operations.versions import CURRENT


def webhook_subscription_node(subscription: WebhookSubscription) -> Node:
    return {
        "__typename": "WebhookSubscription",
        "id": gid("WebhookSubscription", subscription.id),
        "legacyResourceId": str(subscription.id),
        "topic": subscription.topic,
        "uri": subscription.uri,
        "format": subscription.format,
        "includeFields": subscription.include_fields,
        "filter": subscription.filter,
        "apiVersion": {"handle": CURRENT, "displayName": CURRENT, "supported": True},
    }


def webhook_subscriptions(shop: Shop, arguments: Arguments) -> Items:
    """List the subscriptions for the requested topics and address."""
    topics, uri = arguments.get("topics"), arguments.get("uri")
    wanted = [
        subscription
        for subscription in shop.webhook_subscriptions
        if (topics is None or subscription.topic in topics) and uri in (None, subscription.uri)
    ]
    return Items(wanted, webhook_subscription_node)
