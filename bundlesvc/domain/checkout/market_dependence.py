"""The parts of a bundle that can make its promise differ between markets (docs/discount-string.md#markets): amounts, countries
and free units.

A percentage discount that depends on none of these parts is valid wherever the bundle is bought.
"""

from collections.abc import Mapping

from bundlesvc.domain.bundle import PERCENTAGE, TIERED, Bundle, Discount, Tier
from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import COUNTRY, Node
from bundlesvc.domain.conditions.condition_types import type_of as condition_type_of
from bundlesvc.domain.conditions.graph import CONDITION, Graph, Outcome, references
from bundlesvc.domain.measures import MONEY
from bundlesvc.domain.pricing.selection_price import PricedSelection
from bundlesvc.domain.rules.rule_types import type_of

MARKET_TIERS = frozenset({"total_price"})
"""Types of tiers that depend on an amount."""


def holds_anywhere(bundle: Bundle, graph: Graph, outcome: Outcome, priced: PricedSelection) -> bool:
    """Whether no part of this promise can depend on the market. The discount must be a percentage of the full cost of the units,
    or no discount at all. Neither its value nor the permission to configure the selection may depend on a country or an amount.

    `graph` is the evaluated graph; `outcome` and `priced` are the results without a subscription.
    """
    if outcome.granted or market_conditions(graph) or has_market_rules(bundle):
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


def market_conditions(graph: Graph) -> list[Node]:
    """Return the conditions that test the country or an amount, and that affect a discount, a free unit, or whether the
    selection may be configured. Conditions that affect only messages are left out."""
    nodes = {node["id"]: node for node in graph.nodes}
    reached: set[str] = set()
    waiting = [id_ for node in graph.actions if ACTION_TYPES[node["type"]].decides for id_ in references(node)]
    while waiting:
        id_ = waiting.pop()
        if id_ not in reached:
            reached.add(id_)
            waiting.extend(references(nodes[id_]))
    return [
        node
        for node in graph.nodes
        if node["id"] in reached and node["kind"] == CONDITION and condition_type_of(node).reads_market
    ]


def countries_read(graph: Graph) -> list[str]:
    """Return the countries that the market conditions name. In any other country, these conditions have the same result as
    without a country."""
    return sorted(
        {str(node["value"]).upper() for node in market_conditions(graph) if condition_type_of(node) is COUNTRY}
    )


def has_market_rules(bundle: Bundle) -> bool:
    """Whether a limit rule measures an amount. If so, a selection that is allowed in one market may be refused in another."""
    return any(type_of(rule).unit == MONEY for rule in bundle.limit_rules)
