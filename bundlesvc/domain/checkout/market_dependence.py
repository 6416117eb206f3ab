"""The parts of a bundle that can make its promise differ between markets (docs/discount-string.md#markets): amounts, countries
and free units.

A percentage discount that depends on none of these parts is valid wherever the bundle is bought.
"""

from collections.abc import Mapping

from bundlesvc.domain.bundle import PERCENTAGE, TIERED, Bundle, Discount, Tier
from bundlesvc.domain.conditions.graph import Graph, Outcome
from bundlesvc.domain.measures import MONEY
from bundlesvc.domain.pricing.selection_price import PricedSelection
from bundlesvc.domain.rules.rule_types import RULE_TYPES

MARKET_TIERS = frozenset({"total_price"})
"""Types of tiers that depend on an amount."""
MARKET_RULES = frozenset(row.name for row in RULE_TYPES.values() if row.unit == MONEY)
"""Types of limit rules that measure an amount."""


def holds_anywhere(bundle: Bundle, graph: Graph, outcome: Outcome, priced: PricedSelection) -> bool:
    """Whether no part of this promise can depend on the market. The discount must be a percentage of the full cost of the units,
    or no discount at all. Neither the value of the discount nor whether the selection can be configured may depend on a country
    or an amount.

    `graph` is the evaluated graph; `outcome` and `priced` are the results without a subscription.
    """
    if outcome.granted or graph.market_conditions or has_market_rules(bundle):
        return False
    fired = outcome.discount
    depends_on_market = is_market_discount(bundle.discount) if fired is None else fired.type != PERCENTAGE
    # When units cost only a few cents, rounding can make two tiers equal, or a percentage zero.
    return not depends_on_market and priced.pricing.discount_value == priced.nominal


def is_market_discount(discount: Discount | None) -> bool:
    """Whether a bundle's own discount can depend on the market. It can if it is an amount, has a `minimum`, or has a tier that
    compares an amount."""
    if discount is None:
        return False
    return discount.type != PERCENTAGE or discount.minimum is not None or bool(market_tiers(discount))


def market_tiers(discount: Discount | None) -> Mapping[int, Tier]:
    """Return the tiers whose condition depends on an amount, by their index in the list of tiers."""
    if discount is None or discount.flat_or_tiered != TIERED:
        return {}
    return {index: tier for index, tier in enumerate(discount.tiers) if tier.type in MARKET_TIERS}


def has_market_rules(bundle: Bundle) -> bool:
    """Whether a limit rule measures an amount. If so, a selection that is allowed in one market may be refused in another."""
    return not MARKET_RULES.isdisjoint(bundle.rule_types)
