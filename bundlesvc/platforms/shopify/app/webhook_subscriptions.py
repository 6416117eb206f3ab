"""The webhook subscriptions of the app: which topics a shop delivers to which address, and with which fields."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bundlesvc.platforms.shopify.app.access_scopes import FOR_NOTICES, FOR_ORDERS, missing_scopes
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.webhooks.messages import CHANGES, NOTICES, ORDERS

FIELDS = {
    "inventory_levels/update": ("inventory_item_id", "updated_at"),
    ORDERS: ("id", "updated_at", "line_items"),
    "orders/edited": ("order_edit",),
    "refunds/create": ("id", "order_id"),
}
OTHERS = ("id", "updated_at")
"""The fields to include in the bodies of webhooks whose topic is not in `FIELDS`: what changed and when, so that two changes have
different signatures."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A webhook subscription, which delivers the webhooks for one topic (such as "products/update") to one address."""

    topic: str
    uri: str
    id: str = field(default="", compare=False)
    """The id of the subscription on the platform."""
    fields: tuple[str, ...] = field(default=(), compare=False)
    """The fields that the bodies of its webhooks are limited to; empty for all fields."""

    @property
    def suffices(self) -> bool:
        """Whether the webhooks of this subscription contain all the fields that the service needs to identify the order or
        contract. Webhooks of subscriptions that were created by an earlier version of the service may lack some of them."""
        return self.topic not in NOTICES or not self.fields or {*FIELDS.get(self.topic, OTHERS)} <= {*self.fields}


class SubscriptionRefused(Exception):
    """The shop refuses to create or delete a subscription; the message is the shop's own reason."""


async def subscriptions(session: AdminSession) -> list[Subscription]:
    """Fetch all webhook subscriptions of this app in the shop."""
    nodes = await session.all_nodes("webhook_subscriptions", "webhookSubscriptions")
    with session.reading():
        return [
            Subscription(_topic(node["topic"]), node["uri"], node["id"], tuple(node["includeFields"])) for node in nodes
        ]


def missing_topics(found: Sequence[Subscription], uri: str, granted: Collection[str] = ()) -> list[str]:
    """Return the topics that an app with these access scopes still has to subscribe to: those that are not delivered to this
    address, or are delivered without the fields that the service needs."""
    present = {subscription.topic for subscription in found if subscription.uri == uri and subscription.suffices}
    readable = {kind for kind, scope in FOR_NOTICES.items() if not missing_scopes(granted, [FOR_ORDERS, scope])}
    orders = [topic for topic, (kind, _) in NOTICES.items() if kind in readable]
    return [topic for topic in (*CHANGES, *orders) if topic not in present]


async def subscribe(session: AdminSession, topic: str, uri: str) -> None:
    """Subscribe an address to a topic. Raises SubscriptionRefused."""
    subscription = {"uri": uri, "includeFields": [*FIELDS.get(topic, OTHERS)]}
    data = await session.run("subscribe_webhook", topic=_enum(topic), subscription=subscription)
    _check(session, data, "webhookSubscriptionCreate")


async def unsubscribe(session: AdminSession, subscription: Subscription) -> None:
    """Delete a subscription. Raises SubscriptionRefused."""
    data = await session.run("unsubscribe_webhook", id=subscription.id)
    _check(session, data, "webhookSubscriptionDelete")


def _check(session: AdminSession, data: Mapping[str, Any], mutation: str) -> None:
    with session.reading():
        faults = [fault["message"] for fault in data[mutation]["userErrors"]]
    if faults:
        raise SubscriptionRefused(" ".join(faults))


def _enum(topic: str) -> str:
    return topic.replace("/", "_").upper()


_TOPICS = {_enum(topic): topic for topic in (*CHANGES, *NOTICES)}


def _topic(enum: str) -> str:
    return _TOPICS.get(enum, enum)
