"""What `doctor` and `platform check` find out about a shop on Vendure."""

from collections.abc import Iterable, Sequence

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.live_platform.connection import AppAccess, CheckoutState, WebhookState
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.calls.together import gather_all
from bundlesvc.platforms.vendure.access import ACCESS, channel_faults, readable_channels
from bundlesvc.platforms.vendure.checkout_plugin import checkout_state
from bundlesvc.platforms.vendure.platform import VendurePlatform


class VendureInspection:
    """The port `AppInspection` over the Admin GraphQL API."""

    def __init__(self, platform: VendurePlatform) -> None:
        self._platform = platform

    async def renew_token(self, tenant: Tenant) -> None:
        """Do nothing, because keys of Vendure are not renewed."""

    async def access(self, tenant: Tenant, bundles: Iterable[Bundle]) -> AppAccess:
        session, link = await self._platform.session(tenant), tenant.shop.platform
        by_channel = await gather_all(
            channel_faults(session, link, token, tenant.shop.handle) for token in link.channels
        )
        may_read = all(fault.code != ACCESS for fault in by_channel[0])
        return AppAccess([fault for faults in by_channel for fault in faults], may_read)

    async def webhooks(self, tenant: Tenant, path: str) -> WebhookState:
        """Return no topics, because Vendure itself sends no webhooks."""
        return WebhookState("", 0, ())

    async def checkout(self, tenant: Tenant, discount_keys: Sequence[str]) -> CheckoutState:
        session = await self._platform.session(tenant)
        channels = await readable_channels(session, tenant.shop.platform.channels)
        return await checkout_state(session, channels, discount_keys)
