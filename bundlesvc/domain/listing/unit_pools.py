"""The units that may be chosen in each section of a bundle, cheapest first, and how many of them may be chosen.

Pools take into account sections and their counts, required products, stock, and limits on one product or variant. They ignore all
other rules, so they allow at least every selection that the configure endpoint allows.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle, LimitRule, RequiredProduct, Section
from bundlesvc.domain.measures import ITEMS
from bundlesvc.domain.money import minor_units
from bundlesvc.domain.product import ACTIVE, Product, Variant, unit_price
from bundlesvc.domain.rules.limit_rules import count_test
from bundlesvc.domain.rules.rule_types import DIFFERENT, PRODUCT, RULE_TYPES, VARIANT, RuleType, Subject, type_of
from bundlesvc.domain.selection import MAX_ITEMS, NO_SECTION

_COUNTED_TIERS = ("total_products", "bulk_buy")
_UPPER = ("lt", "lte")


class Unit(NamedTuple):
    """A unit that may be chosen, with its price in minor units of the currency."""

    price: int
    variant: Variant
    product: Product


@dataclass(frozen=True, slots=True)
class Pool:
    """The units that can be chosen in a section. `units` are in the order in which they are chosen, and at least `fewest` of them
    must be chosen. `amounts` contains the total price of the first 0, 1, 2, … units. `counts` are the numbers of units that the
    section's rules allow. Required units may be placed in the section too."""

    section_id: int
    units: Sequence[Unit]
    amounts: Sequence[int]
    counts: Sequence[int]
    fewest: int

    def choices(self, required: int) -> Iterator[tuple[int, int]]:
        """Yield the possible choices, each as a pair: the number of units from the pool, and the number of required units (at
        most `required`)."""
        for count in self.counts:
            for moved in range(min(required, count) + 1):
                if self.fewest <= count - moved < len(self.amounts):
                    yield count - moved, moved


