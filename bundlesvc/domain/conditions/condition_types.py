"""The table of condition types, one row per type (docs/contract.md#conditions).

It is used by the engine, the shop file, the linter, completion, the check for market dependence and the sentences for assistants.
The client has its own copy in `storefront/client/condition-types.js`. A test compares the two tables, and the same test cases run
on both.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bundlesvc.domain.line import Line, in_section, total_amount, total_count, total_grams
from bundlesvc.domain.measures import MONEY, WEIGHT, holds, in_grams
from bundlesvc.domain.unit_bounds import GRAMS, ONE_EACH, PRICE, UnitBounds
from bundlesvc.immutable import immutable

Node = Mapping[str, Any]


@immutable
class Facts:
    """The facts that conditions can test besides the lines of the selection."""

    weight_unit: str
    country: str | None = None
    subscribed: bool = False


@dataclass(frozen=True, slots=True)
class Quantity:
    """A condition type that compares a quantity of the chosen lines, in a section or in the whole bundle, with a value.

    `bounds` are the least and the most that one counted unit can add to the quantity; weights are measured in grams. `words`
    describe the quantity. If only one product or variant counts, `of` is the key of its id in the condition's node, and `words`
    contain a placeholder for the product or variant."""

    name: str
    measure: Callable[[Iterable[Line]], Decimal | int]
    bounds: UnitBounds
    words: str
    of: str | None = None

    @property
    def unit(self) -> str:
        """The unit in which the quantity is measured: one of UNITS."""
        return self.bounds.unit

    @property
    def reads_market(self) -> bool:
        """Whether the result of the condition can differ between markets."""
        return self.unit == MONEY

    def holds(self, node: Node, lines: Sequence[Line], facts: Facts) -> bool:
        return holds(self.quantity(node, lines), operation(node), self.limit(node, facts))

    def quantity(self, node: Node, lines: Sequence[Line]) -> Decimal | int:
        """Return the quantity that a condition compares, as measured on these lines."""
        return self.measure(self.counted(node, lines))

    def counted(self, node: Node, lines: Sequence[Line]) -> Iterable[Line]:
        """Return the lines that a condition measures."""
        counted: Iterable[Line] = in_section(lines, node.get("sectionId"))
        if self.of is not None:
            named, id_of = int(node[self.of]), _ID_OF[self.of]
            counted = (line for line in counted if id_of(line) == named)
        return counted

    def limit(self, node: Node, facts: Facts) -> Decimal:
        """Return the value with which a condition compares its quantity, in the unit of that quantity."""
        limit = value(node)
        return in_grams(limit, facts.weight_unit) if self.unit == WEIGHT else limit


@dataclass(frozen=True, slots=True)
class Fact:
    """A condition type that tests one of the `Facts`. `words` is a sentence that describes the condition, with a placeholder for
    the node's value if the node has one."""

    name: str
    test: Callable[[Node, Facts], bool]
    words: str
    reads_market: bool = False

    def holds(self, node: Node, lines: Sequence[Line], facts: Facts) -> bool:
        return self.test(node, facts)


ConditionType = Quantity | Fact

PRODUCT_ID, VARIANT_ID = "productId", "variantId"
_ID_OF: Mapping[str, Callable[[Line], int]] = {
    PRODUCT_ID: lambda line: line.product.id,
    VARIANT_ID: lambda line: line.variant.id,
}


def value(node: Node) -> Decimal:
    """Return the value that the quantity is compared with; 1 when the node has no value."""
    return Decimal(node.get("value") or "1")


def operation(node: Node) -> str:
    """Return the comparison between the quantity and the value; `gte` when the node specifies none."""
    return node.get("operation") or "gte"


def _is_country(node: Node, facts: Facts) -> bool:
    return bool(facts.country == str(node["value"]).upper())


TOTAL_PRODUCTS = Quantity("total-products", total_count, ONE_EACH, "the number of items")
TOTAL_PRICE = Quantity("total-price", total_amount, PRICE, "the price before discount")
TOTAL_WEIGHT = Quantity("total-weight", total_grams, GRAMS, "the weight")
PRODUCT_QUANTITY = Quantity("product-quantity", total_count, ONE_EACH, "the number of {of}", of=PRODUCT_ID)
VARIANT_SELECTED = Quantity("variant-selected", total_count, ONE_EACH, "the number of {of}", of=VARIANT_ID)
SECTION_QUANTITY = Quantity("section-quantity", total_count, ONE_EACH, "the number of items")
COUNTRY = Fact("country", _is_country, "the country is {value}", reads_market=True)
SUBSCRIPTION_CHOSEN = Fact("subscription-chosen", lambda _, facts: facts.subscribed, "the shopper subscribes")

CONDITION_TYPES: Mapping[str, ConditionType] = {
    row.name: row
    for row in (
        TOTAL_PRODUCTS,
        TOTAL_PRICE,
        TOTAL_WEIGHT,
        PRODUCT_QUANTITY,
        VARIANT_SELECTED,
        SECTION_QUANTITY,
        COUNTRY,
        SUBSCRIPTION_CHOSEN,
    )
}


def type_of(node: Node) -> ConditionType:
    """Return the table row for a condition's type. Raises KeyError for a type that is not in the table."""
    return CONDITION_TYPES[node["type"]]
