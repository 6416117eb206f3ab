"""A line of a selection: identical units of one variant in one section, with the same answers to personalisation fields."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Self

from bundlesvc.domain.money import ZERO
from bundlesvc.domain.product import Product, Variant, unit_price
from bundlesvc.immutable import immutable

Answers = tuple[tuple[str, str], ...]
"""A shopper's answers to personalisation fields, as pairs of a key and a text."""


@immutable
class Line:
    """A line of `count` units at `unit_price` (shop currency). `first` is the position of the first unit in the request;
    `answers` are the answers to personalisation fields, which are the same for all units."""

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
        """The product's title, with the variant's title when the product has several variants."""
        return self.product.title_of(self.variant)

    def at_home(self, shop_currency: str) -> Self:
        """Return the line at the variant's own price, without a market."""
        return replace(self, unit_price=unit_price(self.variant, None, shop_currency))

    def of(self, count: int) -> Self:
        """Return a copy of the line, with `count` units."""
        return replace(self, count=count)


def total_amount(lines: Iterable[Line]) -> Decimal:
    return sum([line.unit_price * line.count for line in lines], ZERO)


def total_count(lines: Iterable[Line]) -> int:
    return sum([line.count for line in lines])


def total_grams(lines: Iterable[Line]) -> int:
    return sum(line.grams for line in lines)


def without_answers(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Merge the lines by variant and section. Prices and rules ignore answers (docs/contract.md#allocation)."""
    merged: dict[tuple[int, int], Line] = {}
    for line in lines:
        key = (line.variant.id, line.section_id)
        merged[key] = line.of(merged[key].count + line.count) if key in merged else line
    return tuple(merged.values())


def in_section(lines: Sequence[Line], section_id: int | None) -> Sequence[Line]:
    """Return the lines of one section; all lines when `section_id` is None."""
    return lines if section_id is None else [line for line in lines if line.section_id == section_id]
