"""The mutations of the Storefront API that create and change carts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.standin.data.carts import Cart, CartLine
from tests.standin.data.gids import gid, parse_gid
from tests.standin.data.shop import Shop
from tests.standin.graph.items import Arguments, Node
from tests.standin.mutations.subjects import number_of
from tests.standin.mutations.user_errors import user_error
from tests.standin.storefront.operations import MERGED
from tests.standin.storefront.prices import is_sold

MOST_LINES = 500


@dataclass
class CartChange:
    """The outcome of a mutation: the cart, or the errors in the arguments."""

    cart: Cart | None
    errors: Sequence[Node] = ()


def find_cart(shop: Shop, cart_id: str) -> Cart | None:
    """Find a cart by its id, which must contain the correct key."""
    named = parse_gid(cart_id)
    path, _, key = cart_id.partition("?key=")
    cart = shop.carts.get(path.rpartition("/")[2])
    return cart if named and named.kind == "Cart" and cart and key == cart.key else None


def create_cart(shop: Shop, arguments: Arguments) -> CartChange:
    given = arguments.get("input") or {}
    cart = Cart(country=(given.get("buyerIdentity") or {}).get("countryCode"))
    cart.attributes.update(_attributes(given.get("attributes")))
    change = _add(shop, cart, given.get("lines") or (), "input", "lines")
    if change.cart:
        shop.carts[cart.token] = cart
    return change


def add_lines(shop: Shop, arguments: Arguments) -> CartChange:
    cart = find_cart(shop, arguments["cartId"])
    return _add(shop, cart, arguments["lines"], "lines") if cart else _unknown()


def update_lines(shop: Shop, arguments: Arguments) -> CartChange:
    """Update the lines of a cart. A quantity of 0 removes a line. Attributes and plans that are not given stay the same."""
    cart = find_cart(shop, arguments["cartId"])
    if cart is None:
        return _unknown()
    lines = [(cart.line(number_of("CartLine", given.get("id"))), given) for given in arguments["lines"]]
    errors = [
        _error("The merchandise line was not found.", "INVALID_MERCHANDISE_LINE", "lines", index, "id")
        for index, (line, _) in enumerate(lines)
        if line is None
    ]
    if errors:
        return CartChange(None, errors)
    for line, given in lines:
        if line is not None:
            _update(cart, line, given)
    return CartChange(cart)


def remove_lines(shop: Shop, arguments: Arguments) -> CartChange:
    """Remove lines from a cart. A merged line is removed together with all of its component lines."""
    cart = find_cart(shop, arguments["cartId"])
    ids = [part for line_id in arguments.get("lineIds") or () for part in _parts(cart, line_id)]
    return update_lines(shop, {"cartId": arguments["cartId"], "lines": [{"id": one, "quantity": 0} for one in ids]})


def _parts(cart: Cart | None, line_id: str) -> list[str]:
    """Return the ids of the lines that make up a merged line, or the id itself when the line is not merged."""
    first = cart.line(number_of("CartLine", line_id.removesuffix(MERGED))) if cart else None
    if cart is None or first is None or not line_id.endswith(MERGED):
        return [line_id]
    bundle = first.attributes["_bundle_data"]
    lines = [line for line in cart.lines if line.attributes.get("_bundle_data") == bundle]
    return [gid("CartLine", line.number) for line in lines if "_bundle_fee" not in line.attributes]


def update_attributes(shop: Shop, arguments: Arguments) -> CartChange:
    """Replace all attributes of a cart."""
    cart = find_cart(shop, arguments["cartId"])
    if cart is None:
        return _unknown()
    cart.attributes = _attributes(arguments["attributes"])
    return CartChange(cart)


def update_buyer(shop: Shop, arguments: Arguments) -> CartChange:
    cart = find_cart(shop, arguments["cartId"])
    if cart is None:
        return _unknown()
    cart.country = arguments["buyerIdentity"].get("countryCode")
    return CartChange(cart)


def _add(shop: Shop, cart: Cart, lines: Sequence[Arguments], *path: str) -> CartChange:
    """Add all lines to a cart, or none."""
    errors = [error for index, given in enumerate(lines) for error in _line_errors(shop, cart, given, (*path, index))]
    if len(cart.lines) + len(lines) > MOST_LINES:
        errors.append(_error("The cart is too large to save.", "CART_TOO_LARGE", *path))
    if errors:
        return CartChange(None, errors)
    for given in lines:
        attributes, plan = _attributes(given.get("attributes")), number_of("SellingPlan", given.get("sellingPlanId"))
        cart.add(CartLine(_variant_number(given), given["quantity"], attributes, plan))
    return CartChange(cart)


def _line_errors(shop: Shop, cart: Cart, given: Arguments, path: tuple[str | int, ...]) -> Iterator[Node]:
    found = shop.variant(_variant_number(given))
    if found is None:
        message = f"The merchandise with id {given['merchandiseId']} does not exist."
        yield _error(message, "INVALID", *path, "merchandiseId")
        return
    product, variant = found
    if not is_sold(shop.market_of(cart.country), product, variant):
        yield _error("Item cannot be purchased as configured.", "MERCHANDISE_NOT_APPLICABLE", *path, "merchandiseId")
    if given["quantity"] < 1:
        yield _error("The quantity must be above 0.", "MINIMUM_NOT_MET", *path, "quantity")
    plan = given.get("sellingPlanId")
    if plan is not None and shop.plan(number_of("SellingPlan", plan), product) is None:
        yield _error("Selling plan is not applicable.", "SELLING_PLAN_NOT_APPLICABLE", *path, "sellingPlanId")
    if plan is None and product.requires_selling_plan:
        message = "Variant can only be purchased with a selling plan."
        yield _error(message, "VARIANT_REQUIRES_SELLING_PLAN", *path, "sellingPlanId")


def _variant_number(given: Arguments) -> int:
    return number_of("ProductVariant", given["merchandiseId"]) or 0


def _update(cart: Cart, line: CartLine, given: Mapping[str, Any]) -> None:
    if given.get("attributes") is not None:
        line.attributes = _attributes(given["attributes"])
    if "sellingPlanId" in given:
        line.plan_id = number_of("SellingPlan", given["sellingPlanId"])
    if given.get("quantity") is not None:
        line.quantity = given["quantity"]
    if line.quantity < 1:
        cart.lines.remove(line)


def _attributes(given: Sequence[Mapping[str, str]] | None) -> dict[str, str]:
    return {each["key"]: each["value"] for each in given or ()}


def _unknown() -> CartChange:
    return CartChange(None, [_error("The specified cart does not exist.", "INVALID", "cartId")])


def _error(message: str, code: str, *path: str | int) -> Node:
    return user_error(message, *path, code=code)
