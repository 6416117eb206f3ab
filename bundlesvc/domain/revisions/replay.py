"""The replay of past selections: shoppers' selections are priced again, once with the live revision and once with another
revision."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.conditions.condition_types import Facts
from bundlesvc.domain.configured import StoredSelection
from bundlesvc.domain.errors import InvalidInput
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.personalisation import check_answers
from bundlesvc.domain.pricing.selection_price import price_selection
from bundlesvc.domain.product import MarketPrice, Product
from bundlesvc.domain.rules.configure_rules import check_rules
from bundlesvc.domain.rules.limit_rules import Scope
from bundlesvc.domain.run_conditions import graph_of
from bundlesvc.domain.selection import SelectedItem, choose, units_of
from bundlesvc.domain.shop import Shop, ShopSettings
from bundlesvc.domain.subscription import choose_subscription, requires_subscription, subscription_missing

GONE = "not_found"
"""The code for a selection of a bundle that a revision does not contain or does not publish."""


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the price of a selection depends on. `prices` contains the variants' prices in each country for which
    selections were made."""

    shop: Shop
    settings: ShopSettings
    bundles: Mapping[int, Bundle]
    products: Mapping[int, Product]
    prices: Mapping[str, Mapping[int, MarketPrice]]


class Outcome(NamedTuple):
    """The price of a selection, or the codes of the reasons why the configure endpoint would refuse it."""

    price: Decimal
    refused: tuple[str, ...] = ()


@dataclass(slots=True)
class BundleReplay:
    """The result of the replay for one bundle. `refused` counts, by reason, the selections that only the new revision refuses;
    `refused_before` counts the selections that the live revision already refuses. The sums cover all other selections, in the
    shop's currency."""

    bundle_id: int
    selections: int = 0
    dearer: int = 0
    cheaper: int = 0
    same: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    refused_before: int = 0
    sum_before: Decimal = ZERO
    sum_after: Decimal = ZERO

    def count(self, before: Outcome, after: Outcome) -> None:
        """Count a selection, given its outcome before and after the change."""
        self.selections += 1
        if before.refused:
            self.refused_before += 1
        elif after.refused:
            self.refused.update(dict.fromkeys(after.refused, 1))
        else:
            self.dearer += after.price > before.price
            self.cheaper += after.price < before.price
            self.same += after.price == before.price
            self.sum_before += before.price
            self.sum_after += after.price


def replay(selections: Iterable[StoredSelection], before: State, after: State) -> list[BundleReplay]:
    """Price selections in two states and compare the prices. Equal selections are priced only once."""
    found: dict[int, BundleReplay] = {}
    known: dict[object, tuple[Outcome, Outcome]] = {}
    for each in selections:
        bundle = before.bundles.get(each.bundle_id)
        items = each.selected(bundle)
        key = each.bundle_id, each.bundle_type, each.country, each.subscription, tuple(sorted(items))
        if key not in known:
            known[key] = _outcome(before, each, items), _outcome(after, each, items)
        found.setdefault(each.bundle_id, BundleReplay(each.bundle_id)).count(*known[key])
    return [found[bundle_id] for bundle_id in sorted(found)]


def _outcome(state: State, selection: StoredSelection, items: list[SelectedItem]) -> Outcome:
    bundle = state.bundles.get(selection.bundle_id)
    if bundle is None or not bundle.published:
        return Outcome(ZERO, (GONE,))
    try:
        return _priced(state, bundle, selection, items)
    except InvalidInput as refused:
        return Outcome(ZERO, tuple(dict.fromkeys(fault.code for fault in refused.faults)) or (refused.code,))


def _priced(state: State, bundle: Bundle, selection: StoredSelection, items: list[SelectedItem]) -> Outcome:
    """Price a selection. Raises the errors with which the configure endpoint would refuse it, except for violations of rules."""
    shop, settings, units = state.shop, state.settings, units_of(items)
    graph, chosen_plan = graph_of(shop, bundle), None
    chosen = choose(bundle, units, state.products, graph.free_variant_ids)
    check_answers(shop, bundle, units, complete=False)  # answers may have been erased
    if selection.subscription is not None:
        chosen_plan = choose_subscription(shop, bundle, selection.subscription)
    elif requires_subscription(shop, bundle):
        raise subscription_missing()
    prices = {} if selection.country is None else state.prices[selection.country]
    lines = tuple(each.at(prices.get(each.variant.id), settings.currency) for each in chosen)
    facts = Facts(settings.weight_unit, selection.country, subscribed=chosen_plan is not None)
    outcome = graph.evaluate(lines, facts)
    priced = price_selection(bundle, outcome, settings.currency, chosen_plan.option.discount if chosen_plan else None)
    faults = check_rules(bundle, selection.bundle_type, lines, outcome, Scope(priced, settings.weight_unit), prices)
    return Outcome(priced.pricing.discounted, tuple(dict.fromkeys(fault.code for fault in faults)))
