"""The access scopes that this service needs, and those that the shop has granted to the app."""

from collections.abc import Collection, Iterable

from bundlesvc.domain.bundle import NATIVE, Bundle
from bundlesvc.domain.shop import SUBSCRIPTIONS, Shop
from bundlesvc.platforms.shopify.admin_session import AdminSession

FOR_READING = ("read_products", "read_inventory", "read_markets", "read_publications")
"""Needed for every shop."""
FOR_GHOSTS = "write_products"
FOR_SELLING_PLANS = "read_own_subscription_contracts"
FOR_PURCHASES = "read_orders"
"""Optional: shows which ghost variants were bought."""


async def granted_scopes(session: AdminSession) -> frozenset[str]:
    """The access scopes of the token that the session uses."""
    data = await session.run("access_scopes")
    with session.reading():
        return frozenset(scope["handle"] for scope in data["currentAppInstallation"]["accessScopes"])


def needed_scopes(shop: Shop, bundles: Iterable[Bundle]) -> list[str]:
    """The access scopes without which this shop's bundles do not work."""
    ghosts = [FOR_GHOSTS] if any(bundle.type != NATIVE for bundle in bundles) else []
    plans = [FOR_SELLING_PLANS] if shop.has(SUBSCRIPTIONS) else []
    return [*FOR_READING, *ghosts, *plans]


def missing_scopes(granted: Collection[str], needed: Iterable[str]) -> list[str]:
    """The needed scopes that are not granted. A write scope includes its read scope."""
    return [scope for scope in needed if not {scope, scope.replace("read_", "write_", 1)}.intersection(granted)]
