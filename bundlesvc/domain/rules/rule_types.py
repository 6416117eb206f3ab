"""The table of limit rule types, one row per type (docs/contract.md#limit-rules).

It is used by the shop file, the linter, the from-price, completion, configure and the API. The client has its own copy in
`storefront/client/rule-types.js`, and a test compares the two.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.line import Line, total_amount, total_count, total_grams
from bundlesvc.domain.measures import ITEMS
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.pricing.selection_price import PricedSelection, line_reductions
from bundlesvc.domain.unit_bounds import GRAMS, ONE_EACH, PRICE, UP_TO_ONE, UP_TO_PRICE, UnitBounds
from bundlesvc.immutable import immutable


@immutable
class Measured:
    """One measurement for a rule: of the whole scope, or of a single product or variant. `names` are the id fields that identify
    this product or variant in a fault."""

    actual: Decimal
    subject: str = ""
    names: tuple[tuple[str, str], ...] = ()


Measure = Callable[[Sequence[Line], int | None, PricedSelection], Sequence[Measured]]
"""A function that measures the paid lines of a section, or of the whole bundle (None). Weights are in grams."""


class Subject(NamedTuple):
    """A subject that a rule measures individually, such as each product: the name of its id field in a fault, its id and its
    title."""

    field: str
    id_of: Callable[[Line], int]
    title_of: Callable[[Line], str]


PRODUCT = Subject("platformProductId", lambda line: line.product.id, lambda line: line.product.title)
VARIANT = Subject("platformVariantId", lambda line: line.variant.id, lambda line: line.title)


@dataclass(frozen=True, slots=True, eq=False)
class RuleType:
    """One type of limit rule: its `name` in shop files, what it measures, the `bounds` on what one unit adds to the measure, and
    the `sentence` of a refusal, with placeholders.

    With `of_each`, it measures each chosen product or variant separately. With `is_multiple`, it allows multiples of the value
    and ignores the operation."""

    name: str
    measure: Measure
    bounds: UnitBounds
    sentence: str
    of_each: Subject | None = None
    is_multiple: bool = False

    @property
    def unit(self) -> str:
        """The unit in which the rule measures: one of UNITS."""
        return self.bounds.unit

    @property
    def counts_units(self) -> bool:
        """Whether the rule's measure is the number of units itself."""
        return self.unit == ITEMS and self.bounds.are_exact

    def counts_of(self, units: int) -> range:
        """Return the values that the measure of a rule about items can have for this number of units. If products or variants are
        measured individually, every value is at least 1, unless there are no units."""
        least = units if self.counts_units else min(units, 1) if self.of_each else 0
        return range(least, units + 1)


def _discounted(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
    """Return the discounted amount, or a section's share of it (docs/contract.md#allocation)."""
    if section_id is None:
        return [Measured(priced.pricing.discounted)]
    shares = zip(priced.paid, line_reductions(priced), strict=True)
    return [Measured(sum((line.amount - off for line, off in shares if line.section_id == section_id), ZERO))]


def _amount(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
    return [Measured(total_amount(lines))]


def _count(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
    return [Measured(Decimal(total_count(lines)))]


def _different(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
    return [Measured(Decimal(len({line.product.id for line in lines})))]


def _grams(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
    return [Measured(Decimal(total_grams(lines)))]


def _each(subject: Subject) -> Measure:
    def measure(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Sequence[Measured]:
        counts: dict[int, int] = {}
        titles: dict[int, str] = {}
        for line in lines:
            id_ = subject.id_of(line)
            counts[id_] = counts.get(id_, 0) + line.count
            titles.setdefault(id_, subject.title_of(line))
        return [Measured(Decimal(count), titles[id_], ((subject.field, str(id_)),)) for id_, count in counts.items()]

    return measure


PRICE_AFTER = RuleType(
    "bundle-price",
    _discounted,
    UP_TO_PRICE,
    "The price of {where} must be {wanted} {unit}; now it is {actual} {unit}.",
)
PRICE_BEFORE = RuleType(
    "bundle-price-before-discount",
    _amount,
    PRICE,
    "The price of {where} before discount must be {wanted} {unit}; now it is {actual} {unit}.",
)
TOTAL = RuleType(
    "total-number-of-products",
    _count,
    ONE_EACH,
    "Choose {wanted} items for {where}; now there are {actual}.",
)
DIFFERENT = RuleType(
    "number-of-different-products",
    _different,
    UP_TO_ONE,
    "Choose {wanted} different products for {where}; now there are {actual}.",
)
MULTIPLES = RuleType(
    "multiples-of",
    _count,
    ONE_EACH,
    "The number of items in {where} must be a multiple of {wanted}; now it is {actual}.",
    is_multiple=True,
)
EACH_PRODUCT = RuleType(
    "amount-of-one-product",
    _each(PRODUCT),
    UP_TO_ONE,
    "Choose {wanted} of {subject} for {where}; now there are {actual}.",
    of_each=PRODUCT,
)
EACH_VARIANT = RuleType(
    "amount-of-one-variant",
    _each(VARIANT),
    UP_TO_ONE,
    "Choose {wanted} of {subject} for {where}; now there are {actual}.",
    of_each=VARIANT,
)
TOTAL_WEIGHT = RuleType(
    "amount-of-weight",
    _grams,
    GRAMS,
    "The weight of {where} must be {wanted} {unit}; now it is {actual} {unit}.",
)

RULE_TYPES = {
    row.name: row
    for row in (
        PRICE_AFTER,
        PRICE_BEFORE,
        TOTAL,
        DIFFERENT,
        MULTIPLES,
        EACH_PRODUCT,
        EACH_VARIANT,
        TOTAL_WEIGHT,
    )
}


def type_of(rule: LimitRule) -> RuleType:
    """Return the table row for a rule's type. Raises KeyError for a type that is not in the table."""
    return RULE_TYPES[rule.type]
