"""A purchase of configured bundles in a country, and the resulting cart at that country's prices."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

from tests.promises.amounts import DECIMALS, half_up
from tests.promises.carts import Cart, Line
from tests.promises.markets import Json, Prices, prices_in
from tests.promises.promise import Promise, promise
from tests.promises.shoppers import Bought
from tests.promises.shops import NEIGHBOUR, UNNAMED


@dataclass(frozen=True)
class Plan:
    """A selling plan on the lines of a bundle: its percentage, and whether it is on all lines or only on the first."""

    percentage: Fraction
    whole: bool = True


@dataclass(frozen=True)
class Purchase:
    """What is bought, and where. `file` is a shop file with the current prices. `plans` and `parents` are keyed by configured
    bundle; a bundle that is not in `parents` keeps the parent with which it was configured. `beside` says whether a line outside
    the bundles has a selling plan."""

    file: Json
    country: str
    bought: Sequence[Bought]
    config: Json
    plans: Mapping[str, Plan] = field(default_factory=dict)
    parents: Mapping[str, int] = field(default_factory=dict)
    neighbours: int = 0
    beside: bool = False

    def cart(self) -> Cart:
        prices = prices_in(self.file, self.country)
        lines: list[Line] = []
        entries: Json = {}
        for one in self.bought:
            items = one.answer["cart"]["line_items"]
            lines += [
                self._line(f"{one.id}-{index}", item, prices, self._plan(one, item, index))
                for index, item in enumerate(items)
            ]
            entries |= json.loads(one.answer["cart"]["attributes"]["_bundles"])
        for number in range(self.neighbours):
            item = {"id": NEIGHBOUR, "quantity": 1 + number, "properties": {}}
            lines.append(self._line(f"n-{number}", item, prices, Plan(Fraction(5)) if self.beside else None))
        return Cart(self.country, prices.currency, prices.rate, lines, json.dumps(entries), self.config)

    def promise(self, one: Bought, percentage: Fraction = Fraction(0)) -> Promise | None:
        """Return the promise that configure would make now, in this country and at the current prices. `percentage` is the
        additional discount for a subscription."""
        return promise(self.file, one.wish.bundle, one.wish.counts, self.country, percentage)

    def _plan(self, one: Bought, item: Json, index: int) -> Plan | None:
        plan = self.plans.get(one.id)
        covers = plan is not None and (plan.whole or index == 0) and "_bundle_fee" not in item["properties"]
        return plan if covers else None

    def _line(self, id_: str, item: Json, prices: Prices, plan: Plan | None) -> Line:
        price = prices.of[item["id"]]
        properties = dict(item["properties"])
        configured, _, unique = properties.get("_bundle_data", "##").split("#")
        if configured in self.parents:
            properties["_bundle_data"] = f"{configured}#{self.parents[configured]}#{unique}"
        if plan is not None:
            price = half_up(price * (100 - plan.percentage) / 100, DECIMALS[prices.currency])
        return Line(id_, item["id"], item["quantity"], price, properties, plan is not None)


def honest(file: Json, country: str | None, bought: Sequence[Bought], config: Json) -> Purchase:
    """Build a purchase of bundles as they were configured. Bundles configured without a country are bought in a country without a
    market."""
    plans = {one.id: Plan(one.wish.percentage) for one in bought if one.wish.months}
    return Purchase(file, country or UNNAMED, bought, config, plans)


def with_neighbours(random: Random, purchase: Purchase) -> Purchase:
    """Return the purchase with up to two more lines that belong to no bundle."""
    return replace(purchase, neighbours=random.choice([0, 0, 1, 2]), beside=random.random() < 0.3)
