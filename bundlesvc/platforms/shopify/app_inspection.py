"""Reads the access scopes and webhook subscriptions of the app that connects a shop."""

from collections import Counter
from collections.abc import Iterable

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.connection import AppAccess, WebhookState
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.access_scopes import FOR_READING, granted_scopes, missing_scopes, needed_scopes
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.platforms.shopify.webhook_subscriptions import missing_topics, subscriptions


class ShopifyAppInspection:
    """The port `AppInspection` over the Admin GraphQL API."""

    def __init__(self, platform: ShopifyPlatform) -> None:
        self._platform = platform

    async def renew_token(self, tenant: Tenant) -> None:
        await self._platform.renew_token(tenant)

    async def access(self, tenant: Tenant, bundles: Iterable[Bundle]) -> AppAccess:
        granted = await granted_scopes(await self._platform.session(tenant))
        missing = missing_scopes(granted, needed_scopes(tenant.shop, bundles))
        return AppAccess(missing, may_read={*FOR_READING}.isdisjoint(missing))

    async def webhooks(self, tenant: Tenant, path: str) -> WebhookState:
        found = await subscriptions(await self._platform.session(tenant))
        addresses = Counter(subscription.uri for subscription in found if subscription.uri.endswith(path))
        address, topics = next(iter(addresses.most_common(1)), ("", 0))
        granted = await granted_scopes(await self._platform.session(tenant))
        return WebhookState(address, topics, missing_topics(found, address, granted))
