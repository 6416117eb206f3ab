"""A shopper's selection: the check that the bundle offers the selected items (docs/contract.md#valid-selections), and the
selection's lines."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.errors import Fault, SelectionInvalid
from bundlesvc.domain.line import Answers, Line
from bundlesvc.domain.product import MarketPrice, Product, Variant, unit_price
from bundlesvc.domain.subscription import SubscriptionChoice
from bundlesvc.immutable import immutable

MAX_ITEMS = 200
NO_SECTION = 0
"""The section id of units outside all sections: required products and free items."""


class SelectedItem(NamedTuple):
    """One unit that the shopper chose."""

    variant_id: int
    product_id: int
    section_id: int
    answers: Answers = ()


Units = Mapping[SelectedItem, Sequence[int]]
"""The units of a selection: each distinct item, with the indexes of its entries in the request in ascending order. The index of
an entry for several units is repeated once per unit."""


def units_of(items: Iterable[SelectedItem]) -> Units:
    """Return the distinct items of a list, each with its positions in the list."""
    units: dict[SelectedItem, list[int]] = {}
    for index, item in enumerate(items):
        units.setdefault(item, []).append(index)
    return units


class ExpectedPrice(NamedTuple):
    """The prices that a shopper was shown, as decimal strings: in the shop's currency (`shop`), and in the market's
    (`presentment`)."""

    shop: str | None = None
    presentment: str | None = None


NO_EXPECTED_PRICE = ExpectedPrice()


@immutable
class SelectionRequest:
    """A selection to price or configure (docs/contract.md#configure). `type` is None in a price request; `conditions_discount` is
    the discount that the client computed, unparsed; `visitor_id` is a UUID."""

    units: Units
    type: str | None = None
    country: str | None = None
    subscription: SubscriptionChoice | None = None
    conditions_discount: object = None
    visitor_id: str | None = None
    expected: ExpectedPrice = NO_EXPECTED_PRICE


@immutable
class UnpricedLine:
    """Identical items of a selection, already matched with a variant that the bundle offers, but not yet priced."""

    product: Product
    variant: Variant
    section_id: int
    count: int
    first: int
    answers: Answers

    def at(self, market: MarketPrice | None, shop_currency: str) -> Line:
        """Return the line at the market's price or, without a market, at the variant's own price."""
        price = unit_price(self.variant, market, shop_currency)
        return Line(self.product, self.variant, self.section_id, self.count, price, self.first, self.answers)


def check_count(units: Units) -> None:
    """Check that a selection has neither too few nor too many items. Raises SelectionInvalid."""
    count = sum(map(len, units.values()))
    if not 1 <= count <= MAX_ITEMS:
        message = f"Choose at least 1 and at most {MAX_ITEMS} items; there are {count}."
        raise SelectionInvalid([Fault("products", "item_count", message)], message)


def choose(
    bundle: Bundle, units: Units, products: Mapping[int, Product], free_variant_ids: frozenset[int]
) -> tuple[UnpricedLine, ...]:
    """Convert the selection to lines, in the order of the request.

    `products` are the products that exist on the platform; `free_variant_ids` are the variants of free-item actions. Raises
    SelectionInvalid with a fault for every item that the bundle does not offer.
    """
    check_count(units)
    faults = {item: _fault(bundle, item, products, free_variant_ids) for item in units}
    found = [(index, fault) for item, fault in faults.items() if fault for index in dict.fromkeys(units[item])]
    if found:
        raise SelectionInvalid([_at_item(fault, index) for index, fault in sorted(found, key=lambda pair: pair[0])])
    return tuple(_chosen(item, products[item.product_id], indexes) for item, indexes in units.items())


def _chosen(item: SelectedItem, product: Product, indexes: Sequence[int]) -> UnpricedLine:
    variant = product.variants_by_id[item.variant_id]
    return UnpricedLine(product, variant, item.section_id, len(indexes), indexes[0], item.answers)


def _at_item(fault: Fault, index: int) -> Fault:
    return Fault(f"products.{index}.{fault.path}", fault.code, fault.message)


def _fault(
    bundle: Bundle, item: SelectedItem, products: Mapping[int, Product], free_variant_ids: frozenset[int]
) -> Fault | None:
    """Return the reason why the bundle does not offer this item; None when it does."""
    section = bundle.sections_by_id.get(item.section_id)
    if section is None and item.section_id != NO_SECTION:
        return Fault("section", "unknown_section", f"This bundle has no section {item.section_id}.")
    product = products.get(item.product_id)
    if product is None:
        return Fault("product", "unknown_product", f"This bundle does not offer product {item.product_id}.")
    if item.variant_id not in product.variants_by_id:
        return Fault("variant", "unknown_variant", f"Variant {item.variant_id} does not belong to {product.title}.")
    if item.variant_id in free_variant_ids or any(
        required.accepts(item.product_id, item.variant_id) for required in bundle.required_products
    ):
        return None
    offers = [offered for offered in section.products if offered.product_id == item.product_id] if section else []
    if not offers:
        where = f"The section {section.name}" if section else "This bundle, outside its sections,"
        return Fault("section", "not_in_section", f"{where} does not offer {product.title}.")
    if not any(offered.allows(item.variant_id) for offered in offers):
        return Fault("variant", "variant_not_allowed", f"This variant of {product.title} cannot be chosen here.")
    return None
