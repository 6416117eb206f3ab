"""Finds cheap selections that can be bought now. Each is guessed, then verified with the same rules that the service applies.

Every selection found is real, but not every real selection is found.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, takewhile
from typing import NamedTuple

from bundlesvc.domain.conditions.condition_types import Facts
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing.selection_price import PricedSelection, price_selection
from bundlesvc.domain.product import unit_price
from bundlesvc.domain.rules.configure_rules import check_rules
from bundlesvc.domain.rules.limit_rules import Scope
from bundlesvc.domain.rules.rule_types import PRODUCT, VARIANT
from bundlesvc.domain.selection import NO_SECTION
from bundlesvc.domain.shop import ShopSettings
from bundlesvc.domain.subscription import requires_subscription
from bundlesvc.domain.unit_bounds import PRICE
from bundlesvc.shop_file.lint.reasoning import Choice, Reasoning, requirements_of

_MOST_TRIES = 20
_MOST_OPTIONS = 50
"""The maximum number of choices to try in a section, cheapest first. Selections that need more choices are not found."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A selection that the configure endpoint accepts without a country, with the outcome of its conditions and its one-time
    price."""

    outcome: Outcome
    priced: PricedSelection


def cheap_selections(reasoning: Reasoning, most: int) -> Iterator[Witness]:
    """Yield selections that can be bought, smallest first. Stops at the number of items at which every selection costs more than
    `most` minor units, or after `_MOST_TRIES` numbers of items."""
    settings = reasoning.shop.settings
    if settings is None or reasoning.catalogue.live:
        return
    reach = reasoning.in_stock
    counts = takewhile(lambda count: reach.least_amount_of(count) <= most, reach.whole.counts)
    for count in islice(counts, _MOST_TRIES):
        for spread in (False, True):
            picked = _pick(reasoning, count, spread=spread)
            witness = _proved(reasoning, settings, picked) if picked else None
            if witness:
                yield witness


_Picked = Counter[tuple[int, Choice]]
"""The number of units of each choice, by section."""


def _proved(reasoning: Reasoning, settings: ShopSettings, picked: _Picked) -> Witness | None:
    """Verify a selection: return it with its price if it meets every rule, otherwise None."""
    bundle, shop = reasoning.bundle, reasoning.shop
    lines = tuple(_lines(reasoning, settings.currency, picked))
    facts = Facts(settings.weight_unit, subscribed=requires_subscription(shop, bundle))
    outcome = reasoning.graph.evaluate(lines, facts)
    percentage = _first_percentage(reasoning) if facts.subscribed else None
    scope = Scope(price_selection(bundle, outcome, settings.currency, percentage), settings.weight_unit)
    if any(line.product.id in reasoning.unanswerable for line in lines):
        return None
    if check_rules(bundle, bundle.type, lines, outcome, scope, {}):
        return None
    return Witness(outcome, price_selection(bundle, outcome, settings.currency))


def _lines(reasoning: Reasoning, currency: str, picked: _Picked) -> Iterator[Line]:
    first = 0
    for (section_id, choice), count in picked.items():
        product, variant = reasoning.catalogue.product_of(choice), reasoning.catalogue.variant_of(choice)
        if product and variant:
            yield Line(product, variant, section_id, count, unit_price(variant, None, currency), first)
            first += count


def _first_percentage(reasoning: Reasoning) -> Decimal | None:
    options = [option for group in reasoning.bundle.subscription.groups for option in group.options]
    return options[0].discount if options else None


class _Option(NamedTuple):
    """A choice in a section, with its unit price in minor units."""

    section_id: int
    choice: Choice
    price: int


def _pick(reasoning: Reasoning, count: int, *, spread: bool) -> _Picked | None:
    """Pick units for a selection: first those that sections and required products need, then the cheapest.

    With `spread`, prefer many different products. Returns None when no selection is found.
    """
    options = {section_id: _options(reasoning, section_id) for section_id in reasoning.in_stock.sections}
    needs = list(requirements_of(reasoning.bundle, reasoning.catalogue))
    needed = {choice for need in needs for choice in need.choices}
    basket = _Basket(reasoning, spread=spread)
    done = all(basket.take(options[section_id], basket.least_of(section_id), rather=needed) for section_id in options)
    for need in needs:
        loose = [option for option in options[NO_SECTION] if option.choice in need.choices]
        done = done and basket.take(loose, need.quantity - basket.count_of(need.choices))
    everything = [option for section in options.values() for option in section]
    rest = count - basket.picked.total()
    return basket.picked if done and rest >= 0 and basket.take(everything, rest) else None


def _options(reasoning: Reasoning, section_id: int) -> list[_Option]:
    choices = reasoning.terms.offers.within(section_id)
    options = [_Option(section_id, choice, reasoning.catalogue.span(choice, PRICE)[0]) for choice in choices]
    return sorted(options, key=lambda option: option.price)[:_MOST_OPTIONS]


class _Basket:
    def __init__(self, reasoning: Reasoning, *, spread: bool) -> None:
        self.picked: _Picked = Counter()
        self._reasoning = reasoning
        self._spread = spread
        self._most_of_product = reasoning.limits.each(PRODUCT, None).most
        self._most_of_variant = reasoning.limits.each(VARIANT, None).most
        self._by_choice: Counter[Choice] = Counter()
        self._by_product: Counter[int] = Counter()
        self._by_section: Counter[int] = Counter()

    def least_of(self, section_id: int) -> int:
        """Return the minimum number of items that a section needs."""
        return self._reasoning.in_stock.counts_in(section_id).least

    def count_of(self, choices: Iterable[Choice]) -> int:
        return sum(self._by_choice[choice] for choice in choices)

    def take(
        self, options: Sequence[_Option], count: int, rather: frozenset[Choice] | set[Choice] = frozenset()
    ) -> bool:
        """Take `count` units from these options, preferring choices in `rather`. Returns False when too few units are
        available."""
        for _ in range(count):
            free = [option for option in options if self._has_room(option)]
            if not free:
                return False
            best = min(free, key=lambda option: (option.choice not in rather, *self._rank(option)))
            self._add(best)
        return True

    def _rank(self, option: _Option) -> tuple[int, bool, int]:
        """Rank an option: the cheapest first, but free units last, because a selection with a price of 0 proves nothing."""
        return self._by_product[option.choice.product_id] if self._spread else 0, option.price == 0, option.price

    def _has_room(self, option: _Option) -> bool:
        choice = option.choice
        return (
            self._by_choice[choice] < min(self._reasoning.catalogue.stock(choice), self._most_of_variant)
            and self._by_product[choice.product_id] < self._most_of_product
            and self._by_section[option.section_id] < self._reasoning.in_stock.counts_in(option.section_id).most
        )

    def _add(self, option: _Option) -> None:
        self.picked[option.section_id, option.choice] += 1
        self._by_choice[option.choice] += 1
        self._by_product[option.choice.product_id] += 1
        self._by_section[option.section_id] += 1
