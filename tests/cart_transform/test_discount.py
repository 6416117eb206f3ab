"""Decrypting genuine and altered discount strings, and key rotation."""

import base64
import json
from typing import Any

import pytest
from cryptography.fernet import Fernet

from bundlesvc.domain.bundle import NATIVE
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem
from bundlesvc.domain.money import ZERO
from bundlesvc.domain.pricing.selection_price import NO_DISCOUNT, Pricing
from bundlesvc.token_cipher import FernetCipher
from tests.cart_transform.carts import Cart, Line, refusals
from tests.domain.configured_bundles import claims_of

NEW, OLD, STRANGE = (Fernet.generate_key().decode() for _ in range(3))
NOW = 1_800_000_000
MARKET = {"country": None, "currency": "EUR", "original": 0, "discounted": 0}
WRONG_IN_MARKET: list[dict[str, Any]] = [
    {"country": 5},
    {"except": "SE"},
    {"except": ["SE", 5]},
    {"currency": None},
    {"original": "0"},
    {"original": -1},
    {"discounted": 10**14 + 1},
    {"discounted": None},
]
MERGED: list[str] = []
BROKEN = ["5 discount_broken"]
UNREADABLE = ["5 discount_unreadable"]


def claims(distinct: int = 1, shop: str = "demo") -> dict[str, Any]:
    """The claims for a bundle of this many distinct variants, two units of each."""
    items = tuple(ConfiguredItem(variant, 1, 1, 2, "Cup", "", ZERO) for variant in range(9, 9 + distinct))
    pricing = Pricing(ZERO, ZERO, NO_DISCOUNT, ZERO, "EUR")
    made = ConfiguredBundle(5, 42, NATIVE, "Box", 900, None, False, "f" * 32, pricing, items, NOW)
    return claims_of(made, shop)


def token(made: dict[str, Any] | None = None, *keys: str) -> str:
    return FernetCipher(keys or (NEW,)).seal(claims() if made is None else made, NOW)


def outcome(
    discount: object, keys: tuple[object, ...] = (NEW, OLD), distinct: int = 1, shop: str = "demo"
) -> list[str]:
    """The reasons why the bundle in a cart with this discount string is not merged."""
    data = {"_bundle_data": f"5#9001#{'f' * 32}"}
    lines = [Line(str(variant), variant, 2, "0", data) for variant in range(9, 9 + distinct)]
    config = {"shop": shop, "keys": keys}
    return refusals(Cart(lines, json.dumps({"5": {"discount": discount}}), config))


@pytest.mark.parametrize("distinct", [1, 20, 21, 200])
def test_discount_string_of_the_service_is_decrypted(distinct: int) -> None:
    assert outcome(token(claims(distinct)), distinct=distinct) == MERGED


@pytest.mark.parametrize("length", range(1, 34))
def test_every_length_of_padding(length: int) -> None:
    shop = "d" * length
    sealed = token(claims(shop=shop))

    assert outcome(sealed, shop=shop) == MERGED
    assert outcome(sealed.rstrip("="), shop=shop) == MERGED


def test_letters_of_every_script() -> None:
    shop = "Wärme, 100 %, 東京 😀"
    assert outcome(token(claims(shop=shop)), shop=shop) == MERGED


@pytest.mark.parametrize("keys", [(NEW, OLD), (OLD, NEW), (OLD,), (STRANGE, "not a key", OLD), (OLD.rstrip("="),)])
def test_every_key_decrypts(keys: tuple[str, ...]) -> None:
    assert outcome(token(None, OLD), keys) == MERGED


@pytest.mark.parametrize("keys", [(STRANGE,), (), ("",), (NEW[:-4],), (5, None)])
def test_other_keys_do_not(keys: tuple[object, ...]) -> None:
    assert outcome(token(), keys) == BROKEN


def test_the_first_sixteen_keys_are_used() -> None:
    keys = tuple(Fernet.generate_key().decode() for _ in range(15))
    assert outcome(token(), (*keys, NEW)) == MERGED
    assert outcome(token(), (*keys, STRANGE, NEW)) == BROKEN


def test_a_change_of_any_byte_is_noticed() -> None:
    """A change to any byte is detected: in the version, the time, the initialisation vector, the ciphertext and the signature."""
    sealed = base64.urlsafe_b64decode(token())
    for index in range(len(sealed)):
        changed = sealed[:index] + bytes([sealed[index] ^ 1 << index % 8]) + sealed[index + 1 :]
        assert outcome(base64.urlsafe_b64encode(changed).decode()) == BROKEN


def test_a_shortened_or_lengthened_token_is_refused() -> None:
    whole = token()
    digits = whole.rstrip("=")
    cut = [whole[:length] for length in range(0, len(digits), 3)]
    for changed in [*cut, *(whole + more for more in ("A", "AAAA", "=", "\n", whole, "A" * 4096))]:
        assert outcome(changed) == BROKEN


@pytest.mark.parametrize(
    "text", ["", "=", "==", "A", "token", "gAAAAA", "💶" * 100, "é" * 400, "../+" * 100, "A" * 5000]
)
def test_other_text_is_refused(text: str) -> None:
    assert outcome(text) == BROKEN


def test_other_base64_is_refused() -> None:
    """Only URL-safe Base64 is accepted: the standard alphabet and white space are refused."""
    usual = next(text for text in (token() for _ in range(50)) if "-" in text or "_" in text)
    changed = [usual.replace("-", "+").replace("_", "/"), f" {token()}", f"{token()[:40]}\n{token()[40:]}"]
    assert [outcome(text) for text in changed] == [BROKEN] * 3


def test_exchanged_blocks_are_refused() -> None:
    sealed = base64.urlsafe_b64decode(token())
    exchanged = sealed[:25] + sealed[41:57] + sealed[25:41] + sealed[57:]
    assert outcome(base64.urlsafe_b64encode(exchanged).decode()) == BROKEN


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        b"[]",
        b"null",
        b"5",
        b'"text"',
        b"{",
        b"\xff\xfe",
        b'{"v":4}',
        b'{"v":3}',
        b'{"v":2}',
        b'{"v":1}',
        b"\x10" * 16,
    ],
)
def test_content_of_another_kind_is_refused(plain: bytes) -> None:
    assert outcome(Fernet(NEW).encrypt(plain).decode()) == UNREADABLE


@pytest.mark.parametrize(
    "name",
    "v shop bundle configured parent value original discounted currency market anywhere variants fees unique test iat".split(),
)
def test_claims_that_lack_something(name: str) -> None:
    made = claims()
    del made[name]
    assert outcome(token(made)) == UNREADABLE


@pytest.mark.parametrize(
    "wrong",
    [
        {"original": "1e3"},
        {"discounted": 5},
        {"original": "-1.00"},
        {"original": "1.0000001"},
        {"variants": 5},
        {"variants": {"9": "2"}},
        {"configured": "5"},
        {"fees": 5},
        {"iat": "5"},
        {"v": 1},
        {"v": 4},
        {"v": 2.5},
        {"parent": "9001"},
        {"value": None},
        {"anywhere": None},
        {"anywhere": True, "value": "100.01"},
        {"market": None},
        *({"market": MARKET | wrong} for wrong in WRONG_IN_MARKET),
        {"subscription": {"percentage": "101"}},
    ],
)
def test_claims_of_another_kind(wrong: dict[str, Any]) -> None:
    assert outcome(token(claims() | wrong)) == UNREADABLE


def test_the_second_version_is_decrypted() -> None:
    bound = ("parent", "market", "anywhere")
    assert outcome(token({name: value for name, value in claims().items() if name not in bound} | {"v": 2})) == MERGED
