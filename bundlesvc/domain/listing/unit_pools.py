"""The units that may be chosen in each section of a bundle, cheapest first, and how many of them.

Pools take into account sections and their counts, required products, stock, and limits for one product or variant. They ignore
all other rules, so they allow at least everything that configure allows.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle, LimitRule, RequiredProduct, Section
from bundlesvc.domain.money import minor_units
from bundlesvc.domain.product import ACTIVE, Product, Variant, unit_price
from bundlesvc.domain.rules.limit_rules import count_meets
from bundlesvc.domain.rules.rule_types import DIFFERENT, EACH_PRODUCT, EACH_VARIANT, MULTIPLES, TOTAL
from bundlesvc.domain.selection import MAX_ITEMS, NO_SECTION

_OF_ONE = EACH_PRODUCT.name, EACH_VARIANT.name
_COUNTED_TIERS = ("total_products", "bulk_buy")
_UPPER = ("lt", "lte")


class Unit(NamedTuple):
    """A unit, and its price in minor units of the currency."""

    price: int
    variant: Variant
    product: Product


@dataclass(frozen=True, slots=True)
class Pool:
    """The units that can be chosen in a section: `units` with the best ones first, of which at least `fewest` are taken.
    `amounts` has the total of the first 0, 1, 2, … units; `counts` are the numbers of units that its rules allow. Required
    units may be placed in it too."""

    section_id: int
    units: Sequence[Unit]
    amounts: Sequence[int]
    counts: Sequence[int]
    fewest: int

    def choices(self, required: int) -> Iterator[tuple[int, int]]:
        """Possible choices, as two numbers: the pool's own units, and required ones (at most `required`)."""
        for count in self.counts:
            for moved in range(min(required, count) + 1):
                if self.fewest <= count - moved < len(self.amounts):
                    yield count - moved, moved


class UnitPools:
    """The pools of a bundle. `products` are those that the platform has; the rules of `void` sections are ignored."""

    def __init__(self, bundle: Bundle, products: Mapping[int, Product], currency: str, void: frozenset[int]) -> None:
        self._bundle = bundle
        self._products = products
        self._currency = currency
        self._rules = [rule for rule in bundle.limit_rules if rule.section_id not in void]
        self.most = self._most_in_a_section()
        """How many units of a section need to be looked at."""

    def allows(self, count: int) -> bool:
        """Whether a selection may have this number of units."""
        return 1 <= count <= MAX_ITEMS and self._meets(count, None)

    def required(self) -> list[Unit] | None:
        """The cheapest units of the required products. None when two name the same product, or one is not available."""
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
        """The pool of each section, and a pool of further units of required products, which are outside all sections."""
        required = [variant for each in self._bundle.required_products for variant in _accepted(each, self._products)]
        pools = [self._pool(section, required) for section in self._bundle.sections]
        if required:
            units = list(islice(self._units(required, None), self.most))
            pools.append(Pool(NO_SECTION, units, _sums(units), range(self.most + 1), 0))
        return pools

    def _most_in_a_section(self) -> int:
        """The most units of a section to consider. From a larger number, a multiple of all steps could be removed without
        falling below a lower limit or tier."""
        bundle = self._bundle
        counted = (TOTAL.name, DIFFERENT.name, *_OF_ONE)
        limits = [rule.limit for rule in self._rules if rule.type in counted and rule.operation not in _UPPER]
        tiers = bundle.discount.tiers if bundle.discount else ()
        limits += [each.threshold for each in tiers if each.type in _COUNTED_TIERS and each.operation not in _UPPER]
        steps = [rule.limit for rule in self._rules if rule.type == MULTIPLES.name and rule.limit]
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
        """Whether the rules allow this number of units in total, or in a section. It must not be less than the rules for
        single products and variants require."""
        of_one = [self._in_scope((type_,), section_id) for type_ in _OF_ONE]
        enough = all(any(count_meets(rules, least) for least in range(1, count + 1)) for rules in of_one)
        return (not count or enough) and count_meets(self._in_scope((TOTAL.name, MULTIPLES.name), section_id), count)

    def _fewest_different(self, section: Section) -> int:
        """The fewest different products that the section requires."""
        scopes = [section.id] if len(self._bundle.sections) > 1 else [section.id, None]
        groups = [self._in_scope((DIFFERENT.name,), scope) for scope in scopes]
        return max(next((n for n in range(MAX_ITEMS) if count_meets(rules, n)), 0) for rules in groups)

    def _units(self, variants: Iterable[tuple[Product, Variant]], section_id: int | None) -> Iterator[Unit]:
        """The units that can be chosen in a section, cheapest first."""
        offered = {variant.id: self._unit(product, variant) for product, variant in variants}
        of_product, of_variant = (self._cap(type_, section_id) for type_ in _OF_ONE)
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

    def _cap(self, type_: str, section_id: int | None) -> int:
        """The most units of one product or variant in a section."""
        most = MAX_ITEMS
        for scope in {None, section_id}:
            rules = self._in_scope((type_,), scope)
            most = next((count for count in range(most, 0, -1) if count_meets(rules, count)), 0)
        return most

    def _in_scope(self, types: Sequence[str], section_id: int | None) -> list[LimitRule]:
        return [rule for rule in self._rules if rule.type in types and rule.section_id == section_id]


def _accepted(required: RequiredProduct, products: Mapping[int, Product]) -> list[tuple[Product, Variant]]:
    """The variants that count as a required product."""
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
    """Up to `most` units: a unit of each of the `fewest` cheapest products, then the cheapest of all others."""
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
