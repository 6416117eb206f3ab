"""Limit rules as sets of whole numbers, and how many units of each product they allow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Self

from bundlesvc.domain import measures
from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.rules import rule_types
from bundlesvc.domain.rules.rule_types import RULE_TYPES, type_of
from bundlesvc.shop_file.lint.reasoning.numbers import (
    ANY_NUMBER,
    ITEMS,
    POSITIVE,
    ZERO_ONLY,
    Numbers,
    Units,
    satisfying,
    totals_of,
)
from bundlesvc.shop_file.lint.reasoning.offers import Choice

TOTAL, DIFFERENT, MULTIPLES = rule_types.TOTAL.name, rule_types.DIFFERENT.name, rule_types.MULTIPLES.name
EACH_PRODUCT, EACH_VARIANT = rule_types.EACH_PRODUCT.name, rule_types.EACH_VARIANT.name
PRICE_AFTER, PRICE_BEFORE = rule_types.PRICE_AFTER.name, rule_types.PRICE_BEFORE.name
TOTAL_WEIGHT = rule_types.TOTAL_WEIGHT.name

_ANY_VARIANTS = -1
"""The capacity of a choice that stands for any number of variants."""

Products = Mapping[int, Numbers]
"""For each product, how many units of it can be chosen."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A rule, its place in the bundle's list, and the numbers it allows, in items, minor units or grams."""

    place: int
    rule: LimitRule
    numbers: Numbers

    @classmethod
    def of(cls, place: int, rule: LimitRule, units: Units) -> Self:
        return cls(place, rule, _numbers(rule, units))

    @property
    def is_alternative(self) -> bool:
        """Whether it is one of several `eq` rules, of which one must hold."""
        return self.rule.operation == "eq" and not type_of(self.rule).is_multiple


def _numbers(rule: LimitRule, units: Units) -> Numbers:
    if not type_of(rule).is_multiple:
        return satisfying(rule.operation, units.steps(type_of(rule).unit, rule.limit))
    if not rule.limit:
        return ITEMS
    return Numbers.of((count, count) for count in ITEMS & POSITIVE if count % rule.limit == 0)


class Limits:
    """The rules of a bundle that are in force, by what they measure and where.

    `least_items` is the smallest number of paid items: 0 when all units of a selection may be free, else 1.
    """

    def __init__(self, limits: Iterable[Limit], least_items: int) -> None:
        self._least_items = least_items
        self.by_measure: dict[tuple[str, int | None], list[Limit]] = {}
        for limit in limits:
            self.by_measure.setdefault((limit.rule.type, limit.rule.section_id), []).append(limit)

    def of(self, rule_type: str, section_id: int | None) -> Sequence[Limit]:
        return self.by_measure.get((rule_type, section_id), ())

    def of_section(self, section_id: int) -> list[Limit]:
        """All rules about a section, in the order of the bundle's list."""
        limits = [limit for (_, scope), group in self.by_measure.items() if scope == section_id for limit in group]
        return sorted(limits, key=lambda limit: limit.place)

    def domain(self, rule_type: str, section_id: int | None) -> Numbers:
        """Every number that the measure of a rule can be. Only products and variants that are chosen are measured."""
        row = RULE_TYPES[rule_type]
        if row.unit != measures.ITEMS:
            return ANY_NUMBER
        least = 1 if row.of_each else self._least_items if section_id is None else 0
        return ITEMS & Numbers.between(least, ITEMS.most)

    def bounds(self, rule_type: str, section_id: int | None) -> Numbers:
        """The numbers that the rules of one measure allow together, without `eq` alternatives. A rule that contradicts others
        is ignored."""
        return reduce(
            _narrowed,
            (limit.numbers for limit in self.of(rule_type, section_id) if not limit.is_alternative),
            self.domain(rule_type, section_id),
        )

    def admitted(self, rule_type: str, section_id: int | None) -> Numbers:
        """The numbers that all rules of one measure allow together; never empty, because contradicting rules are ignored."""
        alternatives = [limit.numbers for limit in self.of(rule_type, section_id) if limit.is_alternative]
        bounds = self.bounds(rule_type, section_id)
        return _narrowed(bounds, reduce(Numbers.__or__, alternatives)) if alternatives else bounds

    def counts(self, section_id: int | None) -> Numbers:
        """The numbers of items that the rules about totals and multiples allow."""
        multiples = (limit.numbers for limit in self.of(MULTIPLES, section_id))
        return reduce(_narrowed, multiples, self.admitted(TOTAL, section_id))

    def products(
        self, choices: Iterable[Choice], capacity: Callable[[Choice], int], section_id: int | None
    ) -> Products:
        """The possible numbers of units of each product, 0 included; `capacity` limits the units of one choice."""
        each_variant, each_product = self._each(EACH_VARIANT, section_id), self._each(EACH_PRODUCT, section_id)
        most_of_variant = each_variant.most if each_variant else 0
        capacities: dict[int, list[int]] = {}
        for choice in choices:
            most = min(capacity(choice), most_of_variant) if choice.variant_id else _ANY_VARIANTS
            capacities.setdefault(choice.product_id, []).append(most)

        @cache  # most products are alike
        def units(*most_of_each: int) -> Numbers:
            each = (
                ITEMS if most == _ANY_VARIANTS else ZERO_ONLY | each_variant & Numbers.between(1, most)
                for most in most_of_each
            )
            return ZERO_ONLY | totals_of(each) & each_product

        return {product_id: units(*most_of_each) for product_id, most_of_each in capacities.items()}

    def _each(self, rule_type: str, section_id: int | None) -> Numbers:
        """The allowed numbers of units of one product or variant in a section; never more than in the whole bundle."""
        in_all = self.admitted(rule_type, None)
        if section_id is None:
            return in_all
        return self.admitted(rule_type, section_id) & Numbers.between(0, in_all.most)

    def totals_of_different(self, products: Products, section_id: int | None) -> Numbers:
        """The numbers of items that can have an allowed number of different products."""
        if not self.of(DIFFERENT, section_id):
            return ITEMS
        available = [positive for counts in products.values() if (positive := counts & POSITIVE)]
        needed = sum(1 for counts in products.values() if 0 not in counts)
        different = self.admitted(DIFFERENT, section_id) & Numbers.between(needed, len(available))
        if not different:
            return different
        least = sorted(counts.least for counts in available)[: different.least]
        most = sorted((counts.most for counts in available), reverse=True)[: different.most]
        return Numbers.between(sum(least), sum(most))


def _narrowed(numbers: Numbers, others: Numbers) -> Numbers:
    """The intersection, or the first set unchanged when that would be empty."""
    return numbers & others or numbers
