"""A bundle's own discount in one sentence, for lists of bundles (docs/contract.md#lists)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.bundle import CUMULATIVE, PERCENTAGE, PRICE, TIERED, Discount
from bundlesvc.domain.money import HUNDRED, ZERO, plain_text
from bundlesvc.domain.shop import ShopSettings
from bundlesvc.domain.texts.money_format import money_format_in, money_text
from bundlesvc.domain.texts.translation import choose_language

FALLBACK = "en"

SENTENCES: Mapping[str, Mapping[str, str]] = {
    "de": {
        "point": ",",
        "percent": "{value} %",
        "off": "{value} Rabatt",
        "off up to": "Bis zu {value} Rabatt",
        "price": "Zusammen {value}",
        "price up to": "Zusammen ab {value}",
        "total_products": "{sentence} ab {limit} Stück",
        "bulk_buy": "{sentence} ab {limit} gleichen",
        "total_price": "{sentence} ab {limit}",
    },
    "en": {
        "point": ".",
        "percent": "{value}%",
        "off": "{value} off",
        "off up to": "Up to {value} off",
        "price": "{value} for all",
        "price up to": "From {value} for all",
        "total_products": "{sentence} from {limit} items",
        "bulk_buy": "{sentence} from {limit} of the same",
        "total_price": "{sentence} from {limit}",
    },
    "es": {
        "point": ",",
        "percent": "{value} %",
        "off": "{value} de descuento",
        "off up to": "Hasta {value} de descuento",
        "price": "Todo por {value}",
        "price up to": "Todo desde {value}",
        "total_products": "{sentence} a partir de {limit} artículos",
        "bulk_buy": "{sentence} a partir de {limit} iguales",
        "total_price": "{sentence} a partir de {limit}",
    },
    "fr": {
        "point": ",",
        "percent": "{value} %",
        "off": "{value} de remise",
        "off up to": "Jusqu'à {value} de remise",
        "price": "Le tout pour {value}",
        "price up to": "Le tout à partir de {value}",
        "total_products": "{sentence} dès {limit} articles",
        "bulk_buy": "{sentence} dès {limit} identiques",
        "total_price": "{sentence} dès {limit}",
    },
    "it": {
        "point": ",",
        "percent": "{value}%",
        "off": "{value} di sconto",
        "off up to": "Fino a {value} di sconto",
        "price": "Tutto a {value}",
        "price up to": "Tutto da {value}",
        "total_products": "{sentence} da {limit} articoli",
        "bulk_buy": "{sentence} da {limit} uguali",
        "total_price": "{sentence} da {limit}",
    },
    "nl": {
        "point": ",",
        "percent": "{value}%",
        "off": "{value} korting",
        "off up to": "Tot {value} korting",
        "price": "Samen {value}",
        "price up to": "Samen vanaf {value}",
        "total_products": "{sentence} vanaf {limit} stuks",
        "bulk_buy": "{sentence} vanaf {limit} dezelfde",
        "total_price": "{sentence} vanaf {limit}",
    },
}
"""The sentences, by language. If there is exactly one limit from which the discount applies, the sentence names that limit."""


class _Limit(NamedTuple):
    """A lower limit from which a discount applies: the limited measure (a tier type), and the limit's value."""

    measure: str
    least: Decimal


def discount_summary(discount: Discount | None, language: str, settings: ShopSettings) -> str | None:
    """Summarise a discount in one sentence, in the given language or, when there is no translation, in English. Returns None for
    a discount that does not reduce the price."""
    values = [] if discount is None else _values(discount)
    if discount is None or not values:
        return None
    words = SENTENCES[choose_language([language], list(SENTENCES), FALLBACK)]
    money_format = money_format_in(settings, words["point"])
    limits = _limits(discount)
    is_simple = len(values) == 1 and limits is not None and len(limits) <= 1
    kind = "price" if discount.type == PRICE else "off"
    value = _best(discount, values)
    percentage = plain_text(min(value, HUNDRED)).replace(".", words["point"])
    is_percentage = discount.type == PERCENTAGE
    text = words["percent"].format(value=percentage) if is_percentage else money_text(value, money_format)
    sentence = words[kind if is_simple else f"{kind} up to"].format(value=text)
    if not (is_simple and limits):
        return sentence
    (limit,) = limits
    least = money_text(limit.least, money_format) if limit.measure == "total_price" else plain_text(limit.least)
    return words[limit.measure].format(sentence=sentence, limit=least)


def _values(discount: Discount) -> list[Decimal]:
    """Return the value of the discount, or the values of its tiers. Values that do not reduce the price are left out."""
    values = [tier.discount for tier in discount.tiers] if discount.flat_or_tiered == TIERED else [discount.value]
    return [value for value in values if value or discount.type == PRICE]


def _best(discount: Discount, values: Sequence[Decimal]) -> Decimal:
    if discount.type == PRICE:
        return min(values)
    return sum(values, ZERO) if discount.operator == CUMULATIVE else max(values)


def _limits(discount: Discount) -> list[_Limit] | None:
    """Return the lower limits from which the discount applies; None when a tier has a condition that cannot be expressed as such
    a limit."""
    limits = [] if discount.minimum is None else [_Limit("total_price", discount.minimum)]
    for tier in discount.tiers if discount.flat_or_tiered == TIERED else ():
        if tier.operation == "gte":
            limits.append(_Limit(tier.type, tier.threshold))
        elif tier.operation == "gt" and tier.type != "total_price":
            limits.append(_Limit(tier.type, tier.threshold // 1 + 1))
        else:
            return None
    return limits
