"""Compares the claims of a discount string with those expected from the promise that the oracle calculated
(docs/discount-string.md)."""

from fractions import Fraction

from tests.promises.amounts import DECIMALS, WRITTEN, exact, minor_unit
from tests.promises.markets import Json, prices_in
from tests.promises.promise import Counts, Promise, promise
from tests.promises.shops import ANYWHERE, PARENT, UNNAMED, UNSERVED, kind_of


def wrong_claims(
    file: Json, bundle: Json, counts: Counts, country: str | None, due: Promise, claims: Json
) -> list[str]:
    """Return the claims that differ from the expected ones. `due` is the promise for the country."""
    market = due.market
    unit = 10 ** DECIMALS[market.currency]
    named = sorted({node["value"] for node in bundle["conditions"] if node.get("type") == "country"})
    expected_market = {
        "country": country,
        "currency": market.currency,
        "original": int(market.original * unit),
        "discounted": int(market.discounted * unit),
        **({"except": named} if country is None and named else {}),
    }
    expected = {
        "v": 3,
        "shop": file["shop"]["handle"],
        "parent": PARENT,
        "market": expected_market,
        "variants": {str(id_): count for id_, count in sorted(counts.items())},
    }
    wrong = [f"{name}: {claims[name]} instead of {value}" for name, value in expected.items() if claims[name] != value]
    if claims["anywhere"] and not _is_due_anywhere(file, bundle, counts, Fraction(claims["value"])):
        wrong.append("anywhere")
    return wrong


def rounded_away(file: Json, counts: Counts, country: str) -> Fraction:
    """Return an upper bound on the amount that a percentage can take off in a country even though it rounds to no discount in the
    shop's currency. Whether a discount applies is decided in the shop's currency. The bound is half a unit of the last decimal
    place that the API outputs, for each unit of the selection, because units may be free in the shop's currency."""
    half = Fraction(1, 2 * 10 ** min(DECIMALS[file["shop"]["currency"]], WRITTEN))
    return sum(counts.values()) * half * prices_in(file, country).rate


def _is_due_anywhere(file: Json, bundle: Json, counts: Counts, value: Fraction) -> bool:
    """Whether the price promised in every country is this percentage below the price of the units in that country, allowing for
    rounding."""
    if kind_of(bundle) not in (*ANYWHERE, "free item"):  # a free-item bundle can pass only without its free unit
        return False
    for country in [market["countryCode"] for market in file["markets"]] + [*UNSERVED, UNNAMED]:
        there = promise(file, bundle, counts, country, Fraction(0))
        if there is None:
            return False
        off = exact(there.market.original * value / 100, there.market.currency)
        tolerance = rounded_away(file, counts, country) + minor_unit(there.market.currency) / 2
        if abs(there.market.original - off - there.market.discounted) > tolerance:
            return False
    return True
