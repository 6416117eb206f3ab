"""Reads the installation state of a shop's checkout function."""

import re
from collections.abc import Mapping, Sequence

import orjson

from bundlesvc.domain.checkout.checkout_function import (
    CART_TRANSFORM,
    DISCOUNT,
    FunctionConfig,
    InstalledFunction,
    InstalledPart,
)
from bundlesvc.platforms.calls.http import Json
from bundlesvc.platforms.shopify.app.access_scopes import FOR_FUNCTION_STATE, granted_scopes, missing_scopes
from bundlesvc.platforms.shopify.app.function import package
from bundlesvc.platforms.shopify.client.admin_session import AdminSession

_VERSION = re.compile(r"\bbundlesvc (?P<version>\S+)")


async def installed_function(session: AdminSession) -> InstalledFunction:
    """Read the installation state of the checkout function in a shop. If the app lacks access scopes for reading the state,
    return the missing scopes instead."""
    missing = missing_scopes(await granted_scopes(session), FOR_FUNCTION_STATE)
    if missing:
        return InstalledFunction(package.version(), missing_scopes=missing)
    return InstalledFunction(package.version(), (await FunctionState.read(session)).parts)


class FunctionState:
    """The checkout function as deployed in a shop: the service's functions by target, and the cart transform and discount that
    run them."""

    def __init__(self, functions: Mapping[str, Json], transforms: Sequence[Json], discounts: Sequence[Json]) -> None:
        self.functions = {target: functions.get(handle) for target, handle in package.handles().items()}
        merge, discount = self._id_of(package.TRANSFORM_TARGET), self._id_of(package.DISCOUNT_TARGET)
        self.transform = next((one for one in transforms if one["functionId"] == merge), None)
        own = [one for one in discounts if discount and _function_of(one) == discount]
        active = [one for one in own if _is_active(one)]
        self.discount = next(iter([*active, *own]), None)
        self._copies = len(active)
        self.parts = self._parts()

    @classmethod
    async def read(cls, session: AdminSession) -> "FunctionState":
        data = await session.run("checkout_functions")
        discounts = await session.all_nodes("automatic_discounts", "discountNodes")  # including those that have ended
        with session.reading():
            functions = {one["handle"]: one for one in data["shopifyFunctions"]["nodes"]}
            return cls(functions, data["cartTransforms"]["nodes"], discounts)

    def _parts(self) -> list[InstalledPart]:
        transform, discount = self.transform, self.discount
        return [
            InstalledPart(
                CART_TRANSFORM,
                self._version(package.TRANSFORM_TARGET),
                transform is not None,
                config_of(transform),
                None if transform is None else bool(transform["blockOnFailure"]),
            ),
            InstalledPart(
                DISCOUNT,
                self._version(package.DISCOUNT_TARGET),
                self._copies > 0,
                config_of(discount),
                copies=self._copies,
            ),
        ]

    @property
    def undeployed(self) -> list[str]:
        """The handles of the functions that are not deployed with the app."""
        return [package.handles()[target] for target, function in self.functions.items() if function is None]

    def _id_of(self, target: str) -> str | None:
        function = self.functions.get(target)
        return None if function is None else str(function["id"])

    def _version(self, target: str) -> str | None:
        function = self.functions.get(target)
        if function is None:
            return None
        found = _VERSION.search(function["description"] or "")
        return found["version"] if found else ""


def _is_active(discount: Json) -> bool:
    return bool(discount["discount"]["status"] == "ACTIVE")


def _function_of(discount: Json) -> str | None:
    """Return the id of the function that a discount runs; None for one of the platform's built-in discounts."""
    kind = discount["discount"].get("appDiscountType")
    return str(kind["functionId"]) if kind else None


def config_of(owner: Json | None) -> FunctionConfig | None:
    """Read the configuration from the metafield of a cart transform or discount. Returns None when it is missing or
    unreadable."""
    metafield = owner and owner["metafield"]
    if not metafield:
        return None
    try:
        content = orjson.loads(metafield["value"])
        keys = tuple(str(key) for key in content["keys"])
        return FunctionConfig(str(content["shop"]), keys, content.get("maxAgeDays"))
    except (orjson.JSONDecodeError, LookupError, TypeError, AttributeError):
        return None
