"""The from-price of a bundle: the price of its cheapest selection (docs/contract.md#from-price).

First, a lower bound is computed for every number of units: the price of the cheapest units with the best tier that may apply. No
selection costs less than the lowest of these bounds. The selection behind that bound is then priced, and checked against the
rules of the configure endpoint. If this selection can be configured and its price equals the bound, it is the cheapest.
"""

from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import NamedTuple

from bundlesvc.domain.bundle import Bundle, Tier
from bundlesvc.domain.conditions.action_types import ACTION_TYPES, HIDE_SECTION
from bundlesvc.domain.conditions.condition_types import Facts
from bundlesvc.domain.conditions.graph import Graph, of_type
from bundlesvc.domain.line import Line
from bundlesvc.domain.listing.cheapest_units import CheapestSelection, cheapest_by_count
from bundlesvc.domain.listing.unit_pools import UnitPools
from bundlesvc.domain.measures import holds
from bundlesvc.domain.money import ZERO, from_minor_units, percentage_of
from bundlesvc.domain.pricing.selection_price import price_selection, reduction_with_tiers
from bundlesvc.domain.product import Product
from bundlesvc.domain.rules.configure_rules import check_rules
from bundlesvc.domain.rules.limit_rules import Scope
from bundlesvc.domain.run_conditions import graph_of
from bundlesvc.domain.shop import PERSONALISATION, Shop, ShopSettings
from bundlesvc.domain.subscription import requires_subscription

MAX_TRIED = 4
"""The maximum number of selections at the lower bound that are checked."""


class _Bound(NamedTuple):
    """A lower bound on the price of a given number of units. `selection` is the selection with this price; None when it is not
    certain that such a selection exists."""

    price: Decimal
    selection: CheapestSelection | None


class _Terms(NamedTuple):
    """The terms on which a shop sells a bundle. `subscription` is the discount percentage of the subscription; it is None for a
    one-time purchase."""

    shop: Shop
    bundle: Bundle
    graph: Graph
    settings: ShopSettings
    subscription: Decimal | None


def from_price(shop: Shop, bundle: Bundle, products: Mapping[int, Product], settings: ShopSettings) -> Decimal | None:
    """Return the price of the cheapest selection that the configure endpoint accepts in the shop's own market. It is the price of
    a one-time purchase or, if a subscription is required, that of the subscription with the highest discount. None when the price
    cannot be computed exactly, or when nothing can be configured."""
    graph = graph_of(shop, bundle)
    if any(ACTION_TYPES[action["type"]].changes_price for action in graph.actions):
        return None
    subscription = None
    if requires_subscription(shop, bundle):
        options = [option for group in bundle.subscription.groups for option in group.options]
        if not options:
            return None
        subscription = max(option.discount or ZERO for option in options)
    terms = _Terms(shop, bundle, graph, settings, subscription)
    hidden = frozenset(action["sectionId"] for action in of_type(graph.actions, HIDE_SECTION))
    pools = UnitPools(bundle, products, settings.currency, hidden)
    bounds = [bound for each in cheapest_by_count(pools) for bound in _bounds(terms, each)]
    least = min((bound.price for bound in bounds), default=None)
    candidates = [bound.selection for bound in bounds if bound.price == least and bound.selection]
    proven = any(_configured_price(terms, each) == least for each in candidates[:MAX_TRIED])
    return least if proven else None


def _bounds(terms: _Terms, cheapest: CheapestSelection) -> Iterator[_Bound]:
    """Yield lower bounds on the price: for the lowest possible sum, and for every higher sum at which a tier or the minimum takes
    effect. Between two neighbouring sums, the price never falls as the sum rises."""
    currency = terms.settings.currency
    amount = from_minor_units(cheapest.amount, currency)
    yield _Bound(_least(terms, cheapest.units, amount), cheapest)
    for higher in _amounts_with_effect(terms):
        if higher > amount:
            yield _Bound(_least(terms, cheapest.units, higher), None)


def _amounts_with_effect(terms: _Terms) -> Iterator[Decimal]:
    """Yield two amounts for each limit of the discount: the lowest amount in the currency that is at or above the limit, and the
    lowest amount that is above the limit."""
    discount, currency = terms.bundle.discount, terms.settings.currency
    if discount is None:
        return
    limits = [tier.threshold for tier in discount.tiers if tier.type == "total_price"]
    for limit in (*limits, *([] if discount.minimum is None else [discount.minimum])):
        step = from_minor_units(1, currency)
        yield (limit / step).to_integral_value(ROUND_CEILING) * step
        yield ((limit / step).to_integral_value(ROUND_FLOOR) + 1) * step


def _least(terms: _Terms, count: int, amount: Decimal) -> Decimal:
    """Return the lowest possible price of `count` units that cost `amount` before discounts."""
    currency = terms.settings.currency
    off = reduction_with_tiers(terms.bundle.discount, amount, currency, lambda tier: _may_hold(tier, count, amount))
    left = amount - off.amount
    return left - percentage_of(left, terms.subscription or ZERO, currency)


def _may_hold(tier: Tier, count: int, amount: Decimal) -> bool:
    if tier.type == "bulk_buy":  # any number of units can be of the same product
        return any(holds(of_one, tier.operation, tier.threshold) for of_one in range(1, count + 1))
    return holds(count if tier.type == "total_products" else amount, tier.operation, tier.threshold)


def _configured_price(terms: _Terms, selection: CheapestSelection) -> Decimal | None:
    """Return the price that the service charges for a selection; None when the selection cannot be configured or incurs fees."""
    bundle, settings = terms.bundle, terms.settings
    lines = selection.lines(settings.currency)
    if any(_must_pay_fees(terms, line) for line in lines):
        return None
    facts = Facts(settings.weight_unit, subscribed=terms.subscription is not None)
    outcome = terms.graph.evaluate(lines, facts)
    priced = price_selection(bundle, outcome, settings.currency, terms.subscription)
    faults = check_rules(bundle, bundle.type, lines, outcome, Scope(priced, settings.weight_unit), {})
    return None if faults else priced.pricing.discounted


def _must_pay_fees(terms: _Terms, line: Line) -> bool:
    fields = terms.bundle.personalisation.get(line.product.id, ()) if terms.shop.has(PERSONALISATION) else ()
    return any(field.required and field.fee for field in fields)
