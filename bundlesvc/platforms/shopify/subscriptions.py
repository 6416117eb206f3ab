"""Which webhooks a shop sends, and asking it for those that are missing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bundlesvc.platforms.shopify.access_scopes import FOR_PURCHASES, missing_scopes
from bundlesvc.platforms.shopify.inquiry import Inquiry
from bundlesvc.platforms.shopify.scalars import next_cursor
from bundlesvc.platforms.shopify.webhooks import CHANGES, ORDERS

FIELDS = {"inventory_levels/update": ("inventory_item_id", "updated_at"), ORDERS: ("line_items",)}
OTHERS = ("id", "updated_at")
"""The fields of a body that are needed, by topic: what it is about, and when, so that two changes have two signatures. The
shop need send no more."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """Deliveries of one topic ("products/update") to one address."""

    topic: str
    uri: str


class SubscriptionRefused(Exception):
    """The shop does not send this topic; the message says why, in its own words."""


async def subscriptions(inquiry: Inquiry) -> list[Subscription]:
    """All that this app has with the shop."""
    found: list[Subscription] = []
    more, cursor = True, None
    while more:
        data = await inquiry.run("webhook_subscriptions", after=cursor)
        with inquiry.reading():
            page = data["webhookSubscriptions"]
            found += [Subscription(_topic(node["topic"]), node["uri"]) for node in page["nodes"]]
            cursor = next_cursor(page)
            more = cursor is not None
    return found


def missing_topics(found: Sequence[Subscription], uri: str, granted: Collection[str] = ()) -> list[str]:
    """The topics that an app with these access scopes needs, and that do not yet go to this address."""
    there = {subscription.topic for subscription in found if subscription.uri == uri}
    orders = [] if missing_scopes(granted, [FOR_PURCHASES]) else [ORDERS]
    return [topic for topic in (*CHANGES, *orders) if topic not in there]


async def subscribe(inquiry: Inquiry, topic: str, uri: str) -> None:
    """Have a topic delivered to an address. Raises SubscriptionRefused."""
    subscription = {"uri": uri, "includeFields": [*FIELDS.get(topic, OTHERS)]}
    data = await inquiry.run("subscribe_webhook", topic=_enum(topic), subscription=subscription)
    with inquiry.reading():
        faults = [fault["message"] for fault in data["webhookSubscriptionCreate"]["userErrors"]]
    if faults:
        raise SubscriptionRefused(" ".join(faults))


def _enum(topic: str) -> str:
    return topic.replace("/", "_").upper()


_TOPICS = {_enum(topic): topic for topic in (*CHANGES, ORDERS)}


def _topic(enum: str) -> str:
    return _TOPICS.get(enum, enum)
