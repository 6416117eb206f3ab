"""The app that connects a shop, as installed there: its access scopes and its webhook subscriptions."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bundlesvc.domain.bundle import NATIVE, Bundle
from bundlesvc.domain.checkout.checkout_function import InstalledFunction
from bundlesvc.domain.live_platform.connection import AppAccess, CheckoutState, WebhookState
from bundlesvc.domain.live_platform.platform_change import CONTRACT, ORDER
from bundlesvc.domain.shop import SUBSCRIPTIONS, TRANSLATIONS, Shop, Tenant
from bundlesvc.platforms.shopify.app import faults
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.function.installation import installed_function
from bundlesvc.platforms.shopify.function.package import version
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.platforms.shopify.webhooks import CHANGES, NOTICES, ORDERS

FOR_READING = ("read_products", "read_inventory", "read_markets", "read_publications")
"""Access scopes that every shop needs."""
FOR_GHOSTS = "write_products"
FOR_SELLING_PLANS = "read_own_subscription_contracts"
FOR_TRANSLATIONS = ("read_locales", "read_translations")
FOR_ORDERS = "read_orders"
"""The optional access scope for orders, which also shows which ghost variants were bought."""
FOR_NOTICES = {ORDER: FOR_ORDERS, CONTRACT: FOR_SELLING_PLANS}
"""The access scopes for what webhooks name, besides the one for orders."""
FOR_FUNCTION_STATE = ("read_cart_transforms", "read_discounts")
FOR_FUNCTION = ("write_cart_transforms", "write_discounts")
"""Access scopes for inspecting the checkout function, and for activating it."""

FIELDS = {
    "inventory_levels/update": ("inventory_item_id", "updated_at"),
    ORDERS: ("id", "updated_at", "line_items"),
    "orders/edited": ("order_edit",),
    "refunds/create": ("id", "order_id"),
}
OTHERS = ("id", "updated_at")
"""The only fields that the body of any other webhook should have: what changed and when, so that two changes have different
signatures."""


class ShopifyAppInspection:
    """The port `AppInspection` over the Admin GraphQL API."""

    def __init__(self, platform: ShopifyPlatform) -> None:
        self._platform = platform

    async def renew_token(self, tenant: Tenant) -> None:
        await self._platform.renew_token(tenant)

    async def access(self, tenant: Tenant, bundles: Iterable[Bundle]) -> AppAccess:
        session = await self._platform.session(tenant)
        granted = await granted_scopes(session)
        missing = missing_scopes(granted, needed_scopes(tenant.shop, bundles))
        lacking = [faults.missing_scopes(missing, tenant.shop.handle)] if missing else []
        notes = (
            [faults.orders_not_read(FOR_ORDERS, tenant.shop.handle)] if missing_scopes(granted, [FOR_ORDERS]) else []
        )
        return AppAccess(lacking, {*FOR_READING}.isdisjoint(missing), session.has_old_secret, notes)

    async def webhooks(self, tenant: Tenant, path: str) -> WebhookState:
        found = await subscriptions(await self._platform.session(tenant))
        addresses = Counter(subscription.uri for subscription in found if subscription.uri.endswith(path))
        address, topics = next(iter(addresses.most_common(1)), ("", 0))
        granted = await granted_scopes(await self._platform.session(tenant))
        missing = missing_topics(found, address, granted)
        return WebhookState(
            f"webhooks are sent to {address}; topics: {topics}" if address else "",
            [faults.missing_topics(missing, tenant.shop.handle)] if missing else [],
        )

    async def checkout(self, tenant: Tenant, discount_keys: Sequence[str]) -> CheckoutState:
        installed = await checkout_function(await self._platform.session(tenant))
        return faults.checkout_state(installed, tenant.shop.handle, discount_keys)


async def checkout_function(session: AdminSession) -> InstalledFunction:
    """The installation of the checkout function, which applies the discounts of native bundles."""
    missing = missing_scopes(await granted_scopes(session), FOR_FUNCTION_STATE)
    return InstalledFunction(version(), missing_scopes=missing) if missing else await installed_function(session)


async def granted_scopes(session: AdminSession) -> frozenset[str]:
    """The access scopes of the token that the session uses."""
    data = await session.run("access_scopes")
    with session.reading():
        return frozenset(scope["handle"] for scope in data["currentAppInstallation"]["accessScopes"])


def needed_scopes(shop: Shop, bundles: Iterable[Bundle]) -> list[str]:
    """The access scopes without which this shop's bundles do not work."""
    ghosts = [FOR_GHOSTS] if any(bundle.type != NATIVE for bundle in bundles) else []
    plans = [FOR_SELLING_PLANS] if shop.has(SUBSCRIPTIONS) else []
    translations = FOR_TRANSLATIONS if shop.has(TRANSLATIONS) else ()
    return [*FOR_READING, *ghosts, *plans, *translations]


def missing_scopes(granted: Collection[str], needed: Iterable[str]) -> list[str]:
    """The needed scopes that are not granted. A write scope includes its read scope."""
    return [scope for scope in needed if not {scope, scope.replace("read_", "write_", 1)}.intersection(granted)]


@dataclass(frozen=True, slots=True)
class Subscription:
    """Deliveries of one topic ("products/update") to one address."""

    topic: str
    uri: str
    id: str = field(default="", compare=False)
    """The id of the subscription on the platform."""
    fields: tuple[str, ...] = field(default=(), compare=False)
    """The only fields in the bodies of its webhooks; all of them when it is empty."""

    @property
    def suffices(self) -> bool:
        """Whether its webhooks name the order that they are about. Those of an earlier version do not."""
        return self.topic not in NOTICES or not self.fields or {*FIELDS.get(self.topic, OTHERS)} <= {*self.fields}


class SubscriptionRefused(Exception):
    """The shop refuses to begin or to end these deliveries; the message is its own reason."""


async def subscriptions(session: AdminSession) -> list[Subscription]:
    """All subscriptions of this app in the shop."""
    nodes = await session.all_nodes("webhook_subscriptions", "webhookSubscriptions")
    with session.reading():
        return [
            Subscription(_topic(node["topic"]), node["uri"], node["id"], tuple(node["includeFields"])) for node in nodes
        ]


def missing_topics(found: Sequence[Subscription], uri: str, granted: Collection[str] = ()) -> list[str]:
    """The topics that an app with these access scopes needs and that are not yet delivered to this address, or without what
    the service needs."""
    present = {subscription.topic for subscription in found if subscription.uri == uri and subscription.suffices}
    readable = {kind for kind, scope in FOR_NOTICES.items() if not missing_scopes(granted, [FOR_ORDERS, scope])}
    orders = [topic for topic, (kind, _) in NOTICES.items() if kind in readable]
    return [topic for topic in (*CHANGES, *orders) if topic not in present]


async def subscribe(session: AdminSession, topic: str, uri: str) -> None:
    """Have a topic delivered to an address. Raises SubscriptionRefused."""
    subscription = {"uri": uri, "includeFields": [*FIELDS.get(topic, OTHERS)]}
    data = await session.run("subscribe_webhook", topic=_enum(topic), subscription=subscription)
    _check(session, data, "webhookSubscriptionCreate")


async def unsubscribe(session: AdminSession, subscription: Subscription) -> None:
    """End a subscription. Raises SubscriptionRefused."""
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
