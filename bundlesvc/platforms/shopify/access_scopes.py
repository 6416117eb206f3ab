"""What the shop lets our app do."""

from collections.abc import Collection, Iterable

from bundlesvc.platforms.shopify.inquiry import Inquiry

FOR_READING = ("read_products", "read_inventory", "read_markets", "read_publications")
"""What every shop needs."""
FOR_GHOSTS = "write_products"
FOR_SELLING_PLANS = "read_own_subscription_contracts"
FOR_PURCHASES = "read_orders"
"""Which ghost variants were bought; without it nobody knows."""


async def granted_scopes(inquiry: Inquiry) -> frozenset[str]:
    """The access scopes of the token that the question is asked with."""
    data = await inquiry.run("access_scopes")
    with inquiry.reading():
        return frozenset(scope["handle"] for scope in data["currentAppInstallation"]["accessScopes"])


def missing_scopes(granted: Collection[str], needed: Iterable[str]) -> list[str]:
    """Those that are not granted; who may write may read."""
    return [scope for scope in needed if not {scope, scope.replace("read_", "write_", 1)}.intersection(granted)]
