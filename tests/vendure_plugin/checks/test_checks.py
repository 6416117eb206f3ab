"""The plugin's checks that the shared vectors do not cover: the lines' shares of a discount, decimal places of currencies,
countries, rotated keys and malformed input."""

import base64
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from cryptography.fernet import Fernet
from hypothesis import given, settings
from hypothesis import strategies as st

from bundlesvc.domain.money import allocate
from bundlesvc.token_cipher import FernetCipher
from tests.vendure_plugin.checks.judging import Cart, Judge, Line, Outcome

KEY = Fernet.generate_key().decode()
UNIQUE = "0123456789abcdef0123456789abcdef"
MARK = f"7001#9001#{UNIQUE}"
NOW = 1_800_000_000
WHOLE = st.integers(-(2**63), 2**63)
ANY_VALUE: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), WHOLE, st.text(max_size=5), st.lists(WHOLE), st.just({})
)


def claims(
    units: Mapping[int, int], original: int, discounted: int, currency: str = "EUR", **others: Any
) -> dict[str, Any]:
    """Build the claims for units whose price of `original` minor units is discounted to `discounted`."""
    market = {
        "country": others.pop("country", None),
        "currency": currency,
        "original": original,
        "discounted": discounted,
    }
    if excluded := others.pop("excluded", None):
        market["except"] = excluded
    return {
        "v": 3,
        "shop": "demo",
        "bundle": 42,
        "bundleType": "native",
        "configured": 7001,
        "parent": 9001,
        "type": "price",
        "value": "0.00",
        "original": "1.00",
        "discounted": "1.00",
        "currency": currency,
        "market": market,
        "anywhere": False,
        "variants": {str(variant): count for variant, count in units.items()},
        "fees": {},
        "subscription": None,
        "unique": UNIQUE,
        "test": False,
        "iat": NOW,
        **others,
    }


def sealed(promise: Mapping[str, Any], key: str = KEY) -> str:
    return FernetCipher([key]).seal(promise, NOW)


def lines(token: str, *priced: tuple[int, int, str]) -> list[Line]:
    """Build cart lines, which all have the same discount string, from tuples of variant, quantity and unit price."""
    return [
        Line(str(index), variant, quantity, price, MARK, discount=token)
        for index, (variant, quantity, price) in enumerate(priced)
    ]


def only(outcomes: list[Outcome]) -> Outcome:
    (outcome,) = outcomes
    return outcome


@settings(max_examples=200, deadline=None)
@given(
    prices=st.dictionaries(
        st.integers(1, 60), st.tuples(st.integers(1, 9), st.integers(0, 9_999)), min_size=1, max_size=20
    ),
    part=st.fractions(0, 1),
)
def test_shares_are_those_of_the_service(judge: Judge, prices: Mapping[int, tuple[int, int]], part: Any) -> None:
    ordered = sorted(prices.items())
    weights = [count * price for _, (count, price) in ordered]
    original = sum(weights)
    discounted = int(original * part)
    token = sealed(claims({variant: count for variant, (count, _) in prices.items()}, original, discounted))

    bought = lines(
        token, *((variant, count, f"{Decimal(price) / 100:.2f}") for variant, (count, price) in prices.items())
    )
    outcome = only(judge(Cart(bought, [KEY])))

    off = {line.variant: int(outcome.off[line.id] * 100) for line in bought}
    wanted = allocate(original - discounted, weights)
    assert [off[variant] for variant, _ in ordered] == wanted


@pytest.mark.parametrize(
    ("currency", "decimals", "price", "original", "discounted", "off"),
    [
        ("EUR", 2, "13.33", 2666, 2000, ["3.33", "3.33"]),
        ("EUR", 3, "13.33", 2666, 2001, ["3.33", "3.32"]),
        ("JPY", 2, "1001", 2002, 1501, ["251", "250"]),
        ("JPY", 0, "1001", 2002, 1501, ["251", "250"]),
        ("KWD", 3, "1.255", 2510, 2259, ["0.126", "0.125"]),
        ("KWD", 2, "1.25", 2500, 2257, ["0.12", "0.12"]),
    ],
    ids=[
        "euros",
        "euros of an engine with three decimals: whole cents",
        "yen of an engine with two decimals: whole yen",
        "yen of an engine without decimals",
        "dinars of an engine with three decimals",
        "dinars of an engine with two decimals: 0.243 cannot be taken off, so 0.24 is",
    ],
)
def test_decimals_of_currency_and_engine(
    judge: Judge, currency: str, decimals: int, price: str, original: int, discounted: int, off: list[str]
) -> None:
    token = sealed(claims({11: 1, 21: 1}, original, discounted, currency))

    outcome = only(judge(Cart(lines(token, (11, 1, price), (21, 1, price)), [KEY], currency, decimals=decimals)))

    assert [*outcome.off.values()] == [*map(Decimal, off)]


