"""Picking the cheapest units that may make a selection. A guess: whether it can be bought, `witnesses` proves."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bundlesvc.domain.selection import NO_SECTION
from bundlesvc.shop_file.lint.catalogue import Choice
from bundlesvc.shop_file.lint.limits import EACH_PRODUCT, EACH_VARIANT
from bundlesvc.shop_file.lint.subject import Subject
from bundlesvc.shop_file.lint.terms import requirements_of

_MOST_OPTIONS = 50
"""Only so many choices of a section are looked at, the cheapest: what is not found among them is not reported."""

Picked = Counter[tuple[int, Choice]]
"""How many units of each choice, by section."""


class Option(NamedTuple):
    """A choice in a section, and what a unit costs in minor units."""

    section_id: int
    choice: Choice
    price: int


def pick(subject: Subject, count: int, *, spread: bool) -> Picked | None:
    """So many units: first what sections and required products need, then the cheapest; `spread`: of many products.

    None when that leads nowhere.
    """
    options = {section_id: _options(subject, section_id) for section_id in subject.in_stock.sections}
    needs = list(requirements_of(subject.bundle, subject.catalogue))
    needed = {choice for need in needs for choice in need.choices}
    basket = _Basket(subject, spread=spread)
    done = all(basket.take(options[section_id], basket.least_of(section_id), rather=needed) for section_id in options)
    for need in needs:
        loose = [option for option in options[NO_SECTION] if option.choice in need.choices]
        done = done and basket.take(loose, need.quantity - basket.count_of(need.choices))
    everything = [option for section in options.values() for option in section]
    rest = count - basket.picked.total()
    return basket.picked if done and rest >= 0 and basket.take(everything, rest) else None


def _options(subject: Subject, section_id: int) -> list[Option]:
    choices = subject.terms.offers.within(section_id)
    options = [Option(section_id, choice, subject.catalogue.price_span(choice)[0]) for choice in choices]
    return sorted(options, key=lambda option: option.price)[:_MOST_OPTIONS]


class _Basket:
    def __init__(self, subject: Subject, *, spread: bool) -> None:
        self.picked: Picked = Counter()
        self._subject = subject
        self._spread = spread
        self._most_of_product = subject.limits.admitted(EACH_PRODUCT, None).most
        self._most_of_variant = subject.limits.admitted(EACH_VARIANT, None).most
        self._by_choice: Counter[Choice] = Counter()
        self._by_product: Counter[int] = Counter()
        self._by_section: Counter[int] = Counter()

    def least_of(self, section_id: int) -> int:
        """How many items a section needs."""
        return self._subject.in_stock.counts_in(section_id).least

    def count_of(self, choices: Iterable[Choice]) -> int:
        return sum(self._by_choice[choice] for choice in choices)

    def take(
        self, options: Sequence[Option], count: int, rather: frozenset[Choice] | set[Choice] = frozenset()
    ) -> bool:
        """Take so many units of these options, as far as possible `rather` ones; False when there are too few."""
        for _ in range(count):
            free = [option for option in options if self._has_room(option)]
            if not free:
                return False
            best = min(free, key=lambda option: (option.choice not in rather, *self._rank(option)))
            self._add(best)
        return True

    def _rank(self, option: Option) -> tuple[int, bool, int]:
        """Cheapest first; what costs nothing last, because a selection for nothing shows nothing."""
        return self._by_product[option.choice.product_id] if self._spread else 0, option.price == 0, option.price

    def _has_room(self, option: Option) -> bool:
        choice = option.choice
        return (
            self._by_choice[choice] < min(self._subject.catalogue.stock(choice), self._most_of_variant)
            and self._by_product[choice.product_id] < self._most_of_product
            and self._by_section[option.section_id] < self._subject.in_stock.counts_in(option.section_id).most
        )

    def _add(self, option: Option) -> None:
        self.picked[option.section_id, option.choice] += 1
        self._by_choice[option.choice] += 1
        self._by_product[option.choice.product_id] += 1
        self._by_section[option.section_id] += 1
