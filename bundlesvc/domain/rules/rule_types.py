"""The types of limit rules, a row for each (docs/contract.md#limit-rules).

The shop file, the linter, the from-price, configure and the API read this table. The client has the same one in
`storefront/client/rule-types.js`, and a test compares both.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.line import Line, total_amount, total_count, total_grams
from bundlesvc.domain.measures import ITEMS, MONEY, WEIGHT
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.pricing.selection_price import PricedSelection, line_reductions


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement for a rule: of the whole scope, or of one product or variant (`names` are its fields in a fault)."""

    actual: Decimal
    subject: str = ""
    names: tuple[tuple[str, str], ...] = ()


Measure = Callable[[Sequence[Line], int | None, PricedSelection], Iterator[Measured]]
"""Measures the paid lines of a section, or of the whole bundle (None). Weights are in grams."""


@dataclass(frozen=True, slots=True)
class RuleType:
    """One type: its `name` in shop files, what it measures, in which `unit`, and the `sentence` of a refusal with its places.

    `of_each`: it measures each chosen product or variant by itself. `is_multiple`: it allows multiples of the value, and
    reads no operation. `per_unit`: how much one unit of a line adds to the measure, if that is the same for every selection."""

    name: str
    unit: str
    measure: Measure
    sentence: str
    of_each: bool = False
    is_multiple: bool = False
    per_unit: Callable[[Line], Decimal] | None = None


def _discounted(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Iterator[Measured]:
    """The discounted amount, or a section's share of it (docs/contract.md#allocation)."""
    if section_id is None:
        yield Measured(priced.pricing.discounted)
        return
    shares = zip(priced.paid, line_reductions(priced), strict=True)
    yield Measured(sum((line.amount - off for line, off in shares if line.section_id == section_id), ZERO))


def _amount(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Iterator[Measured]:
    yield Measured(total_amount(lines))


def _count(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Iterator[Measured]:
    yield Measured(Decimal(total_count(lines)))


def _different(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Iterator[Measured]:
    yield Measured(Decimal(len({line.product.id for line in lines})))


def _grams(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Iterator[Measured]:
    yield Measured(Decimal(total_grams(lines)))


def _each_product(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Iterator[Measured]:
    return _each(lines, lambda line: ("platformProductId", line.product.id, line.product.title))


def _each_variant(lines: Sequence[Line], section_id: int | None, priced: PricedSelection) -> Iterator[Measured]:
    return _each(lines, lambda line: ("platformVariantId", line.variant.id, line.title))


def _each(lines: Sequence[Line], key: Callable[[Line], tuple[str, int, str]]) -> Iterator[Measured]:
    counts: dict[tuple[str, int, str], int] = {}
    for line in lines:
        counts[key(line)] = counts.get(key(line), 0) + line.count
    for (name, id_, title), count in counts.items():
        yield Measured(Decimal(count), title, ((name, str(id_)),))


PRICE_AFTER = RuleType(
    "bundle-price", MONEY, _discounted, "The price of {where} must be {wanted} {unit}; now it is {actual} {unit}."
)
PRICE_BEFORE = RuleType(
    "bundle-price-before-discount",
    MONEY,
    _amount,
    "The price of {where} before discount must be {wanted} {unit}; now it is {actual} {unit}.",
    per_unit=lambda line: line.unit_price,
)
TOTAL = RuleType(
    "total-number-of-products",
    ITEMS,
    _count,
    "Choose {wanted} items for {where}; now there are {actual}.",
    per_unit=lambda _: Decimal(1),
)
DIFFERENT = RuleType(
    "number-of-different-products",
    ITEMS,
    _different,
    "Choose {wanted} different products for {where}; now there are {actual}.",
)
MULTIPLES = RuleType(
    "multiples-of",
    ITEMS,
    _count,
    "The number of items in {where} must be a multiple of {wanted}; now it is {actual}.",
    is_multiple=True,
    per_unit=lambda _: Decimal(1),
)
EACH_PRODUCT = RuleType(
    "amount-of-one-product",
    ITEMS,
    _each_product,
    "Choose {wanted} of {subject} for {where}; now there are {actual}.",
    of_each=True,
)
EACH_VARIANT = RuleType(
    "amount-of-one-variant",
    ITEMS,
    _each_variant,
    "Choose {wanted} of {subject} for {where}; now there are {actual}.",
    of_each=True,
)
TOTAL_WEIGHT = RuleType(
    "amount-of-weight",
    WEIGHT,
    _grams,
    "The weight of {where} must be {wanted} {unit}; now it is {actual} {unit}.",
    per_unit=lambda line: Decimal(line.variant.grams),
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
    """The row of a rule. Raises KeyError for a type that is not in the table."""
    return RULE_TYPES[rule.type]


def unit_of(rule_type: str) -> str:
    """One of UNITS. Raises KeyError for a type that is not in the table."""
    return RULE_TYPES[rule_type].unit
