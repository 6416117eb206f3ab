"""The least that a number of a bundle's units costs before discounts, and a selection that costs it.

Sections, their counts, required products, stock, and limits for one product or variant are computed with. Every other rule is
left out, which can only make the amounts smaller: none of them is above that of a selection that can be configured.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle, LimitRule, RequiredProduct, Section
from bundlesvc.domain.limit_rules import MULTIPLES_OF, count_meets
from bundlesvc.domain.line import Line
from bundlesvc.domain.money import from_minor_units, minor_units
from bundlesvc.domain.product import ACTIVE, Product, Variant, unit_price
from bundlesvc.domain.selection import MAX_ITEMS, NO_SECTION

MAX_STEPS = 50_000
"""How many ways to combine the counts of sections are compared: some ten milliseconds."""

_COUNTS = ("total-number-of-products", MULTIPLES_OF)
_DIFFERENT = "number-of-different-products"
_COUNTED_TIERS = ("total_products", "bulk_buy")


class Cheapest(NamedTuple):
    """The cheapest selection of a number of units: its amount before discounts, in minor units of the currency, and its lines."""

    units: int
    amount: int
    lines: tuple[Line, ...]


class _Unit(NamedTuple):
    price: int
    variant: Variant
    product: Product


@dataclass(frozen=True, slots=True)
class _Pool:
    """What may be chosen in a section: `units` in the order in which they are best taken, at least `fewest` of them; `counts` are
    the numbers of units that its rules allow. Required units may be placed in it too."""

    section_id: int
    units: Sequence[_Unit]
    amounts: Sequence[int]
    counts: Sequence[int]
    fewest: int

    def choices(self, required: int) -> Iterator[tuple[int, int]]:
        """Numbers of units of its own, and of required ones."""
        for count in self.counts:
            for moved in range(min(required, count) + 1):
                if self.fewest <= count - moved < len(self.amounts):
                    yield count - moved, moved


class _Spread(NamedTuple):
    """The cheapest way to fill the pools up to here, with the choice in each."""

    amount: int
    choices: tuple[tuple[int, int], ...]


class CheapestUnits:
    """`products` are those that the platform has; the rules of `void` sections do not count."""

    def __init__(self, bundle: Bundle, products: Mapping[int, Product], currency: str, void: frozenset[int]) -> None:
        self._bundle = bundle
        self._products = products
        self._currency = currency
        self._rules = [rule for rule in bundle.limit_rules if rule.section_id not in void]
        self._most = self._most_in_a_section()

    def by_count(self) -> list[Cheapest] | None:
        """A selection for each number of units; those of more units cost no less. None when it takes too long, or when required
        products overlap."""
        required = self._required_units()
        if required is None:
            return None
        pools = self._pools()
        size = len(pools) * (self._most + 1) * (len(required) + 1) ** 2
        if size * min(len(pools) * self._most, MAX_ITEMS) > MAX_STEPS:
            return None
        found: dict[int, Cheapest] = {}
        for (inside, moved), spread in _spread(pools, len(required)).items():
            count = inside + len(required) - moved
            amount = spread.amount + sum(unit.price for unit in required)
            if self._allows(count) and (count not in found or amount < found[count].amount):
                found[count] = Cheapest(count, amount, self._lines(pools, spread.choices, required))
        return [found[count] for count in sorted(found)]

    def _allows(self, count: int) -> bool:
        rules = [rule for rule in self._rules if rule.type in _COUNTS and rule.section_id is None]
        return 1 <= count <= MAX_ITEMS and count_meets(rules, count)

    def _most_in_a_section(self) -> int:
        """Above this, a multiple of all steps can be taken out of a section, and every rule and tier stays as it is."""
        bundle = self._bundle
        limits = [rule.limit for rule in self._rules if rule.type in (_COUNTS[0], _DIFFERENT)]
        tiers = bundle.discount.tiers if bundle.discount else ()
        limits += [tier.threshold for tier in tiers if tier.type in _COUNTED_TIERS]
        steps = [rule.limit for rule in self._rules if rule.type == MULTIPLES_OF and rule.limit]
        step = math.lcm(*(Fraction(each).numerator for each in steps))
        required = sum(each.quantity for each in bundle.required_products)
        return min(math.ceil(max(limits, default=0)) + required + step, MAX_ITEMS)

    def _required_units(self) -> list[_Unit] | None:
        """The cheapest units of the required products. None when two name the same product, or one is not to be had."""
        required = self._bundle.required_products
        if len({each.product_id for each in required}) < len(required):
            return None
        units: list[_Unit] = []
        for each in required:
            cheapest = list(islice(self._units(_accepted(each, self._products), None), each.quantity))
            if len(cheapest) < each.quantity:
                return None
            units += cheapest
        return units

    def _pools(self) -> list[_Pool]:
        required = [variant for each in self._bundle.required_products for variant in _accepted(each, self._products)]
        pools = [self._pool(section, required) for section in self._bundle.sections]
        if required:
            units = list(islice(self._units(required, None), self._most))
            pools.append(_Pool(NO_SECTION, units, _sums(units), range(self._most + 1), 0))
        return pools

    def _pool(self, section: Section, required: Sequence[tuple[Product, Variant]]) -> _Pool:
        rules = [rule for rule in self._rules if rule.type in _COUNTS and rule.section_id == section.id]
        counts = [count for count in range(self._most + 1) if count_meets(rules, count)]
        fewest = max(0, self._fewest_different(section) - len(self._bundle.required_products))
        variants = [*_offered(section, self._products), *required]
        units = _different_first(self._units(variants, section.id), fewest, self._most)
        return _Pool(section.id, units, _sums(units), counts, fewest)

    def _fewest_different(self, section: Section) -> int:
        """How many different products the section needs at least."""
        scopes = [section.id] if len(self._bundle.sections) > 1 else [section.id, None]
        needed = (
            next((count for count in range(MAX_ITEMS) if count_meets(self._in_scope(_DIFFERENT, [scope]), count)), 0)
            for scope in scopes
        )
        return max(needed)

    def _units(self, variants: Iterable[tuple[Product, Variant]], section_id: int | None) -> Iterator[_Unit]:
        """The units that can be chosen in a section, cheapest first."""
        offered = {variant.id: self._unit(product, variant) for product, variant in variants}
        scopes = [None] if section_id is None else [None, section_id]
        of_variant = self._cap("amount-of-one-variant", scopes)
        of_product = self._cap("amount-of-one-product", scopes)
        taken: Counter[int] = Counter()
        for unit in sorted(offered.values(), key=lambda unit: unit.price):
            left = min(of_variant, of_product - taken[unit.product.id])
            for count in range(1, left + 1):
                if not unit.variant.in_stock(count):
                    break
                taken[unit.product.id] += 1
                yield unit

    def _unit(self, product: Product, variant: Variant) -> _Unit:
        price = unit_price(variant, None, self._currency)
        return _Unit(minor_units(price, self._currency), variant, product)

    def _cap(self, type_: str, scopes: Sequence[int | None]) -> int:
        """The most units of one product or variant."""
        most = MAX_ITEMS
        for scope in scopes:
            rules = self._in_scope(type_, [scope])
            most = next((count for count in range(most, 0, -1) if count_meets(rules, count)), 0)
        return most

    def _in_scope(self, type_: str, scopes: Sequence[int | None]) -> list[LimitRule]:
        return [rule for rule in self._rules if rule.type == type_ and rule.section_id in scopes]

    def _lines(
        self, pools: Sequence[_Pool], choices: Sequence[tuple[int, int]], required: Sequence[_Unit]
    ) -> tuple[Line, ...]:
        placed: list[tuple[int, _Unit]] = []
        rest = iter(required)
        for pool, (own, moved) in zip(pools, choices, strict=True):
            placed += [(pool.section_id, unit) for unit in (*pool.units[:own], *islice(rest, moved))]
        placed += [(NO_SECTION, unit) for unit in rest]
        counts = Counter((section_id, unit.variant.id) for section_id, unit in placed)
        units = {(section_id, unit.variant.id): unit for section_id, unit in placed}
        return tuple(
            Line(unit.product, unit.variant, key[0], counts[key], from_minor_units(unit.price, self._currency), 0)
            for key, unit in units.items()
        )


def _spread(pools: Sequence[_Pool], required: int) -> Mapping[tuple[int, int], _Spread]:
    """The cheapest way to fill all pools, by the number of units in them, and of required ones among these."""
    best = {(0, 0): _Spread(0, ())}
    for pool in pools:
        following: dict[tuple[int, int], _Spread] = {}
        for (count, moved_before), spread in best.items():
            left = 0 if pool.section_id == NO_SECTION else required - moved_before
            for own, moved in pool.choices(left):
                key = count + own + moved, moved_before + moved
                amount = spread.amount + pool.amounts[own]
                if key[0] <= MAX_ITEMS and (key not in following or amount < following[key].amount):
                    following[key] = _Spread(amount, (*spread.choices, (own, moved)))
        best = following
    return best


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


def _different_first(units: Iterator[_Unit], fewest: int, most: int) -> list[_Unit]:
    """Up to `most` units: a unit of each of the `fewest` cheapest products, then the cheapest of all others."""
    first: dict[int, _Unit] = {}
    others: list[_Unit] = []
    for unit in units:
        if unit.product.id not in first and len(first) < fewest:
            first[unit.product.id] = unit
        elif len(others) < most:
            others.append(unit)
        if len(first) == fewest and len(others) == most:
            break
    return [*first.values(), *others][:most] if len(first) == fewest else []


def _sums(units: Sequence[_Unit]) -> list[int]:
    return list(accumulate((unit.price for unit in units), initial=0))
