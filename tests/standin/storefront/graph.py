"""A cart as the Storefront API returns it, after the functions have run."""

from collections.abc import Mapping
from decimal import Decimal

from bundlesvc.domain.money import ZERO
from tests.standin.data.amounts import money
from tests.standin.data.carts import Cart
from tests.standin.data.gids import gid
from tests.standin.graph.items import Items, Node
from tests.standin.storefront.checkout import Checkout
from tests.standin.storefront.inputs import InputLine, attribute_of
from tests.standin.storefront.operations import Charge


def cart_gid(cart: Cart) -> str:
    return f"gid://shopify/Cart/{cart.token}?key={cart.key}"


def cart_node(cart: Cart, checkout: Checkout, url: str) -> Node:
    currency = checkout.currency
    total = money(checkout.total, currency)
    return {
        "__typename": "Cart",
        "id": cart_gid(cart),
        "checkoutUrl": f"{url}/cart/c/{cart.token}",
        "note": "",
        "totalQuantity": sum(charge.line.quantity for charge in checkout.charges),
        "attributes": _attributes(cart.attributes),
        "attribute": attribute_of(cart.attributes),
        "buyerIdentity": {"countryCode": cart.country, "email": None, "phone": None, "customer": None},
        "discountCodes": [],
        "cost": {
            "subtotalAmount": total,
            "totalAmount": total,
            "checkoutChargeAmount": total,
            "subtotalAmountEstimated": False,
            "totalAmountEstimated": True,
        },
        "lines": lambda _: Items([_line_node(charge, currency) for charge in checkout.charges]),
    }


def _line_node(charge: Charge, currency: str) -> Node:
    node = _node(charge.line, charge.full, charge.amount, currency)
    allocations = [] if charge.parts else [_allocation(*off, currency) for off in charge.off]
    if not charge.parts:
        return {**node, "__typename": "CartLine", "discountAllocations": allocations}
    components = [
        {**_node(part, part.amount, part.amount, currency), "__typename": "CartLine", "discountAllocations": []}
        for part in charge.parts
    ]
    return {**node, "__typename": "ComponentizableCartLine", "discountAllocations": [], "lineComponents": components}


def _node(line: InputLine, full: Decimal, amount: Decimal, currency: str) -> Node:
    return {
        "id": line.id,
        "quantity": line.quantity,
        "attributes": _attributes(line.attributes),
        "attribute": attribute_of(line.attributes),
        "cost": {
            "amountPerQuantity": money(amount / line.quantity if line.quantity else ZERO, currency),
            "compareAtAmountPerQuantity": None if line.compare_at is None else money(line.compare_at, currency),
            "subtotalAmount": money(full, currency),
            "totalAmount": money(amount, currency),
        },
        "merchandise": {
            "__typename": "ProductVariant",
            "id": gid("ProductVariant", line.variant.id),
            "title": line.variant.title,
            "sku": line.variant.sku,
            "price": money(line.unit_price, currency),
            "product": {
                "id": gid("Product", line.product.id),
                "title": line.product.title,
                "handle": line.product.handle,
            },
        },
        "sellingPlanAllocation": line.plan
        and {
            "sellingPlan": {"id": gid("SellingPlan", line.plan.id), "name": line.plan.name},
            "checkoutChargeAmount": money(line.amount, currency),
        },
    }


def _allocation(message: str, amount: Decimal, currency: str) -> Node:
    return {
        "__typename": "CartAutomaticDiscountAllocation",
        "title": message,
        "targetType": "LINE_ITEM",
        "discountedAmount": money(amount, currency),
    }


def _attributes(attributes: Mapping[str, str]) -> list[Node]:
    return [{"key": key, "value": value} for key, value in attributes.items()]