@pytest.mark.parametrize(
    ("country", "excluded", "channels", "reason"),
    [
        ("CH", [], {}, None),
        ("CH", [], {"CH": "here"}, None),
        ("CH", [], {"CH": "here", "LI": "here"}, None),
        ("LI", [], {"CH": "here", "LI": "here"}, None),
        ("CH", [], {"CH": "there"}, "market_changed"),
        ("CH", [], {"DE": "here"}, "market_changed"),
        ("CH", [], {"DE": "there"}, None),
        (None, [], {"CH": "here"}, None),
        (None, ["CH"], {}, None),
        (None, ["CH"], {"CH": "there"}, None),
        (None, ["CH"], {"CH": "here"}, "market_changed"),
        (None, ["LI"], {"CH": "here", "LI": "here"}, "market_changed"),
    ],
)
def test_country_of_the_promise_is_that_of_the_channel(
    judge: Judge, country: str | None, excluded: list[str], channels: Mapping[str, str], reason: str | None
) -> None:
    token = sealed(claims({11: 1}, 1000, 900, country=country, excluded=excluded))

    assert only(judge(Cart(lines(token, (11, 1, "10.00")), [KEY], channels=channels))).reason == reason


def test_another_currency_at_the_same_prices_is_another_market(judge: Judge) -> None:
    token = sealed(claims({11: 1}, 1000, 900))

    assert only(judge(Cart(lines(token, (11, 1, "10.00")), [KEY], "USD"))).reason == "market_changed"


def test_subscription_of_no_percentage_is_a_purchase(judge: Judge) -> None:
    token = sealed(
        claims({11: 1}, 1000, 900, subscription={"group": 7, "frequency": 2, "unit": "week", "percentage": "0.00"})
    )

    assert only(judge(Cart(lines(token, (11, 1, "10.00")), [KEY]))).off == {"0": Decimal(1)}


def test_every_key_of_the_rotation_opens_discount_strings(judge: Judge) -> None:
    keys = [Fernet.generate_key().decode() for _ in range(4)]
    for key in keys:
        token = sealed(claims({11: 1}, 1000, 900), key)
        assert only(judge(Cart(lines(token, (11, 1, "10.00")), keys))).reason is None
    removed = sealed(claims({11: 1}, 1000, 900), keys[0])
    assert only(judge(Cart(lines(removed, (11, 1, "10.00")), keys[1:]))).reason == "discount_broken"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300) | st.binary(max_size=300).map(lambda data: base64.urlsafe_b64encode(data).decode()))
def test_garbage_is_charged_in_full(judge: Judge, token: str) -> None:
    assert only(judge(Cart(lines(token, (11, 1, "10.00")), [KEY]))).reason == "discount_broken"


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_changed_discount_string_is_charged_in_full(judge: Judge, data: st.DataObject) -> None:
    token = bytearray(base64.urlsafe_b64decode(sealed(claims({11: 1}, 1000, 900))))
    index = data.draw(st.integers(0, len(token) - 1))
    token[index] ^= data.draw(st.integers(1, 255))

    changed = base64.urlsafe_b64encode(token).decode()
    assert only(judge(Cart(lines(changed, (11, 1, "10.00")), [KEY]))).reason == "discount_broken"


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_malformed_claims_are_charged_in_full(judge: Judge, data: st.DataObject) -> None:
    """Whatever a malformed claim contains, the discount is never greater than the discount that the intact claims promise."""
    intact = claims({11: 1}, 1000, 900)
    name = data.draw(st.sampled_from(sorted(intact)))
    value: Any = data.draw(ANY_VALUE)
    outcome = only(judge(Cart(lines(sealed({**intact, name: value}), (11, 1, "10.00")), [KEY])))

    assert sum(outcome.off.values()) <= 1


@pytest.mark.parametrize("content", [b"", b"null", b"[]", b"7", b'"text"', b"{", b"{}", b"\xff\xfe"])
def test_content_that_is_not_claims(judge: Judge, content: bytes) -> None:
    token = Fernet(KEY).encrypt(content).decode()

    assert only(judge(Cart(lines(token, (11, 1, "10.00")), [KEY]))).reason == "discount_unreadable"
