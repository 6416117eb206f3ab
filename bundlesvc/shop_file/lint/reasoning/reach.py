"""The selections that a bundle allows: how many items they can contain, and how much they can cost and weigh.

Only paid units count here, because no rule counts free units.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, partial

from bundlesvc.domain import measures
from bundlesvc.domain.rules.rule_types import PRICE_AFTER, PRICE_BEFORE, RuleType
from bundlesvc.domain.selection import MAX_ITEMS
from bundlesvc.domain.unit_bounds import ONE_EACH, PRICE, UnitBounds
from bundlesvc.shop_file.lint.reasoning.amounts import Costs, Effects, Stack, merged
from bundlesvc.shop_file.lint.reasoning.limits import Limits, Products
from bundlesvc.shop_file.lint.reasoning.numbers import ITEMS, POSITIVE, ZERO_ONLY, Numbers, at_least, totals_of
from bundlesvc.shop_file.lint.reasoning.offers import Catalogue, Choice, OfferedChoices, Requirement


@dataclass(frozen=True, slots=True)
class Terms:
    """What a bundle offers and requires. Sections that are always hidden are left out, together with their rules.

    `requirements` contains the largest requirement for each product; `hideable` contains the sections that conditions may hide. A
    hidden section requires nothing.
    """

    offers: OfferedChoices
    limits: Limits
    requirements: tuple[Requirement, ...]
    hideable: frozenset[int]
    effects: Effects


class Cause(Enum):
    """The kind of demand that excludes the last possible numbers of items."""

    OFFER = auto()
    AMOUNTS = auto()
    REQUIRED = auto()
    SECTIONS = auto()
    DIFFERENT = auto()
    WEIGHT = auto()
    PRICE = auto()


_CAUSES = {measures.ITEMS: Cause.AMOUNTS, measures.WEIGHT: Cause.WEIGHT, measures.MONEY: Cause.PRICE}
"""The cause of a demand that follows from the bounds of a type of rule, by the unit of that type."""

_Demand = tuple[Cause, Callable[[Numbers], Numbers]]
"""A cause, and a function that returns which of the given numbers of items can meet the demand."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The numbers of items that all demands allow.

    If the demands exclude every number, `cause` is the kind of demand that excluded the last remaining numbers, and `counts`
    contains the numbers that were left before that demand was applied.
    """

    counts: Numbers
    cause: Cause | None


def _narrowed(counts: Numbers, demands: Sequence[_Demand]) -> Narrowed:
    for cause, demand in demands:
        left = counts & demand(counts)
        if not left:
            return Narrowed(counts, cause)
        counts = left
    return Narrowed(counts, None)


class Reach:
    """The selections that are possible under the bundle's terms; with `by_stock`, only those that the current stock also
    allows."""

    def __init__(self, terms: Terms, catalogue: Catalogue, *, by_stock: bool) -> None:
        self._terms = terms
        self._limits = terms.limits
        self._catalogue = catalogue
        self._by_stock = by_stock
        self._products: dict[int | None, Products] = {}
        self._known_sums: dict[tuple[UnitBounds, int | None], Costs] = {}

    @cached_property
    def is_possible(self) -> bool:
        """Whether a valid selection may exist. False means that there is certainly none."""
        hideable = self._terms.hideable
        sections = (found.cause for section_id, found in self.sections.items() if section_id not in hideable)
        return self.whole.cause is None and not self.unmet and not any(sections)

    @cached_property
    def whole(self) -> Narrowed:
        """The possible numbers of items in the whole bundle."""
        demands: list[_Demand] = [
            (Cause.OFFER, lambda _: self._offered(None)),
            (Cause.AMOUNTS, lambda _: totals_of(self.products.values())),
            (Cause.REQUIRED, lambda _: totals_of(self.products_with_required.values())),
            (Cause.SECTIONS, lambda _: totals_of(map(self._section_counts, self.sections))),
            (Cause.DIFFERENT, lambda _: self._limits.totals_of_different(self.products_with_required, None)),
            *self._by_bounds(None),
            (Cause.PRICE, lambda counts: self._of_price(counts, None)),
        ]
        return _narrowed(self._limits.counts(None), demands)

    @cached_property
    def sections(self) -> Mapping[int, Narrowed]:
        """The possible numbers of items in each section while it is visible."""
        return {section_id: self._section(section_id) for section_id in self._terms.offers.by_section}

    def _section(self, section_id: int) -> Narrowed:
        products = self._products_in(section_id)
        demands: list[_Demand] = [
            (Cause.OFFER, lambda _: self._offered(section_id)),
            (Cause.AMOUNTS, lambda _: totals_of(products.values())),
            (Cause.DIFFERENT, lambda _: self._limits.totals_of_different(products, section_id)),
            *self._by_bounds(section_id),
            (Cause.PRICE, lambda counts: self._of_price(counts, section_id)),
        ]
        return _narrowed(self._limits.counts(section_id), demands)

    def narrowed(self, section_id: int | None) -> Narrowed:
        """Return the possible numbers of items in a section while it is visible, or in the whole bundle when `section_id` is
        None."""
        return self.whole if section_id is None else self.sections[section_id]

    def counts_in(self, section_id: int | None) -> Numbers:
        """Return the possible numbers of items in a section, or in the whole bundle when `section_id` is None. They include 0 if
        the section may be hidden or is not offered."""
        if section_id is None:
            return self.whole.counts
        return self._section_counts(section_id) if section_id in self.sections else ZERO_ONLY

    def counts_with(self, section_id: int, count: int) -> Numbers:
        """Return the possible numbers of items in the whole bundle when this section contains `count` items."""
        others = (self._section_counts(other) for other in self.sections if other != section_id)
        return self.whole.counts & totals_of([Numbers.between(count, count), *others])

    def _section_counts(self, section_id: int) -> Numbers:
        counts = self.sections[section_id].counts
        return counts | ZERO_ONLY if section_id in self._terms.hideable else counts

    @cached_property
    def products(self) -> Products:
        """The possible numbers of units of each product in the whole bundle, without regard to required products."""
        return self._products_in(None)

    @cached_property
    def products_with_required(self) -> Products:
        """The possible numbers of units of each product in the whole bundle. A required product has at least the required number
        of units."""
        required = {need.product_id: self.products[need.product_id] & at_least(need.quantity) for need in self.met}
        return {**self.products, **required}

    @cached_property
    def met(self) -> tuple[Requirement, ...]:
        """The requirements that can be met, each considered alone."""
        return tuple(need for need in self._terms.requirements if self._can_meet(need))

    @cached_property
    def unmet(self) -> tuple[Requirement, ...]:
        """The requirements that no selection can meet."""
        return tuple(need for need in self._terms.requirements if not self._can_meet(need))

    def _can_meet(self, need: Requirement) -> bool:
        return bool(self.products.get(need.product_id, ZERO_ONLY) & at_least(need.quantity))

    def products_offered(self, section_id: int | None) -> int:
        """Return the number of different products that can be chosen in a section, or in the whole bundle when `section_id` is
        None."""
        return sum(1 for counts in self._products_in(section_id).values() if counts & POSITIVE)

    @property
    def has_unknown_products(self) -> bool:
        """Whether the product of some variant is unknown. Such a product may turn out to be one of the known products."""
        return any(product_id < 0 for product_id in self.products)

    @cached_property
    def largest(self) -> Numbers:
        """The possible numbers of units of the most frequent product in a selection."""
        counts = Numbers.of(pair for counts in self.products.values() for pair in counts.ranges)
        if self.has_unknown_products:
            counts = ITEMS
        return counts & Numbers.between(min(self.whole.counts.least, 1), self.whole.counts.most)

    @cached_property
    def amounts(self) -> Numbers:
        """The possible amounts of whole selections before discount, in minor units."""
        amounts = self.amounts_of(self.whole.counts)
        return amounts & self._limits.admitted(PRICE_BEFORE, None) or amounts

    def amounts_of(self, counts: Iterable[int]) -> Numbers:
        """Return the possible amounts of whole selections with these numbers of items, before discount, in minor units."""
        return self._sums(PRICE, None).spans(counts)

    def least_amount_of(self, count: int) -> int:
        """Return a lower bound on the amount of whole selections with at least this number of items."""
        return self._sums(PRICE, None).least(count)

    def measured_in(self, bounds: UnitBounds, section_id: int | None) -> Numbers:
        """Return the possible values of a measure with these bounds, in items, minor units or grams. The measure is taken in one
        section, or in the whole bundle when `section_id` is None."""
        if bounds is ONE_EACH:
            return self.counts_in(section_id)
        if bounds is PRICE and section_id is None:
            return self.amounts
        return self._sums(bounds, section_id).spans(self.counts_in(section_id))

    def _capacity(self, choice: Choice) -> int:
        return self._catalogue.stock(choice) if self._by_stock else MAX_ITEMS

    def _offered(self, section_id: int | None) -> Numbers:
        return ITEMS if self._terms.offers.within(section_id) else ZERO_ONLY

    def _products_in(self, section_id: int | None) -> Products:
        if section_id not in self._products:
            choices, most = self._terms.offers.within(section_id), self._limits.counts(section_id).most
            self._products[section_id] = self._limits.products(
                choices,
                # Stock beyond the number of items that the rules allow makes no difference. Capping it makes more products alike.
                (lambda choice: min(self._capacity(choice), most)) if self._by_stock else self._capacity,
                section_id,
            )
        return self._products[section_id]

    def _by_bounds(self, section_id: int | None) -> Iterator[_Demand]:
        """Yield a demand for each type of rule, derived from bounds on the values that this type of rule measures. Rules that
        count units are left to `Limits.counts`."""
        for unit, cause in _CAUSES.items():
            for row in self._limits.types(section_id):
                if row.unit == unit and not row.counts_units:
                    yield cause, partial(self._within_bounds, row, section_id)

    def _within_bounds(self, row: RuleType, section_id: int | None, counts: Numbers) -> Numbers:
        admitted, sums = self._limits.admitted(row, section_id), self._sums(row.bounds, section_id)
        if row.of_each:
            admitted |= ZERO_ONLY  # a product or variant that is not chosen is not measured
        return Numbers.of((count, count) for count in counts if sums.span(count) & admitted)

    def _of_price(self, counts: Numbers, section_id: int | None) -> Numbers:
        if not self._limits.of(PRICE_BEFORE, section_id) and not self._limits.of(PRICE_AFTER, section_id):
            return counts
        before, after = (self._limits.admitted(row, section_id) for row in (PRICE_BEFORE, PRICE_AFTER))
        spans = ((count, self._sums(PRICE, section_id).span(count) & before) for count in counts)
        return Numbers.of((count, count) for count, span in spans if self._discounted(span, section_id) & after)

    def _discounted(self, amounts: Numbers, section_id: int | None) -> Numbers:
        """Return the amounts that can result when discounts are applied to these amounts. A section's share of the price may be
        0."""
        if not amounts:
            return amounts
        if section_id is not None:
            return Numbers.between(0, amounts.most)
        effects = self._terms.effects
        return Numbers.between(effects.least_left(amounts.least), effects.most_left(amounts.most))

    def _sums(self, bounds: UnitBounds, section_id: int | None) -> Costs:
        """Return bounds on the total cost or weight of the units in a section, or in the whole bundle when `section_id` is
        None."""
        key = bounds, section_id
        if key not in self._known_sums:
            span = partial(self._catalogue.span, bounds=bounds)
            choices = self._terms.offers.within(section_id)
            stacks = [Stack(*span(choice), self._capacity(choice)) for choice in choices]
            self._known_sums[key] = Costs(stacks, () if section_id is not None else list(self._required(span)))
        return self._known_sums[key]

    def _required(self, span: Callable[[Choice], tuple[int, int]]) -> Iterator[Stack]:
        for need in self.met:
            yield merged((Stack(*span(choice), need.quantity) for choice in need.choices), need.quantity)
