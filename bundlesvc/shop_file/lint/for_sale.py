"""Checks whether a bundle can be bought: its required parts, its stock, and its products in each market.

The products of a live platform are unknown here, so `doctor` checks them instead.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from bundlesvc.domain.bundle import DISABLED, NATIVE
from bundlesvc.domain.checkout.market_dependence import has_market_rules
from bundlesvc.domain.conditions.action_types import BLOCK_CART, FREE_ITEM
from bundlesvc.domain.product import ACTIVE, Product
from bundlesvc.domain.shop import SUBSCRIPTIONS, Market
from bundlesvc.domain.subscription import requires_subscription
from bundlesvc.shop_file.lint.findings import ERROR, Code, Remark, error, error_if, warning
from bundlesvc.shop_file.lint.reasoning import Cause, Requirement, requirements_of
from bundlesvc.shop_file.lint.subject import Subject, counted
from bundlesvc.shop_file.tree import quoted


def check_completeness(subject: Subject) -> Iterator[Remark]:
    """Check that a bundle has every part that it needs to be sold, regardless of stock."""
    if subject.bundle.published:  # a draft may be unfinished
        yield from _bundle_without_product(subject)
        yield from _nothing_offered(subject)
    yield from _subscription_without_options(subject)
    yield from _field_without_options(subject)


def _bundle_without_product(subject: Subject) -> Iterator[Remark]:
    bundle = subject.bundle
    if bundle.product_id is None:
        message = "The bundle has no product on the platform, so it cannot go into a cart."
        yield error(Code.BUNDLE_WITHOUT_PRODUCT, subject.path, message)
    elif bundle.type == NATIVE and bundle.parent_variant_id is None:
        message = "The bundle is native but has no parent variant, so it cannot go into a cart."
        yield error(Code.BUNDLE_WITHOUT_PRODUCT, subject.path, message)


def _nothing_offered(subject: Subject) -> Iterator[Remark]:
    if not subject.all_offers.within(None):
        message = "The bundle offers nothing: no section has a product, and none is required."
        yield error(Code.NOTHING_OFFERED, subject.path, message)


def _subscription_without_options(subject: Subject) -> Iterator[Remark]:
    program, shop = subject.bundle.subscription, subject.shop
    if program.mode == DISABLED or not shop.has(SUBSCRIPTIONS) or any(group.options for group in program.groups):
        return
    required = requires_subscription(shop, subject.bundle)
    message = "The subscription has no options"
    message += ", and the bundle is sold by subscription only." if required else ", so the bundle is only sold once."
    yield error_if(required, Code.SUBSCRIPTION_WITHOUT_OPTIONS, subject.at("subscription"), message)


def _field_without_options(subject: Subject) -> Iterator[Remark]:
    required = {required.product_id for required in subject.bundle.required_products}
    for product_id, place in subject.unanswerable.items():
        message = f"An answer is required but there are no options, so nobody can buy product {product_id}"
        message += ", which is required." if product_id in required else "."
        path = subject.at("personalisation", str(product_id), place)
        yield error_if(product_id in required, Code.FIELD_WITHOUT_OPTIONS, path, message)


def check_stock(subject: Subject) -> Iterator[Remark]:
    """Check for products that are not ACTIVE or not in stock. The bundle as a whole is reported only when no finding about one of
    its parts explains the problem."""
    yield from _bundle_product_not_active(subject)
    yield from _free_item_unavailable(subject)
    required = list(_required_not_for_sale(subject))
    yield from required
    if subject.is_possible:
        sections = list(_section_out_of_stock(subject))
        yield from sections
        if not required and not any(found.severity == ERROR for found in sections):
            yield from _bundle_out_of_stock(subject)
    if subject.can_be_bought:
        yield from _section_sells_nothing(subject)


def _bundle_product_not_active(subject: Subject) -> Iterator[Remark]:
    """Report a bundle's own product if it is not ACTIVE, because the cart contains a variant of this product. For a native
    bundle, the cart contains the chosen variants instead, so this is only a warning."""
    bundle = subject.bundle
    product = subject.catalogue.products.get(bundle.product_id) if bundle.product_id else None
    if product and product.status != ACTIVE:
        message = f"The bundle's own product {_name(product)} is {product.status}, so it is not for sale."
        path = subject.at("platformProductId")
        yield error_if(bundle.type != NATIVE, Code.BUNDLE_PRODUCT_NOT_ACTIVE, path, message)


def _free_item_unavailable(subject: Subject) -> Iterator[Remark]:
    for node in subject.actions(FREE_ITEM):
        if not subject.catalogue.stock(subject.catalogue.choice_of(int(node["variantId"]))):
            message = f"The free item, variant {node['variantId']}, is sold out or its product is not ACTIVE."
            yield warning(Code.FREE_ITEM_UNAVAILABLE, subject.at_node(node), message)


def _required_not_for_sale(subject: Subject) -> Iterator[Remark]:
    for need in requirements_of(subject.bundle, subject.catalogue):
        product = subject.catalogue.products[need.product_id]
        path = subject.at("requiredProducts", need.place)
        stock = sum(map(subject.catalogue.stock, need.choices))
        if product.status != ACTIVE:
            message = f"Product {_name(product)} is required but is {product.status}."
            yield error(Code.REQUIRED_NOT_ACTIVE, path, message)
        elif stock < need.quantity and not _is_forbidden(subject, need):
            available = f"only {counted(stock, 'unit')} for sale" if need.choices else "no variant"
            message = (
                f"The bundle requires {counted(need.quantity, 'unit')} of {_name(product)}, which has {available}."
            )
            yield error(Code.REQUIRED_OUT_OF_STOCK, path, message)


def _is_forbidden(subject: Subject, need: Requirement) -> bool:
    """Whether the rules already forbid the required product. If so, `required-out-of-bounds` reports the product."""
    return bool(need.choices) and need in subject.by_terms.unmet


def _section_out_of_stock(subject: Subject) -> Iterator[Remark]:
    for section_id, now in subject.in_stock.sections.items():
        if now.cause and not subject.by_terms.sections[section_id].cause:
            message = f"What is ACTIVE and in stock does not meet the rules of {subject.section_name(section_id)}"
            message += _shortage(subject, section_id)
            path = subject.at_section(section_id)
            yield error_if(section_id not in subject.terms.hideable, Code.SECTION_OUT_OF_STOCK, path, message)


def _bundle_out_of_stock(subject: Subject) -> Iterator[Remark]:
    if subject.in_stock.whole.cause:
        message = "No selection of what is ACTIVE and in stock meets the rules of the bundle" + _shortage(subject, None)
        yield error(Code.BUNDLE_OUT_OF_STOCK, subject.path, message)


def _shortage(subject: Subject, section_id: int | None) -> str:
    """Return the end of a message about missing stock: figures if there are too few units, otherwise just the full stop."""
    now, needed = subject.in_stock.narrowed(section_id), subject.by_terms.narrowed(section_id).counts.least
    units = sum(map(subject.catalogue.stock, subject.terms.offers.within(section_id)))
    if now.cause is Cause.AMOUNTS and units < needed:
        return f": it needs {counted(needed, 'item')}, but only {units} can be sold."
    return "."


def _section_sells_nothing(subject: Subject) -> Iterator[Remark]:
    """Report sections that require nothing, and in which nothing is for sale. A single product that is out of stock is not
    reported."""
    for section in subject.bundle.sections:
        named = [subject.catalogue.choices(product.product_id, product.variant_ids) for product in section.products]
        found = subject.in_stock.sections.get(section.id)
        if named and found and not found.cause and not any(map(subject.catalogue.stock, chain.from_iterable(named))):
            message = f"Nothing that {subject.section_name(section.id)} offers is ACTIVE and in stock."
            yield warning(Code.SECTION_SELLS_NOTHING, subject.at_section(section.id), message)


def _name(product: Product) -> str:
    return f"{product.id} ({quoted(product.title)})"


def check_markets(subject: Subject, markets: Sequence[Market]) -> Iterator[Remark]:
    """Report each market in which a bundle cannot be bought, although it can be bought elsewhere. Markets in which the bundle's
    own conditions prevent the purchase are not reported."""
    if not subject.can_be_bought:
        return
    for place, market in enumerate(markets):
        if _matters(subject, market) and not _is_blocked(subject, market) and not subject.in_market(market).is_possible:
            message = (
                f"Bundle {subject.bundle.id} cannot be bought in {market.country_code}: what is sold there, at its prices, "
                "does not meet the bundle's rules."
            )
            yield warning(Code.MARKET_OUT_OF_REACH, ("markets", place), message)


def _matters(subject: Subject, market: Market) -> bool:
    """Whether the bundle may be impossible to buy in just this market, because it offers a variant that is not sold there or has
    a rule that depends on prices."""
    offered = {choice.variant_id for choice in subject.terms.offers.within(None)}
    return not offered.isdisjoint(market.unavailable_variant_ids) or has_market_rules(subject.bundle)


def _is_blocked(subject: Subject, market: Market) -> bool:
    blocks = subject.actions(BLOCK_CART)
    return any(subject.purchase_logic.always_in(market.country_code, node.get("when")) for node in blocks)
