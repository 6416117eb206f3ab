"""Answers the `discountAutomaticAppCreate` and `discountAutomaticAppUpdate` mutations like the platform."""

from collections.abc import Iterator, Sequence

from tests.standin.data.functions import DISCOUNT, AutomaticDiscount, Function
from tests.standin.data.shop import Shop
from tests.standin.graph.functions import EVERY_CLASS, automatic_discount_node
from tests.standin.graph.items import Arguments, Node
from tests.standin.mutations.metafields import created_metafields, metafield_errors
from tests.standin.mutations.subjects import number_of
from tests.standin.mutations.user_errors import user_error

INPUT = "automaticAppDiscount"
MOST_ACTIVE = 25


def create_discount(shop: Shop, arguments: Arguments) -> Node:
    given = arguments[INPUT]
    errors = list(_create_errors(shop, given))
    function = _function(shop, given)
    if errors or function is None:
        return _refused(errors)
    made = AutomaticDiscount(shop.new_id(), function.id, given["title"], given["startsAt"])
    _apply(made, given)
    shop.functions.discounts.append(made)
    return {INPUT: automatic_discount_node(shop, made), "userErrors": []}


def update_discount(shop: Shop, arguments: Arguments) -> Node:
    """Update a discount. A field that is not given keeps its value, unless the schema has a default for the field."""
    given, number = arguments[INPUT], number_of("DiscountAutomaticNode", arguments["id"])
    found = next((one for one in shop.functions.discounts if one.id == number), None)
    if found is None:
        return _refused([user_error("Discount does not exist", "id", code="INVALID")])
    errors = list(_update_errors(shop, given, found))
    if errors:
        return _refused(errors)
    _apply(found, given)
    return {INPUT: automatic_discount_node(shop, found), "userErrors": []}


def _apply(discount: AutomaticDiscount, given: Arguments) -> None:
    discount.title = given.get("title") or discount.title
    discount.starts_at = given.get("startsAt") or discount.starts_at
    discount.ends_at = given.get("endsAt", discount.ends_at)
    discount.classes = tuple(given.get("discountClasses") or discount.classes)
    combined = given.get("combinesWith")
    if combined is not None:
        discount.combines_with = frozenset(name for name in EVERY_CLASS if combined.get(f"{name.lower()}Discounts"))
    discount.one_time, discount.subscription = given["appliesOnOneTimePurchase"], given["appliesOnSubscription"]
    discount.cycle_limit = given["recurringCycleLimit"]
    discount.metafields = created_metafields(given["metafields"], discount.metafields)


def _create_errors(shop: Shop, given: Arguments) -> Iterator[Node]:
    yield from _function_errors(shop, given)
    for name, label in (("title", "Title"), ("startsAt", "Starts at")):
        if not given.get(name):
            yield user_error(f"{label} can't be blank.", INPUT, name, code="BLANK")
    active = sum(one.ends_at is None for one in shop.functions.discounts)
    if active >= MOST_ACTIVE:
        message = f"The active period overlaps with other automatic discounts. Only {MOST_ACTIVE} can be active."
        yield user_error(message, INPUT, code="ACTIVE_PERIOD_OVERLAP")
    yield from _common_errors(shop, given, None)


def _update_errors(shop: Shop, given: Arguments, discount: AutomaticDiscount) -> Iterator[Node]:
    if given.get("functionHandle") or given.get("functionId"):
        yield from _function_errors(shop, given)
    yield from _common_errors(shop, given, discount)


def _common_errors(shop: Shop, given: Arguments, own: AutomaticDiscount | None) -> Iterator[Node]:
    others: Sequence[AutomaticDiscount] = [one for one in shop.functions.discounts if one is not own]
    if any(one.title == given.get("title") for one in others):
        yield user_error("Title must be unique for automatic discount", INPUT, "title", code="TAKEN")
    if not given["appliesOnOneTimePurchase"] and not given["appliesOnSubscription"]:
        message = "A discount cannot have both appliesOnOneTimePurchase and appliesOnSubscription set to false."
        yield user_error(message, INPUT, code="APPLIES_ON_NOTHING")
    if not given["appliesOnSubscription"] and given["recurringCycleLimit"] != 1:
        message = "Recurring cycle limit must be 1 when discount does not apply to subscription items."
        code = "MULTIPLE_RECURRING_CYCLE_LIMIT_FOR_NON_SUBSCRIPTION_ITEMS"
        yield user_error(message, INPUT, "recurringCycleLimit", code=code)
    for error in metafield_errors(given["metafields"], INPUT, "metafields"):
        yield {**error, "code": "INVALID"}


def _function_errors(shop: Shop, given: Arguments) -> Iterator[Node]:
    handle, id_ = given.get("functionHandle"), given.get("functionId")
    if not handle and not id_:
        message = "Either function ID or function handle must be provided."
        yield user_error(message, INPUT, code="MISSING_FUNCTION_IDENTIFIER")
    elif handle and id_:
        message = "Only one of function ID or function handle is allowed."
        yield user_error(message, INPUT, code="MULTIPLE_FUNCTION_IDENTIFIERS")
    elif _function(shop, given) is None:
        message = f"Function {handle or id_} not found. Ensure that it is released in the current version of the app."
        yield user_error(message, INPUT, "functionHandle" if handle else "functionId", code="INVALID")


def _function(shop: Shop, given: Arguments) -> Function | None:
    found = shop.functions.function(given.get("functionHandle"), given.get("functionId"))
    return found if found and found.api_type == DISCOUNT else None


def _refused(errors: Sequence[Node]) -> Node:
    return {INPUT: None, "userErrors": list(errors)}
