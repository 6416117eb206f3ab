"""Limit rules as sets of whole numbers, and how many units of each product they allow."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Self

from bundlesvc.domain import measures
from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.rules.rule_types import DIFFERENT, PRODUCT, VARIANT, RuleType, Subject, type_of
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

_ANY_VARIANTS = -1
"""Stands for the capacity of a choice that is not a single variant but any variant of a product."""

Products = Mapping[int, Numbers]
"""The numbers of units that can be chosen, by product."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A rule, its index in the bundle's list, and the numbers that it allows, in items, minor units or grams."""

    place: int
    rule: LimitRule
    numbers: Numbers

    @classmethod
    def of(cls, place: int, rule: LimitRule, units: Units) -> Self:
        return cls(place, rule, _numbers(rule, units))

    @property
    def type(self) -> RuleType:
        return type_of(self.rule)

    @property
    def is_alternative(self) -> bool:
        """Whether the rule is an `eq` rule, other than a `multiples-of` rule. Of all such rules about the same measure, at least
        one must hold."""
        return self.rule.operation == "eq" and not self.type.is_multiple


def _numbers(rule: LimitRule, units: Units) -> Numbers:
    if not type_of(rule).is_multiple:
        return satisfying(rule.operation, units.steps(type_of(rule).unit, rule.limit))
    if not rule.limit:
        return ITEMS
    return Numbers.of((count, count) for count in ITEMS & POSITIVE if count % rule.limit == 0)


class Limits:
    """The rules of a bundle that are in force, by type and by section.

    `least_items` is the smallest number of paid items: 0 when all units of a selection may be free, otherwise 1.
    """

    def __init__(self, limits: Iterable[Limit], least_items: int) -> None:
        self._least_items = least_items
        self.by_measure: dict[tuple[RuleType, int | None], list[Limit]] = {}
        for limit in limits:
            self.by_measure.setdefault((limit.type, limit.rule.section_id), []).append(limit)

    def of(self, row: RuleType, section_id: int | None) -> Sequence[Limit]:
        return self.by_measure.get((row, section_id), ())

    def types(self, section_id: int | None) -> list[RuleType]:
        """Return the types of the rules for a section, or for the whole bundle."""
        return [row for row, scope in self.by_measure if scope == section_id]

    def of_section(self, section_id: int) -> list[Limit]:
        """Return all rules for a section, in the order in which the bundle lists them."""
        limits = [limit for (_, scope), group in self.by_measure.items() if scope == section_id for limit in group]
        return sorted(limits, key=lambda limit: limit.place)

    def domain(self, row: RuleType, section_id: int | None) -> Numbers:
        """Return all values that the measure of a rule can have. Only chosen products and variants are measured, so a count per
        product or variant is never 0."""
        if row.unit != measures.ITEMS:
            return ANY_NUMBER
        return self._sizes(section_id) if row.of_each is None else ITEMS & POSITIVE

    def _sizes(self, section_id: int | None) -> Numbers:
        """Return the numbers of items that a section, or the whole bundle, can contain, whatever the rules are."""
        return Numbers.between(self._least_items if section_id is None else 0, ITEMS.most)

    def bounds(self, row: RuleType, section_id: int | None) -> Numbers:
        """Return the numbers that every rule of one type allows. Rules that are `eq` alternatives are ignored, and so is a rule
        that contradicts the others."""
        return reduce(
            _narrowed,
            (limit.numbers for limit in self.of(row, section_id) if not limit.is_alternative),
            self.domain(row, section_id),
        )

    def admitted(self, row: RuleType, section_id: int | None) -> Numbers:
        """Return the numbers that all rules of one type allow together. The set is never empty, because contradictory rules are
        ignored."""
        alternatives = [limit.numbers for limit in self.of(row, section_id) if limit.is_alternative]
        bounds = self.bounds(row, section_id)
        return _narrowed(bounds, reduce(Numbers.__or__, alternatives)) if alternatives else bounds

    def totals(self, section_id: int | None) -> Numbers:
        """Return the numbers of items that the rules about totals allow, apart from rules about multiples."""
        rows = (row for row in self.types(section_id) if row.counts_units and not row.is_multiple)
        return reduce(_narrowed, (self.admitted(row, section_id) for row in rows), self._sizes(section_id))

    def counts(self, section_id: int | None) -> Numbers:
        """Return the numbers of items that the rules about totals and multiples allow."""
        rows = (row for row in self.types(section_id) if row.is_multiple)
        multiples = (limit.numbers for row in rows for limit in self.of(row, section_id))
        return reduce(_narrowed, multiples, self.totals(section_id))

    def products(
        self, choices: Iterable[Choice], capacity: Callable[[Choice], int], section_id: int | None
    ) -> Products:
        """Return the possible numbers of units of each product, including 0. `capacity` returns the maximum number of units of a
        choice."""
        each_variant, each_product = self.each(VARIANT, section_id), self.each(PRODUCT, section_id)
        most_of_variant = each_variant.most if each_variant else 0
        capacities: dict[int, list[int]] = {}
        for choice in choices:
            most = min(capacity(choice), most_of_variant) if choice.variant_id else _ANY_VARIANTS
            capacities.setdefault(choice.product_id, []).append(most)

        @cache  # most products have the same limits
        def units(*most_of_each: int) -> Numbers:
            each = (
                ITEMS if most == _ANY_VARIANTS else ZERO_ONLY | each_variant & Numbers.between(1, most)
                for most in most_of_each
            )
            return ZERO_ONLY | totals_of(each) & each_product

        return {product_id: units(*most_of_each) for product_id, most_of_each in capacities.items()}

    def each(self, subject: Subject, section_id: int | None) -> Numbers:
        """Return the allowed numbers of units of one product or variant in a section. None of them exceeds the maximum for the
        whole bundle."""
        in_all = reduce(_narrowed, self._each(subject, None), ITEMS & POSITIVE)
        if section_id is None:
            return in_all
        here = reduce(_narrowed, self._each(subject, section_id), ITEMS & POSITIVE)
        return here & Numbers.between(0, in_all.most)

    def _each(self, subject: Subject, section_id: int | None) -> Iterator[Numbers]:
        return (self.admitted(row, section_id) for row in self.types(section_id) if row.of_each is subject)

    def totals_of_different(self, products: Products, section_id: int | None) -> Numbers:
        """Return the numbers of items that are possible with an allowed number of different products."""
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
    """Return the intersection, or the first set unchanged if the intersection would be empty."""
    return numbers & others or numbers
