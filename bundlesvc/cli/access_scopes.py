"""Whether the app that a shop is connected with may do all that the shop's bundles need."""

from collections.abc import Iterable, Sequence

from bundlesvc.domain.bundle import NATIVE, Bundle
from bundlesvc.domain.shop import SUBSCRIPTIONS, Tenant
from bundlesvc.platforms.shopify.access_scopes import (
    FOR_GHOSTS,
    FOR_READING,
    FOR_SELLING_PLANS,
    granted_scopes,
    missing_scopes,
)
from bundlesvc.platforms.shopify.platform import ShopifyPlatform


async def lacking_scopes(tenant: Tenant, bundles: Iterable[Bundle], platform: ShopifyPlatform) -> Sequence[str]:
    """The access scopes that are needed and were not granted."""
    granted = await granted_scopes(await platform.inquiry(tenant))
    ghosts = [FOR_GHOSTS] if any(bundle.type != NATIVE for bundle in bundles) else []
    plans = [FOR_SELLING_PLANS] if tenant.shop.has(SUBSCRIPTIONS) else []
    return missing_scopes(granted, [*FOR_READING, *ghosts, *plans])


def lacking_sentence(lacking: Sequence[str], handle: str) -> str:
    """What is wrong, and how to mend it."""
    scopes = "access scope" if len(lacking) == 1 else "access scopes"
    return (
        f"the app lacks the {scopes} {', '.join(lacking)}. Add what is missing to the app, approve it in the shop, and "
        f"connect again: bundlesvc platform connect --shop {handle}"
    )
