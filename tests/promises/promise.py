"""The promise that `configure` must make for a selection in a country, calculated from the shop file alone
(docs/contract.md#prices)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tests.promises.amounts import exact, home
from tests.promises.markets import Json, Prices, prices_in

COMPARE = {
    "gt": lambda left, right: left > right,
    "gte": lambda left, right: left >= right,
    "lt": lambda left, right: left < right,
    "lte": lambda left, right: left <= right,
    "eq": lambda left, right: left == right,
}

Counts = Mapping[int, int]
"""The number of units by variant id. All generated selections are in one section."""


@dataclass(frozen=True)
class Amounts:
    """A price before and after the discount, in a currency."""

    original: Fraction
    discounted: Fraction
    currency: str


@dataclass(frozen=True)
class Promise:
    """The promise for a selection. `market` contains the amounts in the country's currency, with all decimal places of that
    currency. `subscribed` is the price that a subscriber pays; without a subscription, it equals `market.discounted`. `shown`
    contains the amounts that configure returns, in the shop's own currency with at most two decimal places. `applied` is the type
    and value of the discount."""

    market: Amounts
    subscribed: Fraction
    shown: Amounts
    applied: tuple[str, Fraction]


@dataclass(frozen=True)
class _Reduction:
    type: str
    value: Fraction
    amount: Fraction


_NONE = _Reduction("none", Fraction(0), Fraction(0))


def promise(file: Json, bundle: Json, counts: Counts, country: str | None, percentage: Fraction) -> Promise | None:
    """Calculate the promise, or return None if configure refuses the selection. `percentage` is the subscription's reduction, 0
    without a subscription."""
    prices = prices_in(file, country)
    currency = file["shop"]["currency"]
    held = _held(bundle, counts, prices, country)
    free = _free(bundle, counts, held)
    paid = {id_: count - free.get(id_, 0) for id_, count in counts.items()}
    amount = _sum(paid, prices.at_home)
    reduction = _reduction(file, bundle, paid, amount, held, currency)
    left = amount - reduction.amount
    subscribed = left - home(left * percentage / 100, currency)
    if _refused(bundle, held, subscribed):
        return None
    market = _in_market(counts, paid, reduction, amount, prices)
    due = market.discounted - exact(market.discounted * percentage / 100, prices.currency)
    own = prices.currency == currency
    shown = Amounts(_sum(counts, prices.at_home), subscribed, currency) if own else replace(market, discounted=due)
    return Promise(market, due, shown, (reduction.type, reduction.value))


def _sum(counts: Counts, prices: Mapping[int, Fraction]) -> Fraction:
    return sum((prices[id_] * count for id_, count in counts.items()), Fraction(0))


def _held(bundle: Json, counts: Counts, prices: Prices, country: str | None) -> dict[str, bool]:
    """Evaluate the nodes of the bundle's conditions, and return whether each is true, by id. In generated shops, groups refer
    only to conditions."""
    nodes = bundle["conditions"]
    aside = {int(node["variantId"]): int(node["quantity"]) for node in nodes if node.get("type") == "free-item"}
    seen = {id_: max(count - aside.get(id_, 0), 0) for id_, count in counts.items()}
    held: dict[str, bool] = {}
    for node in nodes:
        if node["kind"] == "condition":
            held[node["id"]] = _condition(node, seen, prices, country)
    for node in nodes:
        if node["kind"] == "group":
            children = [held[child] for child in node["children"]]
            held[node["id"]] = {"all": all(children), "any": any(children), "none": not any(children)}[node["mode"]]
    for node in nodes:
        if node["kind"] == "action":
            held[node["id"]] = held[node["when"]] if "when" in node else True
    return held


def _condition(node: Json, seen: Counts, prices: Prices, country: str | None) -> bool:
    measured: Any
    match node["type"]:
        case "country":
            return bool(country == node["value"])
        case "total-price":
            measured = _sum(seen, prices.at_home)
        case "total-products":
            measured = sum(seen.values())
        case "variant-selected":
            measured = seen.get(int(node["variantId"]), 0)
    return bool(COMPARE[node["operation"]](measured, Fraction(node["value"])))


def _actions(bundle: Json, held: Mapping[str, bool], type_: str) -> list[Json]:
    return [
        node for node in bundle["conditions"] if node["kind"] == "action" and node["type"] == type_ and held[node["id"]]
    ]


def _free(bundle: Json, counts: Counts, held: Mapping[str, bool]) -> dict[int, int]:
    return {
        int(node["variantId"]): min(int(node["quantity"]), counts.get(int(node["variantId"]), 0))
        for node in _actions(bundle, held, "free-item")
    }


def _reduction(
    file: Json, bundle: Json, paid: Counts, amount: Fraction, held: Mapping[str, bool], currency: str
) -> _Reduction:
    fired = _actions(bundle, held, "discount")
    if fired:
        discount = fired[0]["discount"]
        return _taken(discount["type"], Fraction(discount["value"]), amount, currency)
    discount = bundle["discount"]
    if discount["minimum"] is not None and amount < Fraction(discount["minimum"]):
        return _NONE
    if discount["flatOrTiered"] == "flat":
        return _taken(discount["type"], Fraction(discount["value"]), amount, currency)
    measures = {
        "total_products": Fraction(sum(paid.values())),
        "bulk_buy": Fraction(_largest(file, paid)),
        "total_price": amount,
    }
    values = [
        Fraction(tier["discount"])
        for tier in discount["tiers"]
        if COMPARE[tier["operation"]](measures[tier["type"]], Fraction(tier["value"]))
    ]
    if discount["operator"] == "cumulative" and discount["type"] != "price" and values:
        values = [sum(values, Fraction(0))]
    best = _NONE
    for each in (_taken(discount["type"], value, amount, currency) for value in values):
        best = each if each.amount > best.amount else best
    return best


def _largest(file: Json, paid: Counts) -> int:
    return max(sum(paid.get(int(variant["id"]), 0) for variant in product["variants"]) for product in file["products"])


def _taken(type_: str, value: Fraction, amount: Fraction, currency: str) -> _Reduction:
    if type_ == "percentage":
        value = min(value, Fraction(100))
        off = home(amount * value / 100, currency)
    elif type_ == "fixed":
        off = home(min(value, amount), currency)
    else:
        off = home(amount - min(value, amount), currency)
    return _Reduction(type_, value, off) if off > 0 else _NONE


def _refused(bundle: Json, held: Mapping[str, bool], left: Fraction) -> bool:
    """Whether the selection is refused. In generated shops, limit rules apply to the price after all discounts."""
    broken = any(not COMPARE[rule["operation"]](left, Fraction(rule["value"])) for rule in bundle["limitRules"])
    return broken or bool(_actions(bundle, held, "block-cart"))


def _in_market(counts: Counts, paid: Counts, reduction: _Reduction, amount: Fraction, prices: Prices) -> Amounts:
    """Apply the discount, which was determined in the shop's currency, to the market's prices (docs/contract.md#presentment)."""
    original, full = _sum(counts, prices.of), _sum(paid, prices.of)
    converted = exact(reduction.value * prices.rate, prices.currency)
    off = {
        "none": Fraction(0),
        "percentage": exact(full * reduction.value / 100, prices.currency),
        "fixed": full if reduction.value >= amount else min(converted, full),
        "price": full - min(converted, full),
    }[reduction.type]
    return Amounts(exact(original, prices.currency), exact(full - off, prices.currency), prices.currency)
