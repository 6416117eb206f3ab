"""A scripted assistant that knows only what the tools say about themselves.

It fills a selection step by step: of the units that no upper limit forbids, it adds the one that brings the selection closest to
the rules and the shopper's wishes, and if several are equally close, the cheapest of them.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product as combinations
from typing import Any
from uuid import uuid4

from tests.assistants.tasks import Task

Json = dict[str, Any]
CallTool = Callable[[str, Json], Awaitable[Json]]

MOST_UNITS = 60
ENDLESS = Decimal(10**6)

GRAMS = {"g": Decimal(1), "kg": Decimal(1000), "oz": Decimal("28.349523125"), "lb": Decimal("453.59237")}


@dataclass(frozen=True)
class Unit:
    """A variant in a section, with the data that `get_bundle` returns for it."""

    variant: str
    product: str
    section: int
    price: Decimal
    grams: int
    left: int
    text: str

    def has(self, word: str) -> bool:
        return word in (self.variant, self.product) or word.lower() in self.text


@dataclass(frozen=True)
class Range:
    """A measure of a selection, such as its number of units, and the minimum and maximum that the measure may have."""

    measure: Callable[[Sequence[Unit]], Decimal]
    least: Decimal
    most: Decimal = ENDLESS

    def lacks(self, chosen: Sequence[Unit]) -> Decimal:
        """The share of the minimum that is still missing; 0 when the minimum is reached."""
        missing = self.least - self.measure(chosen)
        return missing / self.least if missing > 0 else Decimal(0)


@dataclass(frozen=True)
class Bought:
    """The result of the `configure` tool, the selection, and the number of calls made."""

    configured: Json
    products: list[Json]
    calls: int


class Unsolvable(Exception):
    """Raised when no selection was found."""


async def shop(task: Task, call: CallTool) -> Bought:
    """Buy what the task describes. Raises Unsolvable."""
    calls = 0
    bundle_id = task.bundle
    place = {"countryCode": task.country, "language": task.language}
    if isinstance(bundle_id, str):
        listed = await call("list_bundles", {"limit": 100})
        bundle_id = next(each["id"] for each in listed["bundles"] if each["name"] == bundle_id)
        calls += 1
    bundle = await call("get_bundle", {"bundleId": bundle_id, **_given(place)})
    arguments = _given({"bundleId": bundle_id, "countryCode": task.country, "products": _items(task, bundle)})
    calls += 1
    agreed: Json = {}
    if not isinstance(task.bundle, str):
        checked = await call("check_selection", arguments)
        if not checked["valid"]:
            raise Unsolvable([detail["message"] for detail in checked["details"]])
        calls += 1
        agreed = _agreed_price(checked["pricing"])
    configured = await call("configure", {**arguments, **agreed, "idempotencyKey": str(uuid4())})
    return Bought(configured, arguments["products"], calls + 1)


def _given(arguments: Json) -> Json:
    return {name: value for name, value in arguments.items() if value is not None}


def _agreed_price(pricing: Json) -> Json:
    if "presentment" in pricing:
        return {"expectedPresentment": pricing["presentment"]["discountedPrice"]}
    return {"expectedPrice": pricing["discountedPrice"]}


def _items(task: Task, bundle: Json) -> list[Json]:
    """The selection in the format that the tools accept."""
    counts: dict[Unit, int] = {}
    for unit in choose(task, bundle):
        counts[unit] = counts.get(unit, 0) + 1
    return [
        {
            "variant": unit.variant,
            "product": unit.product,
            "section": unit.section,
            "quantity": count,
            **({"personalisation": task.answers[unit.product]} if unit.product in task.answers else {}),
        }
        for unit, count in counts.items()
    ]


def choose(task: Task, bundle: Json) -> list[Unit]:
    """Return the first selection that meets all limits, trying each combination of alternative limits in turn. Raises
    Unsolvable."""
    offered = [unit for unit in _offered(bundle) if _wanted(unit, task, bundle)]
    for limits in _ways(bundle["rules"]["limits"]):
        for steps in _multiples(bundle["rules"]["limits"]):
            ranges = [*_wishes(task), *_required(bundle), *map(_range_of(bundle), limits), *steps]
            chosen = _filled(offered, ranges)
            if chosen:
                return chosen
    raise Unsolvable(task.words)


def _offered(bundle: Json) -> Iterator[Unit]:
    for section in bundle["sections"]:
        for product in section["products"]:
            for variant in product["variants"]:
                if variant["available"]:
                    text = " ".join([variant["title"], *product["tags"], *variant["options"].values()])
                    left = MOST_UNITS if variant["left"] is None else variant["left"]
                    yield Unit(
                        variant["variant"],
                        product["product"],
                        section["id"],
                        Decimal(variant["price"]),
                        variant["grams"],
                        left,
                        text.lower(),
                    )


def _wanted(unit: Unit, task: Task, bundle: Json) -> bool:
    """Whether the shopper wants a unit, or the bundle requires the unit's product."""
    if any(required["product"] == unit.product for required in bundle["rules"]["required"]):
        return True
    unwanted = any(unit.has(word) for word in task.without)
    return not unwanted and (not task.only or any(unit.has(word) for word in task.only))


