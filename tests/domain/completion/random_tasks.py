"""Random small shops, each with a selection to complete: every type of rule, conditions, required products, stock, markets,
tiers and wishes."""

from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

from bundlesvc.domain.bundle import DISCOUNT_TYPES, TIER_TYPES, Bundle, Discount, LimitRule, RequiredProduct, Tier
from bundlesvc.domain.completion.task import AIMS, Task, UnitKind, Wishes
from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.condition_types import CONDITION_TYPES, Facts
from bundlesvc.domain.conditions.graph import GROUP_MODES
from bundlesvc.domain.line import Line
from bundlesvc.domain.measures import COMPARISONS, WEIGHT
from bundlesvc.domain.product import MarketPrice, Product, market_price, unit_price
from bundlesvc.domain.rules.rule_types import MULTIPLES, RULE_TYPES, TOTAL, type_of
from bundlesvc.domain.selection import NO_SECTION
from bundlesvc.domain.shop import Market
from tests.domain.builders import EUR, JPY, bundle, offer, product, section, variant

MOST = 5
"""The maximum number of units in a selection. A rule in each shop sets this limit, so that brute force ends."""

OPERATIONS = sorted(COMPARISONS)


def random_task(seed: int) -> Task:
    """Create a random completion task from this seed."""
    return _Maker(Random(seed)).task()


