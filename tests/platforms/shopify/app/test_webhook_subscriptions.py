"""The webhook subscriptions of the installed app: every page of their list is read, and missing subscriptions are created."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.errors import PlatformFailed, PlatformUnavailable
from bundlesvc.platforms.calls.deadline import Deadline
from bundlesvc.platforms.calls.http import Reply
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics
from bundlesvc.platforms.shopify.app.webhook_subscriptions import (
    Subscription,
    SubscriptionRefused,
    missing_topics,
    subscribe,
    subscriptions,
    unsubscribe,
)
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.retrying_client import RetryingClient
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.platforms.shopify.webhooks.messages import CHANGES
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import CONNECTION, TENANT, FakeSleep, ScriptedTransport, data
from tests.standin.data.shop import WebhookSubscription
from tests.standin.faults import Answered, CutAfter
from tests.standin.server import Standin

ADDRESS = "https://bundles.example/webhooks/platform/demo"
TOPICS = list(CHANGES)


@pytest.fixture
async def session(platform: ShopifyPlatform) -> AdminSession:
    return await platform.sessions.open(TENANT)


def enum(topic: str) -> str:
    """Convert a topic to its enum value in the schema."""
    return topic.replace("/", "_").upper()


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 200, 250, 301])
async def test_all_subscriptions_are_listed_in_order(session: AdminSession, standin: Standin, count: int) -> None:
    addresses = [f"https://bundles.example/{number}" for number in range(count)]
    standin.shop.webhook_subscriptions += [
        WebhookSubscription(number, "SHOP_UPDATE", address) for number, address in enumerate(addresses)
    ]
    assert await subscriptions(session) == [Subscription("shop/update", address) for address in addresses]
    assert standin.calls == {"WebhookSubscriptions": max(1, -(-count // 100))}


@given(st.lists(st.lists(st.sampled_from([*TOPICS, "ORDERS_FULFILLED"]), max_size=5), min_size=1, max_size=6))
def test_pages_of_any_size_form_one_list(pages: Sequence[Sequence[str]]) -> None:
    """Pages of any size form one list, even if a page is empty or has fewer items than requested."""

    async def read() -> tuple[list[Subscription], list[object]]:
        clock = FakeClock()
        last = len(pages) - 1
        transport = ScriptedTransport(*(_page(page, number, last) for number, page in enumerate(pages)))
        client = RetryingClient(CONNECTION, transport, RetryPolicy(clock, FakeSleep(clock)), CallStatistics())
        found = await subscriptions(AdminSession(client, CONNECTION, Deadline(clock, 10)))
        return found, [request["variables"]["after"] for request in transport.requests]

    found, cursors = asyncio.run(read())
    assert found == [Subscription(topic, ADDRESS) for page in pages for topic in page]
    assert cursors == [None, *(f"cursor {number}" for number in range(len(pages) - 1))]


def _page(topics: Sequence[str], number: int, last: int) -> Reply:
    common = {"id": "gid://shopify/WebhookSubscription/1", "uri": ADDRESS, "includeFields": ["id"]}
    nodes = [{**common, "topic": enum(topic)} for topic in topics]
    more = number < last
    page_info = {"hasNextPage": more, "endCursor": f"cursor {number}" if more else None}
    return data({"webhookSubscriptions": {"nodes": nodes, "pageInfo": page_info}})


@given(st.sets(st.sampled_from(TOPICS)), st.sets(st.sampled_from(TOPICS)))
def test_topics_not_delivered_to_the_address_are_missing(here: set[str], elsewhere: set[str]) -> None:
    found = [Subscription(topic, ADDRESS) for topic in here]
    found += [Subscription(topic, "https://elsewhere.example") for topic in elsewhere]
    found.append(Subscription("ORDERS_FULFILLED", ADDRESS))
    missing = missing_topics(found, ADDRESS)
    assert set(missing) == set(TOPICS) - here
    assert missing == sorted(missing, key=TOPICS.index)


@pytest.mark.parametrize(
    ("granted", "missing"),
    [((), False), (("read_products",), False), (("read_orders",), True), (("write_orders",), True)],
)
def test_orders_are_missing_only_with_the_scope_for_orders(granted: Sequence[str], missing: bool) -> None:
    assert ("orders/create" in missing_topics([], ADDRESS, granted)) == missing
    assert "orders/create" not in missing_topics([Subscription("orders/create", ADDRESS)], ADDRESS, granted)


async def test_subscribed_orders_are_listed(session: AdminSession, standin: Standin) -> None:
    await subscribe(session, "orders/create", ADDRESS)
    assert await subscriptions(session) == [Subscription("orders/create", ADDRESS)]
    assert [made.include_fields for made in standin.shop.webhook_subscriptions] == [["id", "updated_at", "line_items"]]


@pytest.mark.parametrize("topic", TOPICS)
async def test_each_topic_is_in_the_schema_and_is_listed(session: AdminSession, standin: Standin, topic: str) -> None:
    await subscribe(session, topic, ADDRESS)
    assert await subscriptions(session) == [Subscription(topic, ADDRESS)]
    (made,) = standin.shop.webhook_subscriptions
    assert (made.topic, made.uri, made.format, made.filter) == (enum(topic), ADDRESS, "JSON", None)


@pytest.mark.parametrize("topic", TOPICS)
async def test_delivered_fields_suffice(session: AdminSession, standin: Standin, topic: str) -> None:
    await subscribe(session, topic, ADDRESS)
    (made,) = standin.shop.webhook_subscriptions
    whole = {"id": 7, "inventory_item_id": 8, "title": "Kettle"}
    trimmed = {name: value for name, value in whole.items() if name in made.include_fields}
    assert CHANGES[topic](trimmed) == CHANGES[topic](whole)


async def test_refusal_has_a_reason(session: AdminSession, standin: Standin) -> None:
    await subscribe(session, "products/update", ADDRESS)
    with pytest.raises(SubscriptionRefused, match="Address for this topic has already been taken"):
        await subscribe(session, "products/update", ADDRESS)
    assert len(standin.shop.webhook_subscriptions) == 1


async def test_refusal_has_every_reason(session: AdminSession, standin: Standin) -> None:
    errors = [{"field": ["topic"], "message": "No."}, {"field": None, "message": "Never."}]
    standin.fail_next(
        Answered(200, {"data": {"webhookSubscriptionCreate": {"webhookSubscription": None, "userErrors": errors}}})
    )
    with pytest.raises(SubscriptionRefused, match=r"^No\. Never\.$"):
        await subscribe(session, "shop/update", ADDRESS)


async def test_a_subscription_ends_once(session: AdminSession, standin: Standin) -> None:
    await subscribe(session, "products/update", ADDRESS)
    [found] = await subscriptions(session)
    await unsubscribe(session, found)
    assert standin.shop.webhook_subscriptions == []
    with pytest.raises(SubscriptionRefused, match="does not exist"):
        await unsubscribe(session, found)


async def test_subscription_is_not_retried_when_the_response_is_lost(session: AdminSession, standin: Standin) -> None:
    """A request to create a subscription is not retried when its response is lost; the caller checks the list of subscriptions
    instead."""
    standin.fail_next(CutAfter(), "SubscribeWebhook")
    with pytest.raises(PlatformUnavailable):
        await subscribe(session, "shop/update", ADDRESS)
    assert standin.calls["SubscribeWebhook"] == 1
    assert await subscriptions(session) == [Subscription("shop/update", ADDRESS)]


@pytest.mark.parametrize("page", [None, {}, {"nodes": [None]}, {"nodes": [], "pageInfo": None}])
async def test_response_that_does_not_match_the_schema(session: AdminSession, standin: Standin, page: object) -> None:
    standin.fail_next(Answered(200, {"data": {"webhookSubscriptions": page}}))
    with pytest.raises(PlatformFailed):
        await subscriptions(session)
