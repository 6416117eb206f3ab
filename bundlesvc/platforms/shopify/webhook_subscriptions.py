"""The webhook subscriptions of a shop: lists them, and creates those that are missing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bundlesvc.platforms.shopify.access_scopes import FOR_PURCHASES, missing_scopes
from bundlesvc.platforms.shopify.admin_session import AdminSession
from bundlesvc.platforms.shopify.scalars import next_cursor
from bundlesvc.platforms.shopify.webhooks import CHANGES, ORDERS

FIELDS = {"inventory_levels/update": ("inventory_item_id", "updated_at"), ORDERS: ("line_items",)}
OTHERS = ("id", "updated_at")
"""The fields that a topic's body must have: what changed, and when, so that two changes have two signatures. The shop
sends no others."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """Deliveries of one topic ("products/update") to one address."""

    topic: str
    uri: str


class SubscriptionRefused(Exception):
    """The shop refuses to deliver this topic; the message is its own reason."""


async def subscriptions(session: AdminSession) -> list[Subscription]:
    """All subscriptions of this app in the shop."""
    found: list[Subscription] = []
    more, cursor = True, None
    while more:
        data = await session.run("webhook_subscriptions", after=cursor)
        with session.reading():
            page = data["webhookSubscriptions"]
            found += [Subscription(_topic(node["topic"]), node["uri"]) for node in page["nodes"]]
            cursor = next_cursor(page)
            more = cursor is not None
    return found


def missing_topics(found: Sequence[Subscription], uri: str, granted: Collection[str] = ()) -> list[str]:
    """The topics that an app with these access scopes needs and that are not yet delivered to this address."""
    present = {subscription.topic for subscription in found if subscription.uri == uri}
    orders = [] if missing_scopes(granted, [FOR_PURCHASES]) else [ORDERS]
    return [topic for topic in (*CHANGES, *orders) if topic not in present]


async def subscribe(session: AdminSession, topic: str, uri: str) -> None:
    """Have a topic delivered to an address. Raises SubscriptionRefused."""
    subscription = {"uri": uri, "includeFields": [*FIELDS.get(topic, OTHERS)]}
    data = await session.run("subscribe_webhook", topic=_enum(topic), subscription=subscription)
    with session.reading():
        faults = [fault["message"] for fault in data["webhookSubscriptionCreate"]["userErrors"]]
    if faults:
        raise SubscriptionRefused(" ".join(faults))


def _enum(topic: str) -> str:
    return topic.replace("/", "_").upper()


_TOPICS = {_enum(topic): topic for topic in (*CHANGES, ORDERS)}


def _topic(enum: str) -> str:
    return _TOPICS.get(enum, enum)
