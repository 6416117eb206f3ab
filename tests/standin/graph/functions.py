"""Functions, cart transforms and the app's automatic discounts."""

from collections.abc import Callable

from tests.standin.data.functions import AutomaticDiscount, CartTransform, Function, Metafields, namespace_of
from tests.standin.data.gids import gid
from tests.standin.data.shop import Shop
from tests.standin.graph.items import Arguments, Items, Node

APP_TITLE = "The stand-in's app"
EVERY_CLASS = ("ORDER", "PRODUCT", "SHIPPING")


def function_node(function: Function) -> Node:
    return {
        "__typename": "ShopifyFunction",
        "id": function.id,
        "handle": function.handle,
        "title": function.title,
        "description": function.description,
        "apiType": function.api_type,
        "apiVersion": function.api_version,
        "appKey": APP_TITLE,
        "inputQuery": function.targets[0].input_query,
        "useCreationUi": False,
    }


def functions(shop: Shop, arguments: Arguments) -> Items:
    kind = arguments.get("apiType")
    return Items([one for one in shop.functions.deployed if kind in (None, one.api_type)], function_node)


def cart_transform_node(transform: CartTransform) -> Node:
    return {
        "__typename": "CartTransform",
        "id": gid("CartTransform", transform.id),
        "functionId": transform.function_id,
        "blockOnFailure": transform.block_on_failure,
        "metafield": _metafield_of(transform.metafields),
    }


def cart_transforms(shop: Shop) -> Items:
    return Items(shop.functions.cart_transforms, cart_transform_node)


def discount_node(shop: Shop, discount: AutomaticDiscount) -> Node:
    return {
        "__typename": "DiscountNode",
        "id": gid("DiscountAutomaticNode", discount.id),
        "discount": lambda _: automatic_discount_node(shop, discount),
        "metafield": _metafield_of(discount.metafields),
    }


def discounts(shop: Shop, arguments: Arguments) -> Items:
    """List the discounts, which here are all automatic discounts of the app. The search supports `type:` and `method:`."""
    terms = dict(term.split(":", 1) for term in (arguments.get("query") or "").split(" AND ") if term)
    matches = terms.get("type", "app") in ("app", "all_with_app") and terms.get("method", "automatic") == "automatic"
    return Items(shop.functions.discounts if matches else [], lambda discount: discount_node(shop, discount))


def automatic_discount_node(shop: Shop, discount: AutomaticDiscount) -> Node:
    return {
        "__typename": "DiscountAutomaticApp",
        "discountId": gid("DiscountAutomaticNode", discount.id),
        "title": discount.title,
        "status": discount.status,
        "startsAt": discount.starts_at,
        "endsAt": discount.ends_at,
        "discountClasses": list(discount.classes),
        "appliesOnOneTimePurchase": discount.one_time,
        "appliesOnSubscription": discount.subscription,
        "recurringCycleLimit": discount.cycle_limit,
        "combinesWith": {f"{name.lower()}Discounts": name in discount.combines_with for name in EVERY_CLASS},
        "appDiscountType": lambda _: _app_discount_type(shop, discount),
    }


def _app_discount_type(shop: Shop, discount: AutomaticDiscount) -> Node:
    function = shop.functions.function(id_=discount.function_id)
    return {
        "functionId": discount.function_id,
        "appKey": APP_TITLE,
        "title": function.title if function else "",
        "description": function.description if function else None,
        "discountClasses": list(discount.classes),
    }


def _metafield_of(metafields: Metafields) -> Callable[[Arguments], Node | None]:
    def metafield(arguments: Arguments) -> Node | None:
        return metafield_node(metafields, namespace_of(arguments.get("namespace")), arguments["key"])

    return metafield


def metafield_node(metafields: Metafields, namespace: str, key: str) -> Node | None:
    found = metafields.get((namespace, key))
    return (
        None
        if found is None
        else {
            "__typename": "Metafield",
            "id": gid("Metafield", found.id),
            "namespace": namespace,
            "key": key,
            "type": found.type,
            "value": found.value,
            "sizeInBytes": len(found.value.encode()),
        }
    )
