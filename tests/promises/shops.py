"""Random shops: a home currency, markets with their own prices, and a bundle of every kind."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

from tests.promises.amounts import DECIMALS, written
from tests.promises.markets import Json

PER_EURO = {
    "EUR": "1",
    "CHF": "0.94",
    "USD": "1.0837",
    "SEK": "11.32",
    "JPY": "163.42",
    "KWD": "0.3326",
    "BHD": "0.4083",
}
COUNTRIES = {"AT": "EUR", "FR": "EUR", "CH": "CHF", "US": "USD", "SE": "SEK", "JP": "JPY", "KW": "KWD", "BH": "BHD"}
UNSERVED = ("NO", "BR")
"""Countries without a market, which conditions may name."""
UNNAMED = "IS"
"""A country without a market, which no condition names."""

PRODUCTS, VARIANTS = 3, 2
PARENT, OTHER_PARENT, FEE, NEIGHBOUR = 9001, 9002, 6001, 7001
PLANS = {1: "0.00", 2: "5.00", 3: "12.50"}
"""The percentage of each plan, by its number of months."""


def random_shop(random: Random, handle: str, currency: str) -> Json:
    """Generate a shop file. Prices have about the same value in euros in every currency."""
    countries = random.sample(sorted(COUNTRIES), 4)
    variants = [1000 * number + index for number in range(1, PRODUCTS + 1) for index in range(1, VARIANTS + 1)]
    return {
        "shop": {
            "handle": handle,
            "name": handle,
            "domain": f"{handle}.example",
            "currency": currency,
            "moneyFormat": "{{amount}}",
            "weightUnit": "kg",
            "locale": "en",
            "headlessEnabled": True,
            "activeFeatures": ["conditions", "subscriptions", "personalisation"],
            "platform": {"kind": "embedded"},
            "templates": ["default"],
        },
        "markets": [_market(random, country, currency, variants) for country in countries],
        "products": [
            *(_product(random, number, currency) for number in range(1, PRODUCTS + 1)),
            _simple(900, [PARENT, OTHER_PARENT], "0.00"),
            _simple(600, [FEE], _price(random, currency, 3)),
            _simple(700, [NEIGHBOUR], _price(random, currency, 30)),
        ],
        "bundles": [
            _bundle(random, id_, kind, currency, countries, variants) for id_, kind in enumerate(KINDS, start=1)
        ],
    }


def kind_of(bundle: Json) -> str:
    return str(bundle["name"])


def _price(random: Random, currency: str, euros: float) -> str:
    """Return a random amount, worth at most this number of euros. Small amounts are frequent."""
    decimals = min(DECIMALS[currency], 2)
    most = euros * float(Fraction(PER_EURO[currency])) * 10**decimals
    units = max(1, int(most * random.random() ** 2))
    if random.random() < 0.3 and units > 10**decimals:
        units = units // 10**decimals * 10**decimals + 10**decimals - 1
    return written(Fraction(units, 10**decimals))


def _market(random: Random, country: str, home: str, variants: list[int]) -> Json:
    currency = COUNTRIES[country]
    rate = Fraction(PER_EURO[currency]) / Fraction(PER_EURO[home])
    fixed = random.sample(variants, random.choice([0, 0, 1, 2, len(variants)]))
    return {
        "countryCode": country,
        "currency": currency,
        "exchangeRate": "1" if currency == home else f"{float(rate):.6g}",
        "priceAdjustment": random.choice(["0", "0", "5", "-3.5", "40", "-60"]),
        "prices": {str(id_): _price(random, currency, 60) for id_ in fixed},
        "unavailableVariantIds": [],
    }


def _product(random: Random, number: int, currency: str) -> Json:
    names = [f"No. {index}" for index in range(1, VARIANTS + 1)]
    return {
        "id": str(number),
        "title": f"Product {number}",
        "handle": f"product-{number}",
        "options": [{"name": "Number", "values": names}],
        "variants": [
            {
                "id": str(1000 * number + index),
                "title": name,
                "price": _price(random, currency, 60),
                "optionValues": [name],
            }
            for index, name in enumerate(names, start=1)
        ],
    }


def _simple(id_: int, variants: list[int], price: str) -> Json:
    names = [str(variant) for variant in variants]
    return {
        "id": str(id_),
        "title": f"Product {id_}",
        "handle": f"product-{id_}",
        "options": [{"name": "Number", "values": names}],
        "variants": [{"id": name, "title": name, "price": price, "optionValues": [name]} for name in names],
    }


def _bundle(random: Random, id_: int, kind: str, currency: str, countries: list[str], variants: list[int]) -> Json:
    fee = {"variantId": str(FEE), "amount": "1.00", "currencyCode": currency}
    engraving = {"id": "f1", "key": "engraving", "label": "Engraving", "type": "text", "required": False, "fee": fee}
    months = [{"frequency": month, "unit": "month", "discount": off} for month, off in PLANS.items()]
    section = [{"bundleItemId": number, "platformProductId": str(number)} for number in range(1, PRODUCTS + 1)]
    country, variant = random.choice([*countries, *UNSERVED]), random.choice(variants)
    discount, conditions, rules = KINDS[kind](random, currency, country, variant)
    return {
        "id": id_,
        "name": kind,
        "type": "native",
        "platformProductId": "900",
        "parentVariantId": str(PARENT),
        "discount": {"minimum": None, "flatOrTiered": "flat", "operator": None, "tiers": [], "value": "0.00"}
        | discount,
        "sections": [{"id": 1, "name": "All", "products": section}],
        "limitRules": rules,
        "conditions": conditions,
        "personalisation": {"1": [engraving]},
        "subscription": {"mode": "optional", "groups": [{"id": 7, "name": "Often", "options": months}]},
    }


Terms = tuple[Json, list[Json], list[Json]]
"""The discount, the conditions and the limit rules of a bundle."""


def _percentage(random: Random) -> str:
    return random.choice(
        ["5.00", "10.00", "12.50", "33.33", "60.00", "99.99", "100.00", f"{random.randrange(1, 10_000) / 100:.2f}"]
    )


def _flat(random: Random) -> Json:
    return {"type": "percentage", "value": _percentage(random)}


def _amount_off(random: Random, currency: str) -> Json:
    return {"type": random.choice(["fixed", "price"]), "value": _price(random, currency, 80)}


def _tiered(random: Random, currency: str, type_: str, measured: str) -> Json:
    """Generate discount tiers by amount or by number of units, depending on `measured`."""
    tiers = [
        {
            "type": measured,
            "operation": random.choice(["gt", "gte", "gte", "lt", "lte"]),
            "value": _price(random, currency, 120) if measured == "total_price" else str(random.randrange(1, 8)),
            "discount": _percentage(random) if type_ == "percentage" else _price(random, currency, 80),
        }
        for _ in range(random.choice([1, 2, 3]))
    ]
    return {"type": type_, "flatOrTiered": "tiered", "operator": random.choice(["max", "cumulative"]), "tiers": tiers}


def _fired(random: Random, currency: str, condition: Json) -> list[Json]:
    """Generate a discount that is triggered when the condition holds, or when it does not hold."""
    off = _flat(random) if random.random() < 0.7 else _amount_off(random, currency)
    mode = random.choice(["all", "none"])
    return [
        {"id": "c", "kind": "condition", **condition},
        {"id": "g", "kind": "group", "mode": mode, "children": ["c"]},
        {"id": "a", "kind": "action", "type": "discount", "when": "g", "discount": off},
    ]


def _country(country: str) -> Json:
    return {"type": "country", "operation": "eq", "value": country}


def _total_price(random: Random, currency: str) -> Json:
    return {"type": "total-price", "operation": random.choice(["gte", "lt"]), "value": _price(random, currency, 120)}


def _count(random: Random) -> Json:
    return {"type": "total-products", "operation": "gte", "value": str(random.randrange(1, 8))}


def _free_item(random: Random, currency: str, variant: int) -> list[Json]:
    return [
        {"id": "c", "kind": "condition", **random.choice([_count(random), _total_price(random, currency)])},
        {"id": "a", "kind": "action", "type": "free-item", "when": "c", "variantId": str(variant), "quantity": 1},
    ]


def _blocked(country: str) -> list[Json]:
    return [
        {"id": "c", "kind": "condition", **_country(country)},
        {"id": "a", "kind": "action", "type": "block-cart", "when": "c", "text": "Not here"},
    ]


def _percentage_by_count(random: Random, currency: str) -> list[Json]:
    nodes = _fired(random, currency, _count(random))
    return [*nodes[:-1], nodes[-1] | {"discount": _flat(random)}]


def _price_rule(random: Random, currency: str) -> list[Json]:
    operation = random.choice(["gte", "lte"])
    return [{"type": "bundle-price", "operation": operation, "value": _price(random, currency, 120), "sectionId": None}]


ANYWHERE = ("percentage", "tiers on units", "condition on units")
"""Kinds of bundles whose percentage off is the same in every market."""

KINDS: dict[str, Callable[[Random, str, str, int], Terms]] = {
    "percentage": lambda random, _, __, ___: (_flat(random), [], []),
    "tiers on units": lambda random, currency, _, __: (
        _tiered(random, currency, "percentage", random.choice(["total_products", "bulk_buy"])),
        [],
        [],
    ),
    "condition on units": lambda random, currency, _, __: (_flat(random), _percentage_by_count(random, currency), []),
    "amount or price": lambda random, currency, _, __: (_amount_off(random, currency), [], []),
    "minimum": lambda random, currency, _, __: (_flat(random) | {"minimum": _price(random, currency, 120)}, [], []),
    "tiers on amounts": lambda random, currency, _, __: (
        _tiered(random, currency, random.choice(["percentage", "fixed", "price"]), "total_price"),
        [],
        [],
    ),
    "condition on country": lambda random, currency, country, _: (
        _flat(random),
        _fired(random, currency, _country(country)),
        [],
    ),
    "condition on amount": lambda random, currency, _, __: (
        _flat(random),
        _fired(random, currency, _total_price(random, currency)),
        [],
    ),
    "free item": lambda random, currency, _, variant: (_flat(random), _free_item(random, currency, variant), []),
    "blocked country": lambda random, _, country, __: (_flat(random), _blocked(country), []),
    "rule on price": lambda random, currency, _, __: (_flat(random), [], _price_rule(random, currency)),
}
"""The function for every kind of bundle, by name."""
