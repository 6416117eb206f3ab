"""Limit rules as sets of whole numbers: what each admits, and what all of one measure admit together (design 8)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Self

from bundlesvc.domain.bundle import LimitRule
from bundlesvc.domain.limit_rules import MULTIPLES_OF, PER_PRODUCT_TYPES, PRICE_TYPES, WEIGHT_TYPE
from bundlesvc.shop_file.lint.ranges import ANY_NUMBER, ITEMS, POSITIVE, Numbers, satisfying
from bundlesvc.shop_file.lint.units import Units

TOTAL = "total-number-of-products"
DIFFERENT = "number-of-different-products"
EACH_PRODUCT, EACH_VARIANT = PER_PRODUCT_TYPES
PRICE_AFTER, PRICE_BEFORE = PRICE_TYPES


@dataclass(frozen=True, slots=True)
class Limit:
    """A rule, its place in the bundle's list, and the numbers that it admits, in items, minor units or grams."""

    place: int
    rule: LimitRule
    numbers: Numbers

    @classmethod
    def of(cls, place: int, rule: LimitRule, units: Units) -> Self:
        return cls(place, rule, _numbers(rule, units))

    @property
    def is_alternative(self) -> bool:
        """`eq` rules of one measure are alternatives: one must hold."""
        return self.rule.operation == "eq" and self.rule.type != MULTIPLES_OF


def _numbers(rule: LimitRule, units: Units) -> Numbers:
    if rule.type != MULTIPLES_OF:
        return satisfying(rule.operation, units.steps(rule.type, rule.limit))
    if not rule.limit:
        return ITEMS
    return Numbers.of((count, count) for count in ITEMS & POSITIVE if count % rule.limit == 0)


class Limits:
    """The rules of a bundle that are in force. `least_items`: 0 where all units of a selection may be free, else 1."""

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
        """What the measure of a rule can be at all. Each product and variant that is measured is there at least once."""
        if rule_type in (*PRICE_TYPES, WEIGHT_TYPE):
            return ANY_NUMBER
        least = 1 if rule_type in PER_PRODUCT_TYPES else self._least_items if section_id is None else 0
        return ITEMS & Numbers.between(least, ITEMS.most)

    def bounds(self, rule_type: str, section_id: int | None) -> Numbers:
        """What the rules of one measure admit that are no alternatives; one that contradicts earlier ones is passed over."""
        return reduce(
            _narrowed,
            (limit.numbers for limit in self.of(rule_type, section_id) if not limit.is_alternative),
            self.domain(rule_type, section_id),
        )

    def admitted(self, rule_type: str, section_id: int | None) -> Numbers:
        """What all rules of one measure admit, alternatives too; never nothing: what contradicts itself is passed over."""
        alternatives = [limit.numbers for limit in self.of(rule_type, section_id) if limit.is_alternative]
        bounds = self.bounds(rule_type, section_id)
        return _narrowed(bounds, reduce(Numbers.__or__, alternatives)) if alternatives else bounds

    def counts(self, section_id: int | None) -> Numbers:
        """How many items the rules about their number admit."""
        multiples = (limit.numbers for limit in self.of(MULTIPLES_OF, section_id))
        return reduce(_narrowed, multiples, self.admitted(TOTAL, section_id))


def _narrowed(numbers: Numbers, others: Numbers) -> Numbers:
    """What both sets share; the first as it is when that is nothing."""
    return numbers & others or numbers
