"""The checks of a shop on Vendure, for `doctor` and `platform check`."""

from collections.abc import Iterable, Sequence

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.live_platform.connection import AppAccess, CheckoutState, WebhookState
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.calls.call_errors import Denied
from bundlesvc.platforms.calls.concurrent_calls import gather_all
from bundlesvc.platforms.vendure.access import ACCESS, channel_faults, readable_channels
from bundlesvc.platforms.vendure.checkout_plugin import checkout_state, installed_plugin
from bundlesvc.platforms.vendure.platform import VendurePlatform
from bundlesvc.platforms.vendure.plugin_webhooks import order_faults, webhook_faults, webhook_sentence


class VendureInspection:
    """Implements the `AppInspection` port with the Admin GraphQL API."""

    def __init__(self, platform: VendurePlatform) -> None:
        self._platform = platform

    async def renew_token(self, tenant: Tenant) -> None:
        """Do nothing, because Vendure's keys are not renewed."""

    async def access(self, tenant: Tenant, bundles: Iterable[Bundle]) -> AppAccess:
        session, link = await self._platform.session(tenant), tenant.shop.platform
        by_channel = await gather_all(
            channel_faults(session, link, token, tenant.shop.handle) for token in link.channels
        )
        may_read = all(fault.code != ACCESS for fault in by_channel[0])
        has_old_secret = bool(session.connection.previous_secret)
        return AppAccess([fault for faults in by_channel for fault in faults], may_read, has_old_secret)

    async def webhooks(self, tenant: Tenant, path: str) -> WebhookState:
        """Check the webhooks of the plugin. A missing plugin is reported by `checkout`, not here."""
        session = await self._platform.session(tenant)
        try:
            installed = await installed_plugin(session)
        except Denied:
            installed = None
        if installed is None:
            return WebhookState()
        faults = [*webhook_faults(installed.webhooks, path, session.connection, self._platform.now())]
        faults += await order_faults(session, tenant.shop.platform)
        return WebhookState(webhook_sentence(installed.webhooks), faults)

    async def checkout(self, tenant: Tenant, discount_keys: Sequence[str]) -> CheckoutState:
        session = await self._platform.session(tenant)
        channels = await readable_channels(session, tenant.shop.platform.channels)
        return await checkout_state(session, channels, discount_keys)
