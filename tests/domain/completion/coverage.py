"""The features of random shops, which show what a comparison with brute force has covered."""

from collections import Counter
from collections.abc import Iterator

from bundlesvc.domain.completion.task import AIMS, Task
from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES
from bundlesvc.domain.conditions.graph import ACTION, CONDITION
from bundlesvc.domain.product import ACTIVE
from bundlesvc.domain.rules.rule_types import RULE_TYPES

FACTS = (
    "required products",
    "limited stock",
    "inactive product",
    "market",
    "not sold in the market",
    "tiers",
    "subscription",
    "chosen units",
    "preferred products",
    "avoided products",
    "budget",
)
FEATURES = (
    *(f"rule {name}" for name in sorted(RULE_TYPES)),
    *(f"condition {name}" for name in sorted(CONDITION_TYPES)),
    *(f"action {name}" for name in sorted(ACTION_TYPES)),
    *FACTS,
    *(f"aim {name}" for name in AIMS),
)


def features_of(task: Task) -> Iterator[str]:
    """Yield the names of a task's features. The same name may be yielded more than once."""
    bundle, wishes = task.bundle, task.wishes
    yield from (f"rule {rule.type}" for rule in bundle.limit_rules)
    yield from (f"condition {node['type']}" for node in task.graph.nodes if node["kind"] == CONDITION)
    yield from (f"action {node['type']}" for node in task.graph.nodes if node["kind"] == ACTION)
    variants = [kind.line.variant for kind in task.kinds]
    present = (
        bundle.required_products,
        any(not variant.in_stock(1000) for variant in variants),
        any(kind.line.product.status != ACTIVE for kind in task.kinds),
        task.market_prices,
        any(not price.available_for_sale for price in task.market_prices.values()),
        bundle.discount and bundle.discount.tiers,
        task.subscription,
        any(task.chosen),
        wishes.prefer,
        wishes.avoid,
        wishes.budget,
    )
    yield from (name for name, is_there in zip(FACTS, present, strict=True) if is_there)
    yield f"aim {wishes.aim}"


class Coverage:
    """The number of shops with each feature, and how many of them have no completion."""

    def __init__(self) -> None:
        self.shops: Counter[str] = Counter()
        self.impossible: Counter[str] = Counter()

    def add(self, task: Task, *, is_possible: bool) -> None:
        features = {*features_of(task)}
        self.shops.update(features)
        if not is_possible:
            self.impossible.update(features)

    def table(self) -> Iterator[str]:
        yield f"{'':38}{'shops':>8}{'impossible':>12}"
        for name in FEATURES:
            yield f"{name:38}{self.shops[name]:8}{self.impossible[name]:12}"
