"""The choice of the platform that serves a shop."""

import pytest

from bundlesvc.domain.errors import PlatformNotConnected
from bundlesvc.domain.shop import EMBEDDED, SHOPIFY, PlatformLink, Shop, ShopSettings, Tenant
from bundlesvc.platforms.routing import PlatformByKind
from tests.caching.live import LivePlatform


def tenant(kind: str) -> Tenant:
    return Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), PlatformLink(kind, "demo.example"), (), None))


async def test_platform_is_chosen_by_the_kind_of_the_shop() -> None:
    embedded, live = LivePlatform(), LivePlatform()
    live.settings = ShopSettings("USD", "{{amount}}", "lb")
    platform = PlatformByKind({EMBEDDED: embedded, SHOPIFY: live})
    assert await platform.shop(tenant(SHOPIFY)) == live.settings
    assert await platform.shop(tenant(EMBEDDED)) == embedded.settings


async def test_kind_without_a_platform_is_not_connected() -> None:
    platform = PlatformByKind({EMBEDDED: LivePlatform()})
    with pytest.raises(PlatformNotConnected):
        await platform.shop(tenant("of a later version"))