class UnitPools:
    """The pools of a bundle. `products` are the products that exist on the platform; the rules of `void` sections are ignored."""

    def __init__(self, bundle: Bundle, products: Mapping[int, Product], currency: str, void: frozenset[int]) -> None:
        self._bundle = bundle
        self._products = products
        self._currency = currency
        self._rules = [rule for rule in bundle.limit_rules if rule.section_id not in void]
        self.most = self._most_in_a_section()
        """The largest number of units per section that needs to be considered."""

    def allows(self, count: int) -> bool:
        """Whether a selection may contain this number of units."""
        return 1 <= count <= MAX_ITEMS and self._meets(count, None)

    def required(self) -> list[Unit] | None:
        """Return the cheapest units of the required products. None when a product is required twice, or is not available in the
        required quantity."""
        required = self._bundle.required_products
        if len({each.product_id for each in required}) < len(required):
            return None
        units: list[Unit] = []
        for each in required:
            cheapest = list(islice(self._units(_accepted(each, self._products), None), each.quantity))
            if len(cheapest) < each.quantity:
                return None
            units += cheapest
        return units

    def sections(self) -> list[Pool]:
        """Return one pool per section and, if the bundle requires products, one more pool for additional units of those products
        that belong to no section."""
        required = [variant for each in self._bundle.required_products for variant in _accepted(each, self._products)]
        pools = [self._pool(section, required) for section in self._bundle.sections]
        if required:
            units = list(islice(self._units(required, None), self.most))
            pools.append(Pool(NO_SECTION, units, _sums(units), range(self.most + 1), 0))
        return pools

    def _most_in_a_section(self) -> int:
        """Return the largest number of units per section that needs to be considered. Any larger number could be reduced by a
        common multiple of the steps without falling below a lower limit or a tier."""
        bundle = self._bundle
        counted = [rule for rule in self._rules if type_of(rule).unit == ITEMS]
        plain = (rule for rule in counted if not type_of(rule).is_multiple)
        limits = [rule.limit for rule in plain if rule.operation not in _UPPER]
        tiers = bundle.discount.tiers if bundle.discount else ()
        limits += [each.threshold for each in tiers if each.type in _COUNTED_TIERS and each.operation not in _UPPER]
        steps = [rule.limit for rule in counted if type_of(rule).is_multiple and rule.limit]
        step = math.lcm(*(Fraction(each).numerator for each in steps))
        required = sum(each.quantity for each in bundle.required_products)
        return min(math.ceil(max(limits, default=0)) + required + step, MAX_ITEMS)

    def _pool(self, section: Section, required: Sequence[tuple[Product, Variant]]) -> Pool:
        counts = [count for count in range(self.most + 1) if self._meets(count, section.id)]
        fewest = max(0, self._fewest_different(section) - len(self._bundle.required_products))
        variants = [*_offered(section, self._products), *required]
        units = _different_first(self._units(variants, section.id), fewest, self.most)
        return Pool(section.id, units, _sums(units), counts, fewest)

    def _meets(self, count: int, section_id: int | None) -> bool:
        """Whether a selection with this number of units, in total or in one section, can meet the rules about numbers of items.
        The rules of one type can be met if they allow at least one of the counts that are possible with this number of units."""
        return all(
            any(map(count_test(rules), row.counts_of(count)))
            for row, rules in self._in_items(section_id)
            if count or row.of_each is None
        )

    def _in_items(self, section_id: int | None) -> Iterator[tuple[RuleType, list[LimitRule]]]:
        for row in RULE_TYPES.values():
            if row.unit == ITEMS and (rules := self._in_scope(row, section_id)):
                yield row, rules

    def _fewest_different(self, section: Section) -> int:
        """Return the minimum number of different products that the section requires."""
        scopes = [section.id] if len(self._bundle.sections) > 1 else [section.id, None]
        tests = [count_test(self._in_scope(DIFFERENT, scope)) for scope in scopes]
        return max(next(filter(meets, range(MAX_ITEMS)), 0) for meets in tests)

    def _units(self, variants: Iterable[tuple[Product, Variant]], section_id: int | None) -> Iterator[Unit]:
        """Yield the units that can be chosen in a section, cheapest first."""
        offered = {variant.id: self._unit(product, variant) for product, variant in variants}
        of_product, of_variant = (self._cap(subject, section_id) for subject in (PRODUCT, VARIANT))
        taken: Counter[int] = Counter()
        for unit in sorted(offered.values(), key=lambda unit: unit.price):
            left = min(of_variant, of_product - taken[unit.product.id])
            for count in range(1, left + 1):
                if not unit.variant.in_stock(count):
                    break
                taken[unit.product.id] += 1
                yield unit

    def _unit(self, product: Product, variant: Variant) -> Unit:
        price = unit_price(variant, None, self._currency)
        return Unit(minor_units(price, self._currency), variant, product)

    def _cap(self, subject: Subject, section_id: int | None) -> int:
        """Return the maximum number of units of one product or variant in a section."""
        most = MAX_ITEMS
        for scope in {None, section_id}:
            for row, rules in self._in_items(scope):
                if row.of_each is subject:
                    most = next(filter(count_test(rules), range(most, 0, -1)), 0)
        return most

    def _in_scope(self, row: RuleType, section_id: int | None) -> list[LimitRule]:
        return [rule for rule in self._rules if type_of(rule) is row and rule.section_id == section_id]


def _accepted(required: RequiredProduct, products: Mapping[int, Product]) -> list[tuple[Product, Variant]]:
    """Return the variants that count as a required product."""
    product = products.get(required.product_id)
    if product is None or product.status != ACTIVE:
        return []
    return [(product, each) for each in product.variants if required.accepts(product.id, each.id)]


def _offered(section: Section, products: Mapping[int, Product]) -> Iterator[tuple[Product, Variant]]:
    for offered in section.products:
        product = products.get(offered.product_id)
        if product is not None and product.status == ACTIVE:
            yield from ((product, each) for each in product.variants if offered.allows(each.id))


def _different_first(units: Iterator[Unit], fewest: int, most: int) -> list[Unit]:
    """Return up to `most` units: one unit of each of the `fewest` cheapest products, then the cheapest other units. Returns an
    empty list when there are fewer than `fewest` products."""
    first: dict[int, Unit] = {}
    others: list[Unit] = []
    for unit in units:
        if unit.product.id not in first and len(first) < fewest:
            first[unit.product.id] = unit
        elif len(others) < most:
            others.append(unit)
        if len(first) == fewest and len(others) == most:
            break
    return [*first.values(), *others][:most] if len(first) == fewest else []


def _sums(units: Sequence[Unit]) -> list[int]:
    return list(accumulate((unit.price for unit in units), initial=0))
