"""Activates the checkout function in a shop: creates or updates the cart transform and the automatic discount that run the
deployed function. The function is deployed with the platform's command line tool."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import orjson

from bundlesvc.domain.checkout.checkout_function import CART_TRANSFORM, DISCOUNT, FunctionConfig
from bundlesvc.platforms.calls.http import Json
from bundlesvc.platforms.shopify.app.access_scopes import FOR_FUNCTION, granted_scopes, missing_scopes
from bundlesvc.platforms.shopify.app.function import package
from bundlesvc.platforms.shopify.app.function.installation import FunctionState, config_of
from bundlesvc.platforms.shopify.client.admin_session import AdminSession

CREATED, UPDATED, UNCHANGED = "created", "updated", "unchanged"

TITLE = "Bundle discount"
"""The discount title that shoppers see next to a line. A merchant can change it."""

_METAFIELD = {"namespace": "$app:bundles", "key": "config", "type": "json"}
_EVERY_CYCLE = 0


class ActivationRefused(Exception):
    """The shop refuses the activation, or the app lacks a scope or the deployed function. The message gives the reason and, where
    known, the remedy."""


async def activate(
    session: AdminSession, config: FunctionConfig, now: float, *, block_on_failure: bool | None = None
) -> Mapping[str, str]:
    """Make the cart transform and the discount run the deployed function with this configuration. Returns CREATED, UPDATED or
    UNCHANGED for each part, by name. Settings that are None keep their values. `now` is in seconds since 1970. Raises
    ActivationRefused."""
    missing = missing_scopes(await granted_scopes(session), FOR_FUNCTION)
    if missing:
        noun = "access scope" if len(missing) == 1 else "access scopes"
        raise ActivationRefused(f"the app lacks the {noun} {', '.join(missing)}: add them, and connect the shop again.")
    state = await FunctionState.read(session)
    if state.undeployed:
        raise ActivationRefused(
            f"the app has no function {', '.join(state.undeployed)}: export the extension with `bundlesvc platform function "
            "export`, deploy it with the platform's command line tool, and activate it then."
        )
    return {
        CART_TRANSFORM: await _activate_transform(session, state, config, block_on_failure=block_on_failure),
        DISCOUNT: await _activate_discount(session, state, config, now),
    }


async def _activate_transform(
    session: AdminSession, state: FunctionState, config: FunctionConfig, *, block_on_failure: bool | None
) -> str:
    existing = state.transform
    if existing is None:
        await _create_transform(session, config, block_on_failure=bool(block_on_failure))
        return CREATED
    wanted = _with_settings(config, config_of(existing))
    if block_on_failure not in (None, existing["blockOnFailure"]):  # the platform cannot change this field
        await _run(session, "delete_cart_transform", "cartTransformDelete", id=existing["id"])
        await _create_transform(session, wanted, block_on_failure=bool(block_on_failure))
        return UPDATED
    if config_of(existing) == wanted:
        return UNCHANGED
    metafield = {**_metafield(wanted), "ownerId": existing["id"]}
    await _run(session, "set_metafields", "metafieldsSet", metafields=[metafield])
    return UPDATED


async def _create_transform(session: AdminSession, config: FunctionConfig, *, block_on_failure: bool) -> None:
    handle = package.handles()[package.TRANSFORM_TARGET]
    variables = {"handle": handle, "blockOnFailure": block_on_failure, "metafields": [_metafield(config)]}
    await _run(session, "create_cart_transform", "cartTransformCreate", **variables)


async def _activate_discount(session: AdminSession, state: FunctionState, config: FunctionConfig, now: float) -> str:
    existing = state.discount
    if existing is None:
        await _run(
            session, "create_automatic_discount", "discountAutomaticAppCreate", discount=_new_discount(config, now)
        )
        return CREATED
    wanted = _with_settings(config, config_of(existing))
    if config_of(existing) == wanted and existing["discount"]["status"] == "ACTIVE":
        return UNCHANGED
    starts = {"startsAt": _time(now)} if existing["discount"]["status"] == "SCHEDULED" else {}
    changes = {**starts, "endsAt": None, "recurringCycleLimit": _EVERY_CYCLE, "metafields": [_metafield(wanted)]}
    name = "discountAutomaticAppUpdate"
    await _run(session, "update_automatic_discount", name, id=existing["id"], discount=changes)
    return UPDATED


def _new_discount(config: FunctionConfig, now: float) -> Json:
    """Build the automatic discount to create. It applies to every delivery of a subscription, and combines with the shop's own
    discounts."""
    return {
        "title": TITLE,
        "functionHandle": package.handles()[package.DISCOUNT_TARGET],
        "startsAt": _time(now),
        "discountClasses": ["PRODUCT"],
        "combinesWith": {"orderDiscounts": True, "productDiscounts": True, "shippingDiscounts": True},
        "recurringCycleLimit": _EVERY_CYCLE,
        "metafields": [_metafield(config)],
    }


def _time(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")


async def _run(session: AdminSession, document: str, field: str, **variables: Any) -> None:
    data = await session.run(document, **variables)
    with session.reading():
        errors = [error["message"].rstrip(".") for error in data[field]["userErrors"]]
    if errors:
        raise ActivationRefused(f"{field}: {'; '.join(errors)}.")


def _metafield(config: FunctionConfig) -> Json:
    content = {"shop": config.shop, "keys": list(config.keys)}
    age = {} if config.max_age_days is None else {"maxAgeDays": config.max_age_days}
    return {**_METAFIELD, "value": orjson.dumps(content | age).decode()}


def _with_settings(config: FunctionConfig, existing: FunctionConfig | None) -> FunctionConfig:
    """Return `config`, with the maximum age of `existing` if `config` sets none."""
    if existing is None or config.max_age_days is not None:
        return config
    return replace(config, max_age_days=existing.max_age_days)
