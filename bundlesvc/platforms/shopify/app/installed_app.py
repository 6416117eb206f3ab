"""The app that connects a shop, as installed in the shop: its access scopes, webhook subscriptions and checkout function."""

from collections import Counter
from collections.abc import Iterable, Sequence

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.live_platform.connection import AppAccess, CheckoutState, WebhookState
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.app import faults
from bundlesvc.platforms.shopify.app.access_scopes import (
    FOR_ORDERS,
    FOR_READING,
    granted_scopes,
    missing_scopes,
    needed_scopes,
)
from bundlesvc.platforms.shopify.app.function.installation import installed_function
from bundlesvc.platforms.shopify.app.webhook_subscriptions import missing_topics, subscriptions
from bundlesvc.platforms.shopify.client.sessions import AdminSessions


class ShopifyAppInspection:
    """Implements the `AppInspection` port with the Admin GraphQL API."""

    def __init__(self, sessions: AdminSessions) -> None:
        self._sessions = sessions

    async def renew_token(self, tenant: Tenant) -> None:
        await self._sessions.renew_token(tenant)

    async def access(self, tenant: Tenant, bundles: Iterable[Bundle]) -> AppAccess:
        session = await self._sessions.open(tenant)
        granted = await granted_scopes(session)
        missing = missing_scopes(granted, needed_scopes(tenant.shop, bundles))
        lacking = [faults.missing_scopes(missing, tenant.shop.handle)] if missing else []
        notes = (
            [faults.orders_not_read(FOR_ORDERS, tenant.shop.handle)] if missing_scopes(granted, [FOR_ORDERS]) else []
        )
        return AppAccess(lacking, {*FOR_READING}.isdisjoint(missing), session.has_old_secret, notes)

    async def webhooks(self, tenant: Tenant, path: str) -> WebhookState:
        found = await subscriptions(await self._sessions.open(tenant))
        addresses = Counter(subscription.uri for subscription in found if subscription.uri.endswith(path))
        address, topics = next(iter(addresses.most_common(1)), ("", 0))
        granted = await granted_scopes(await self._sessions.open(tenant))
        missing = missing_topics(found, address, granted)
        return WebhookState(
            f"webhooks are sent to {address}; topics: {topics}" if address else "",
            [faults.missing_topics(missing, tenant.shop.handle)] if missing else [],
        )

    async def checkout(self, tenant: Tenant, discount_keys: Sequence[str]) -> CheckoutState:
        installed = await installed_function(await self._sessions.open(tenant))
        return faults.checkout_state(installed, tenant.shop.handle, discount_keys)