def _filled(offered: Sequence[Unit], ranges: Sequence[Range]) -> list[Unit]:
    """Return units that meet all ranges, or an empty list if none are found."""
    chosen: list[Unit] = []
    while any(each.lacks(chosen) for each in ranges):
        allowed = [unit for unit in offered if _fits([*chosen, unit], unit, ranges)]
        if not allowed or len(chosen) >= MOST_UNITS:
            return []
        chosen.append(min(allowed, key=lambda unit: (_lacking([*chosen, unit], ranges), unit.price)))
    return chosen


def _fits(chosen: Sequence[Unit], added: Unit, ranges: Sequence[Range]) -> bool:
    taken = sum(unit.variant == added.variant for unit in chosen)
    return taken <= added.left and all(each.measure(chosen) <= each.most for each in ranges)


def _lacking(chosen: Sequence[Unit], ranges: Sequence[Range]) -> Decimal:
    return sum((each.lacks(chosen) for each in ranges), Decimal(0))


def _wishes(task: Task) -> Iterator[Range]:
    if task.units is not None:
        yield Range(_count, Decimal(task.units), Decimal(task.units))
    if task.different:
        yield Range(_different, Decimal(task.different))
    for word, count in task.including.items():
        yield Range(lambda chosen, word=word: _count([u for u in chosen if u.has(word)]), Decimal(count))  # type: ignore[misc]


def _required(bundle: Json) -> Iterator[Range]:
    for rule in bundle["rules"]["required"]:

        def count(chosen: Sequence[Unit], rule: Json = rule) -> Decimal:
            accepted = rule["variants"]
            return _count(
                [u for u in chosen if u.product == rule["product"] and u.variant in (accepted or [u.variant])]
            )

        yield Range(count, Decimal(rule["quantity"]))


def _ways(limits: Sequence[Json]) -> Iterator[list[Json]]:
    """Limits with the same `sentence` are alternatives: yield every way of choosing one limit from each group of alternatives.
    Skips `multiples-of`, which is not a range."""
    groups: dict[str, list[Json]] = {}
    for limit in limits:
        if limit["type"] != "multiples-of":
            groups.setdefault(limit["sentence"], []).append(limit)
    yield from map(list, combinations(*groups.values()))


def _multiples(limits: Sequence[Json]) -> Iterator[list[Range]]:
    """Yield, for each number of units that satisfies all `multiples-of` limits, a list with one range, which requires this
    number. Without such limits, yield a single empty list."""
    steps = [int(Decimal(limit["value"])) for limit in limits if limit["type"] == "multiples-of" and limit["value"]]
    if not steps:
        yield []
        return
    for count in range(1, MOST_UNITS + 1):
        if all(count % step == 0 for step in steps):
            yield [Range(_count, Decimal(count), Decimal(count))]


def _range_of(bundle: Json) -> Callable[[Json], Range]:
    """Return a function that converts a limit, with any of the five operations, into a range."""
    per_weight = GRAMS[bundle["rules"]["weightUnit"]]

    def make(limit: Json) -> Range:
        measure, section = _MEASURES[limit["type"]], limit["sectionId"]

        def of_section(chosen: Sequence[Unit]) -> Decimal:
            return measure([unit for unit in chosen if section in (None, unit.section)])

        value = Decimal(limit["value"]) * (per_weight if measure is _weight else 1)
        step = Decimal("0.01") if measure is _price else Decimal(1)
        return Range(of_section, *_bounds(limit["operation"], value, step))

    return make


def _bounds(operation: str, value: Decimal, step: Decimal) -> tuple[Decimal, Decimal]:
    bounds: Mapping[str, tuple[Decimal, Decimal]] = {
        "gt": (value + step, ENDLESS),
        "gte": (value, ENDLESS),
        "lt": (Decimal(0), value - step),
        "lte": (Decimal(0), value),
        "eq": (value, value),
    }
    return bounds[operation]


def _count(chosen: Sequence[Unit]) -> Decimal:
    return Decimal(len(chosen))


def _different(chosen: Sequence[Unit]) -> Decimal:
    return Decimal(len({unit.product for unit in chosen}))


def _price(chosen: Sequence[Unit]) -> Decimal:
    return sum((unit.price for unit in chosen), Decimal(0))


def _weight(chosen: Sequence[Unit]) -> Decimal:
    return Decimal(sum(unit.grams for unit in chosen))


def _most_of_a_product(chosen: Sequence[Unit]) -> Decimal:
    return Decimal(max((sum(u.product == unit.product for u in chosen) for unit in chosen), default=0))


def _most_of_a_variant(chosen: Sequence[Unit]) -> Decimal:
    return Decimal(max((sum(u.variant == unit.variant for u in chosen) for unit in chosen), default=0))


_MEASURES: Mapping[str, Callable[[Sequence[Unit]], Decimal]] = {
    "bundle-price": _price,
    "bundle-price-before-discount": _price,
    "total-number-of-products": _count,
    "number-of-different-products": _different,
    "amount-of-one-product": _most_of_a_product,
    "amount-of-one-variant": _most_of_a_variant,
    "amount-of-weight": _weight,
}
