"""Access scopes: those that the service needs from an app, and those granted to the app's token."""

from collections.abc import Collection, Iterable

from bundlesvc.domain.bundle import NATIVE, Bundle
from bundlesvc.domain.live_platform.platform_change import CONTRACT, ORDER
from bundlesvc.domain.shop import SUBSCRIPTIONS, TRANSLATIONS, Shop
from bundlesvc.platforms.shopify.client.admin_session import AdminSession

FOR_READING = ("read_products", "read_inventory", "read_markets", "read_publications")
"""The access scopes that every shop needs."""
FOR_GHOSTS = "write_products"
FOR_SELLING_PLANS = "read_own_subscription_contracts"
FOR_TRANSLATIONS = ("read_locales", "read_translations")
FOR_ORDERS = "read_orders"
"""The optional access scope for orders, which also shows when ghost variants were bought."""
FOR_NOTICES = {ORDER: FOR_ORDERS, CONTRACT: FOR_SELLING_PLANS}
"""The access scope for reading each kind of object that webhooks name. Every kind also needs the scope for orders."""
FOR_FUNCTION_STATE = ("read_cart_transforms", "read_discounts")
FOR_FUNCTION = ("write_cart_transforms", "write_discounts")
"""The access scopes for inspecting and activating the checkout function."""


async def granted_scopes(session: AdminSession) -> frozenset[str]:
    """Fetch the access scopes of the session's token."""
    data = await session.run("access_scopes")
    with session.reading():
        return frozenset(scope["handle"] for scope in data["currentAppInstallation"]["accessScopes"])


def needed_scopes(shop: Shop, bundles: Iterable[Bundle]) -> list[str]:
    """Return the access scopes without which this shop's bundles do not work."""
    ghosts = [FOR_GHOSTS] if any(bundle.type != NATIVE for bundle in bundles) else []
    plans = [FOR_SELLING_PLANS] if shop.has(SUBSCRIPTIONS) else []
    translations = FOR_TRANSLATIONS if shop.has(TRANSLATIONS) else ()
    return [*FOR_READING, *ghosts, *plans, *translations]


def missing_scopes(granted: Collection[str], needed: Iterable[str]) -> list[str]:
    """Return the needed scopes that are not granted. A write scope includes the read scope of the same resource."""
    return [scope for scope in needed if not {scope, scope.replace("read_", "write_", 1)}.intersection(granted)]
