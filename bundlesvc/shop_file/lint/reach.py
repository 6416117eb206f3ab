"""Which selections a bundle leaves possible: the numbers of items, amounts and weights that they can have.

Every set here holds all that can be, and maybe more: whatever lies outside of it is certainly impossible. Units are paid
ones: free ones count in no rule (design 10).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from bundlesvc.domain.limit_rules import WEIGHT_TYPE
from bundlesvc.domain.selection import MAX_ITEMS
from bundlesvc.shop_file.lint.catalogue import Catalogue, Choice
from bundlesvc.shop_file.lint.costs import Costs, Stack, merged
from bundlesvc.shop_file.lint.limits import DIFFERENT, EACH_PRODUCT, EACH_VARIANT, PRICE_AFTER, PRICE_BEFORE
from bundlesvc.shop_file.lint.narrowing import Cause, Demand, Narrowed, narrowed
from bundlesvc.shop_file.lint.ranges import ANY_NUMBER, ITEMS, POSITIVE, ZERO_ONLY, Numbers, totals_of
from bundlesvc.shop_file.lint.terms import Requirement, Terms

Products = Mapping[int, Numbers]
"""How many units of each product there may be."""


class Reach:
    """What selections can come to: by the bundle's terms alone, or also by what is in stock now (`by_stock`)."""

    def __init__(self, terms: Terms, catalogue: Catalogue, *, by_stock: bool) -> None:
        self._terms = terms
        self._limits = terms.limits
        self._catalogue = catalogue
        self._by_stock = by_stock
        self._products: dict[int | None, Products] = {}
        self._prices: dict[int | None, Costs] = {}
        self._weights: dict[int | None, Costs] = {}

    @cached_property
    def whole(self) -> Narrowed:
        """Numbers of items in all."""
        demands: list[Demand] = [
            (Cause.OFFER, lambda _: self._offered(None)),
            (Cause.AMOUNTS, lambda _: totals_of(self.products.values())),
            (Cause.REQUIRED, lambda _: totals_of(self.products_with_required.values())),
            (Cause.SECTIONS, lambda _: totals_of(map(self._section_counts, self.sections))),
            (Cause.DIFFERENT, lambda _: self._totals_of_different(self.products_with_required, None)),
            (Cause.WEIGHT, lambda counts: self._of_weight(counts, None)),
            (Cause.PRICE, lambda counts: self._of_price(counts, None)),
        ]
        return narrowed(self._limits.counts(None), demands)

    @cached_property
    def sections(self) -> Mapping[int, Narrowed]:
        """Numbers of items in each section while it is not hidden."""
        return {section_id: self._section(section_id) for section_id in self._terms.offers.by_section}

    def _section(self, section_id: int) -> Narrowed:
        products = self._products_in(section_id)
        demands: list[Demand] = [
            (Cause.OFFER, lambda _: self._offered(section_id)),
            (Cause.AMOUNTS, lambda _: totals_of(products.values())),
            (Cause.DIFFERENT, lambda _: self._totals_of_different(products, section_id)),
            (Cause.WEIGHT, lambda counts: self._of_weight(counts, section_id)),
            (Cause.PRICE, lambda counts: self._of_price(counts, section_id)),
        ]
        return narrowed(self._limits.counts(section_id), demands)

    def counts_in(self, section_id: int | None) -> Numbers:
        """Numbers of items in a section, or in all."""
        if section_id is None:
            return self.whole.counts
        return self._section_counts(section_id) if section_id in self.sections else ZERO_ONLY

    def counts_with(self, section_id: int, count: int) -> Numbers:
        """Numbers of items in all when this section has so many."""
        others = (self._section_counts(other) for other in self.sections if other != section_id)
        return self.whole.counts & totals_of([Numbers.between(count, count), *others])

    def _section_counts(self, section_id: int) -> Numbers:
        counts = self.sections[section_id].counts
        return counts | ZERO_ONLY if section_id in self._terms.hideable else counts

    @cached_property
    def products(self) -> Products:
        """How many units of each product there may be in all, required or not."""
        return self._products_in(None)

    @cached_property
    def products_with_required(self) -> Products:
        """The same, of required products at least as many as are required."""
        required = {need.product_id: self.products[need.product_id] & _at_least(need.quantity) for need in self.met}
        return {**self.products, **required}

    @cached_property
    def met(self) -> tuple[Requirement, ...]:
        """The requirements that can be met, each for itself."""
        return tuple(need for need in self._terms.requirements if self._can_meet(need))

    @cached_property
    def unmet(self) -> tuple[Requirement, ...]:
        """The requirements that cannot be met, whatever else is chosen."""
        return tuple(need for need in self._terms.requirements if not self._can_meet(need))

    def _can_meet(self, need: Requirement) -> bool:
        return bool(self.products.get(need.product_id, ZERO_ONLY) & _at_least(need.quantity))

    def products_offered(self, section_id: int | None) -> int:
        """How many different products can be there."""
        return sum(1 for counts in self._products_in(section_id).values() if counts & POSITIVE)

    @property
    def has_unknown_products(self) -> bool:
        """Whether variants are offered of which it is not known whose they are: maybe one of the other products'."""
        return any(product_id < 0 for product_id in self.products)

    @cached_property
    def largest(self) -> Numbers:
        """How many units there may be of that product of which there are most."""
        counts = Numbers.of(pair for counts in self.products.values() for pair in counts.ranges)
        if self.has_unknown_products:
            counts = ITEMS
        return counts & Numbers.between(min(self.whole.counts.least, 1), self.whole.counts.most)

    @cached_property
    def amounts(self) -> Numbers:
        """The amounts of all items, before discount, in minor units."""
        amounts = self.amounts_of(self.whole.counts)
        return amounts & self._limits.admitted(PRICE_BEFORE, None) or amounts

    def amounts_of(self, counts: Iterable[int]) -> Numbers:
        """The amounts that so many items may have in all."""
        return self._prices_in(None).spans(counts)

    def amounts_in(self, section_id: int | None) -> Numbers:
        """The amounts of the items in a section, or of all."""
        return self.amounts if section_id is None else self._prices_in(section_id).spans(self.counts_in(section_id))

    def weights_in(self, section_id: int | None) -> Numbers:
        """The weights of the items in a section, or of all, in grams."""
        return self._weights_in(section_id).spans(self.counts_in(section_id))

    def _capacity(self, choice: Choice) -> int:
        return self._catalogue.stock(choice) if self._by_stock else MAX_ITEMS

    def _offered(self, section_id: int | None) -> Numbers:
        return ITEMS if self._terms.offers.within(section_id) else ZERO_ONLY

    def _products_in(self, section_id: int | None) -> Products:
        if section_id not in self._products:
            self._products[section_id] = self._product_counts(section_id)
        return self._products[section_id]

    def _product_counts(self, section_id: int | None) -> Products:
        each_variant, each_product = self._each(EACH_VARIANT, section_id), self._each(EACH_PRODUCT, section_id)
        by_stock: dict[int, Numbers] = {}
        variants: dict[int, list[Numbers]] = {}
        for choice in self._terms.offers.within(section_id):
            stock = self._capacity(choice)
            if stock not in by_stock:
                by_stock[stock] = ZERO_ONLY | each_variant & Numbers.between(1, stock)
            units = by_stock[stock] if choice.variant_id else ITEMS  # None: any number of variants
            variants.setdefault(choice.product_id, []).append(units)
        return {product_id: ZERO_ONLY | totals_of(counts) & each_product for product_id, counts in variants.items()}

    def _each(self, rule_type: str, section_id: int | None) -> Numbers:
        """How many units of one product or variant there may be in a section; never more than there may be in all."""
        in_all = self._limits.admitted(rule_type, None)
        if section_id is None:
            return in_all
        return self._limits.admitted(rule_type, section_id) & Numbers.between(0, in_all.most)

    def _totals_of_different(self, products: Products, section_id: int | None) -> Numbers:
        """Numbers of items that leave a number of different products that is admitted."""
        there = [counts & POSITIVE for counts in products.values() if counts & POSITIVE]
        needed = sum(1 for counts in products.values() if 0 not in counts)
        different = self._limits.admitted(DIFFERENT, section_id) & Numbers.between(needed, len(there))
        if not different:
            return different
        least = sorted(counts.least for counts in there)[: different.least]
        most = sorted((counts.most for counts in there), reverse=True)[: different.most]
        return Numbers.between(sum(least), sum(most))

    def _of_weight(self, counts: Numbers, section_id: int | None) -> Numbers:
        if not self._limits.of(WEIGHT_TYPE, section_id):
            return counts
        admitted, weights = self._limits.admitted(WEIGHT_TYPE, section_id), self._weights_in(section_id)
        return Numbers.of((count, count) for count in counts if weights.span(count) & admitted)

    def _of_price(self, counts: Numbers, section_id: int | None) -> Numbers:
        if not self._limits.of(PRICE_BEFORE, section_id) and not self._limits.of(PRICE_AFTER, section_id):
            return counts
        before, after = (self._limits.admitted(rule_type, section_id) for rule_type in (PRICE_BEFORE, PRICE_AFTER))
        spans = ((count, self._prices_in(section_id).span(count) & before) for count in counts)
        return Numbers.of((count, count) for count, span in spans if self._discounted(span, section_id) & after)

    def _discounted(self, amounts: Numbers, section_id: int | None) -> Numbers:
        """What discounts can leave of these amounts; a section's share may come to nothing."""
        if not amounts:
            return amounts
        if section_id is not None:
            return Numbers.between(0, amounts.most)
        effects = self._terms.effects
        return Numbers.between(effects.least_left(amounts.least), effects.most_left(amounts.most))

    def _prices_in(self, section_id: int | None) -> Costs:
        if section_id not in self._prices:
            self._prices[section_id] = self._costs(section_id, self._catalogue.price_span)
        return self._prices[section_id]

    def _weights_in(self, section_id: int | None) -> Costs:
        if section_id not in self._weights:
            self._weights[section_id] = self._costs(section_id, self._catalogue.gram_span)
        return self._weights[section_id]

    def _costs(self, section_id: int | None, span: Callable[[Choice], tuple[int, int]]) -> Costs:
        stacks = [Stack(*span(choice), self._capacity(choice)) for choice in self._terms.offers.within(section_id)]
        return Costs(stacks, () if section_id is not None else list(self._required(span)))

    def _required(self, span: Callable[[Choice], tuple[int, int]]) -> Iterator[Stack]:
        for need in self.met:
            yield merged((Stack(*span(choice), need.quantity) for choice in need.choices), need.quantity)


def _at_least(count: int) -> Numbers:
    return Numbers.between(count, ANY_NUMBER.most)