class _Maker:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._currency = random.choice([EUR, EUR, JPY])
        self._products = [self._product(number) for number in range(1, random.randint(2, 4) + 1)]
        self._sections = random.randint(1, 2)

    def task(self) -> Task:
        random = self._random
        made = self._bundle()
        country, prices = self._market()
        kinds = self._kinds(made, prices)
        facts = Facts(random.choice(["g", "kg"]), country, subscribed=random.random() < 0.1)
        subscription = Decimal(10) if facts.subscribed else None
        return Task(made, made.graph, kinds, facts, self._currency, prices, self._wishes(), subscription)

    def _sometimes(self, chance: float, make: Callable[[], Any], otherwise: Any = None) -> Any:
        return make() if self._random.random() < chance else otherwise

    def _price(self) -> str:
        if self._currency == JPY:
            return str(self._random.choice([0, 1, 3, 5, 10]))
        return self._random.choice(["0.00", "1.00", "1.00", "2.50", "3.33", "9.99", "10.00"])

    def _product(self, number: int) -> Product:
        random = self._random
        variants = [
            variant(
                number * 10 + digit,
                price=self._price(),
                grams=random.choice([0, 100, 250, 500]),
                stock=random.choice([None, None, 0, 1, 2]),
                policy=random.choice(["deny", "deny", "continue"]),
            )
            for digit in range(1, random.choice([1, 1, 2]) + 1)
        ]
        return product(number, *variants, status=random.choice(["ACTIVE"] * 9 + ["DRAFT"]))

    def _bundle(self) -> Bundle:
        random = self._random
        sections = []
        for number in range(1, self._sections + 1):
            offered = random.sample(self._products, random.randint(1, len(self._products)))
            sections.append(section(number, *(offer(each.id) for each in offered)))
        rules = [LimitRule(TOTAL.name, "lte", str(MOST), None)]
        rules += [self._rule() for _ in range(random.choice([0, 1, 2, 2, 3, 4]))]
        return bundle(
            sections=tuple(sections),
            limit_rules=tuple(rules),
            required_products=tuple(self._required() for _ in range(random.choice([0, 0, 0, 1, 2]))),
            discount=self._sometimes(0.6, self._discount),
            conditions=tuple(self._sometimes(0.4, self._conditions, [])),
        )

    def _rule(self) -> LimitRule:
        random = self._random
        type_ = random.choice(sorted(RULE_TYPES))
        rule = LimitRule(type_, random.choice(OPERATIONS), "0", random.choice([None, None, 1, 2]))
        values = ["0", "1", "2", "3", "2.5", "4"]
        if type_ == MULTIPLES.name:
            values = ["", "2", "3", "1.5"]
        elif type_of(rule).unit == WEIGHT:
            values = ["0.5", "1", "250", "600"]
        elif type_of(rule).unit != "items":
            values = ["3", "5.50", "10", "20"]
        return LimitRule(type_, rule.operation, random.choice(values), rule.section_id)

    def _required(self) -> RequiredProduct:
        owner = self._random.choice(self._products)
        variants = self._sometimes(0.3, lambda: (owner.variants[0].id,), ())
        return RequiredProduct(owner.id, variants, self._random.choice([1, 1, 2]))

    def _discount(self) -> Discount:
        random = self._random
        tiers = tuple(
            Tier(
                random.choice(TIER_TYPES),
                random.choice(OPERATIONS),
                random.choice(["1", "2", "3", "6.66"]),
                self._off(),
            )
            for _ in range(random.randint(0, 3))
        )
        return Discount(
            random.choice(DISCOUNT_TYPES),
            self._off(),
            random.choice(["flat", "tiered"]),
            random.choice([None, None, Decimal("5.00")]),
            random.choice([None, "max", "cumulative"]),
            tiers,
        )

    def _off(self) -> Decimal:
        return Decimal(self._random.choice(["0", "2.50", "5", "10", "33.33", "100"]))

    def _conditions(self) -> list[dict[str, Any]]:
        random = self._random
        names = [f"c{number}" for number in range(random.randint(1, 3))]
        nodes: list[dict[str, Any]] = [{"id": name, "kind": "condition", **self._condition()} for name in names]
        if random.random() < 0.5:
            children = random.sample(names, random.randint(1, len(names)))
            nodes.append({"id": "g", "kind": "group", "mode": random.choice(GROUP_MODES), "children": children})
            names.append("g")
        for number in range(random.randint(1, 2)):
            when = random.choice([*names, None])
            nodes.append({"id": f"a{number}", "kind": "action", "when": when, **self._action()})
        return nodes

    def _condition(self) -> dict[str, Any]:
        random = self._random
        owner = random.choice(self._products)
        return {
            "type": random.choice(sorted(CONDITION_TYPES)),
            "operation": random.choice(OPERATIONS),
            "value": random.choice(["1", "2", "3", "10"]),
            "sectionId": random.choice([None, 1, 2]),
            "productId": str(owner.id),
            "variantId": str(owner.variants[0].id),
        }

    def _action(self) -> dict[str, Any]:
        random = self._random
        owner = random.choice(self._products)
        discount = {"type": random.choice(DISCOUNT_TYPES), "value": random.choice(["5", "20", "50"])}
        return {
            "type": random.choice(sorted(ACTION_TYPES)),
            "text": "No.",
            "discount": discount,
            "sectionId": random.choice([1, 2]),
            "productId": str(owner.id),
            "variantId": str(owner.variants[0].id),
            "quantity": random.choice(["1", "2"]),
        }

    def _market(self) -> tuple[str | None, dict[int, MarketPrice]]:
        random = self._random
        if random.random() < 0.6:
            return None, {}
        ids = [each.id for owner in self._products for each in owner.variants]
        fixed = {random.choice(ids): Decimal("4.20")}
        missing = tuple(id_ for id_ in ids if random.random() < 0.15)
        market = Market("CH", "CHF", Decimal("0.95"), Decimal(random.choice(["0", "10"])), fixed, missing)
        variants = [each for owner in self._products for each in owner.variants]
        return "CH", {each.id: market_price(each, market, self._currency) for each in variants}

    def _kinds(self, made: Bundle, prices: dict[int, MarketPrice]) -> tuple[UnitKind, ...]:
        by_id = {each.id: each for each in self._products}
        lines = {
            (own.id, each.id): self._line(by_id[offered.product_id], own.id, each.id, prices)
            for each in made.sections
            for offered in each.products
            for own in by_id[offered.product_id].variants
        }
        for required in made.required_products:
            owner = by_id[required.product_id]
            for own in owner.variants:
                if required.accepts(owner.id, own.id):
                    lines[own.id, NO_SECTION] = self._line(owner, own.id, NO_SECTION, prices)
        chosen = self._chosen(len(lines))
        return tuple(
            UnitKind(line, count, self._random.random() < 0.95)
            for line, count in zip(lines.values(), chosen, strict=True)
        )

    def _line(self, owner: Product, variant_id: int, section_id: int, prices: dict[int, MarketPrice]) -> Line:
        own = owner.variants_by_id[variant_id]
        return Line(owner, own, section_id, 1, unit_price(own, prices.get(variant_id), self._currency), 0)

    def _chosen(self, kinds: int) -> list[int]:
        chosen = [0] * kinds
        for _ in range(self._random.choice([0, 0, 1, 2, 3, 6])):
            chosen[self._random.randrange(kinds)] += 1
        return chosen

    def _wishes(self) -> Wishes:
        random = self._random
        ids = [each.id for each in self._products]
        return Wishes(
            random.choice(AIMS),
            frozenset(self._sometimes(0.2, lambda: random.sample(ids, 1), [])),
            frozenset(self._sometimes(0.15, lambda: random.sample(ids, 1), [])),
            self._sometimes(0.2, lambda: Decimal(random.choice(["3.00", "10.00", "25.00"]))),
        )
