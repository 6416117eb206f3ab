"""Order lines, with the discounts that the checkout applied."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BUNDLE_FEE
from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.order import BUNDLE_DISCOUNT, LineDiscount, OrderLine
from bundlesvc.platforms.shopify.client.graphql import amount, at, number_of
from bundlesvc.platforms.shopify.orders.changes import Purchase

Node = Mapping[str, Any]

_AUTOMATIC = "AutomaticDiscountApplication"
_KINDS = {
    _AUTOMATIC: "automatic",
    "DiscountCodeApplication": "code",
    "ManualDiscountApplication": "manual",
    "ScriptDiscountApplication": "script",
}
_DELETED_VARIANT = 0


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line, and the total before discounts that the platform reports for it. For a merged bundle, the bundle's own discount has
    already been deducted from this total, which may differ from the unit price times the quantity. `title` is the title of the
    merged bundle."""

    line: OrderLine
    total: int
    title: str = ""

    @property
    def is_merged(self) -> bool:
        """Whether the line is part of a bundle that the checkout merged, with the bundle's discount included in the line's
        price."""
        line = self.line
        return line.group is not None and line.bundle_data is not None and bool(line.quantity) and not line.own_discount


@dataclass(frozen=True, slots=True)
class LineTerms:
    """The data that all lines of an order share. `own_titles` are the titles of the app's own automatic discounts; `purchases`
    are the original purchases by line, None when the order was not edited; `contracts` are subscription contract ids by line."""

    currency: str
    own_titles: Collection[str]
    purchases: Mapping[str, Purchase] | None
    contracts: Mapping[str, str]


def read_lines(nodes: Sequence[Node], terms: LineTerms) -> list[ReadLine]:
    """Return the lines as they were bought. A line without a variant, such as a tip, is omitted. A line of a bundle is
    included even if it has no variant, which means that its variant was deleted."""
    return [_line(node, terms) for node in nodes if node["variant"] is not None or BUNDLE_DATA in _properties(node)]


def titles_to_check(nodes: Sequence[Node]) -> bool:
    """Whether any line of a bundle has an automatic discount. This may be the bundle's own discount, so the title of the discount
    must be checked."""
    return any(
        allocation["discountApplication"]["__typename"] == _AUTOMATIC
        for node in nodes
        if BUNDLE_DATA in _properties(node)
        for allocation in node["discountAllocations"]
    )


def _line(node: Node, terms: LineTerms) -> ReadLine:
    line_id = str(number_of(node["id"]))
    unit_price = _units(node["originalUnitPriceSet"], terms.currency)
    group, plan = node["lineItemGroup"], node["sellingPlan"]
    title = group["title"] if group else ""
    properties = _properties(node)
    titles = {*terms.own_titles, title} if BUNDLE_DATA in properties else ()
    discounts = tuple(_discounts(node["discountAllocations"], titles, terms.currency))
    quantity, tax = node["quantity"], sum(_units(each["priceSet"], terms.currency) for each in node["taxLines"])
    total = _units(node["originalTotalSet"], terms.currency)
    if terms.purchases is not None:
        bought = terms.purchases.get(line_id, Purchase())
        total = total * bought.quantity // quantity if quantity else 0
        quantity, tax = bought.quantity, bought.tax
        discounts = _as_bought(discounts, total - bought.amount)
    line = OrderLine(
        line_id,
        _DELETED_VARIANT if node["variant"] is None else number_of(node["variant"]["id"]),
        quantity,
        unit_price,
        tax,
        discounts,
        properties,
        None if group is None else str(number_of(group["id"])),
        None if plan is None else _plan(plan),
        terms.contracts.get(line_id),
    )
    return ReadLine(line, total, title)


def _properties(node: Node) -> dict[str, str]:
    """Return the properties that this service set on a line. The checkout function copies them to a merged bundle."""
    group = node["lineItemGroup"]
    attributes = (*(group["customAttributes"] if group else ()), *node["customAttributes"])
    return {each["key"]: each["value"] or "" for each in attributes if each["key"] in (BUNDLE_DATA, BUNDLE_FEE)}


def _plan(plan: Node) -> str:
    return str(number_of(plan["sellingPlanId"])) if plan["sellingPlanId"] else str(plan["name"])


def _discounts(allocations: Sequence[Node], own_titles: Collection[str], currency: str) -> Iterator[LineDiscount]:
    for allocation in allocations:
        application = allocation["discountApplication"]
        kind = _KINDS.get(application["__typename"], "other")
        title = application.get("title") or application.get("code") or ""
        own = kind != "code" and title in own_titles
        off = _units(allocation["allocatedAmountSet"], currency)
        if off:
            yield LineDiscount(BUNDLE_DISCOUNT if own else kind, title, off)


def _as_bought(discounts: Sequence[LineDiscount], off: int) -> tuple[LineDiscount, ...]:
    """Return the discounts of the original purchase, which amounted to `off` in total. A later edit may have added units and
    discounts to the line. The bundle's own discounts come first."""
    left, kept = max(off, 0), list[LineDiscount]()
    for discount in sorted(discounts, key=lambda each: each.kind != BUNDLE_DISCOUNT):
        taken = min(discount.amount, left)
        left -= taken
        if taken:
            kept.append(LineDiscount(discount.kind, discount.title, taken))
    return (*kept, LineDiscount("other", "", left)) if left else tuple(kept)


def _units(bag: Node, currency: str) -> int:
    return presentment_units(money(bag), currency)


def money(bag: Node) -> Decimal:
    """Return the amount of a `MoneyBag` in the buyer's currency."""
    return amount(at(bag, "presentmentMoney", "amount"))
