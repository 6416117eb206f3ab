"""A line of a selection: equal units, the same variant chosen in the same section, personalised alike."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Self

from bundlesvc.domain.money import ZERO
from bundlesvc.domain.product import Product, Variant

Answers = tuple[tuple[str, str], ...]
"""A shopper's answers to personalisation fields: pairs of key and text."""


@dataclass(frozen=True, slots=True)
class Line:
    """`count` units at `unit_price` (shop currency); `first` is the place of the first of them in the request, `answers`
    the shopper's personalisation of each unit."""

    product: Product
    variant: Variant
    section_id: int
    count: int
    unit_price: Decimal
    first: int
    answers: Answers = ()

    @property
    def amount(self) -> Decimal:
        return self.unit_price * self.count

    @property
    def grams(self) -> int:
        return self.variant.grams * self.count

    @property
    def title(self) -> str:
        """The product's title, with the variant's where there are several to tell apart."""
        several = len(self.product.variants) > 1
        return f"{self.product.title} ({self.variant.title})" if several else self.product.title

    def of(self, count: int) -> Self:
        """The same line with another number of units."""
        return replace(self, count=count)


def total_amount(lines: Iterable[Line]) -> Decimal:
    return sum((line.amount for line in lines), ZERO)


def total_count(lines: Iterable[Line]) -> int:
    return sum(line.count for line in lines)


def total_grams(lines: Iterable[Line]) -> int:
    return sum(line.grams for line in lines)


def without_answers(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines by variant and section alone, which is all that prices and rules look at (design 7.7)."""
    merged: dict[tuple[int, int], Line] = {}
    for line in lines:
        key = (line.variant.id, line.section_id)
        merged[key] = line.of(merged[key].count + line.count) if key in merged else line
    return tuple(merged.values())


def in_section(lines: Iterable[Line], section_id: int | None) -> list[Line]:
    """The lines of one section; all of them when no section is asked for."""
    return [line for line in lines if section_id is None or line.section_id == section_id]
