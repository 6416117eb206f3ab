"""Opening discount strings in JavaScript: what the service sealed, what somebody changed, keys that rotate."""

import base64
import json
from typing import Any

import orjson
import pytest
from cryptography.fernet import Fernet
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import NATIVE
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem
from bundlesvc.domain.discount_claims import discount_claims, read_claims
from bundlesvc.domain.money import ZERO, amount_text, plain_text
from bundlesvc.domain.pricing import NO_DISCOUNT, Pricing
from bundlesvc.token_cipher import FernetCipher
from tests.cart_transform.sandbox import V8, Sandbox
from tests.properties import examples

NEW, OLD, STRANGE = (Fernet.generate_key().decode() for _ in range(3))
NOW = 1_800_000_000
BROKEN = {"reason": "discount_broken"}
UNREADABLE = {"reason": "discount_unreadable"}


def claims(distinct: int = 1, shop: str = "demo") -> dict[str, Any]:
    """What the service says of a bundle of so many distinct variants, two of each."""
    items = tuple(ConfiguredItem(variant, 1, 1, 2, "Cup", "", ZERO) for variant in range(9, 9 + distinct))
    pricing = Pricing(ZERO, ZERO, NO_DISCOUNT, ZERO, "EUR")
    return discount_claims(
        ConfiguredBundle(5, 42, NATIVE, "Box", 900, None, False, "f" * 32, pricing, items, NOW), shop
    )


def token(said: dict[str, Any] | None = None, *keys: str) -> str:
    return FernetCipher(keys or (NEW,)).seal(claims() if said is None else said, NOW)


def opened(sandbox: Sandbox, *tokens: str, keys: tuple[str, ...] = (NEW, OLD), engine: str = V8) -> list[Any]:
    """What the step finds in each of them."""
    found: list[Any] = sandbox.call("open", {"tokens": tokens, "keys": keys}, engine)
    return found


@pytest.mark.parametrize("distinct", [1, 20, 21, 200])
def test_the_same_claims_come_out(sandbox: Sandbox, distinct: int) -> None:
    said = claims(distinct)
    assert opened(sandbox, token(said), engine="quickjs") == [{"claims": said}]


def test_every_length_of_padding(sandbox: Sandbox) -> None:
    said = [claims(shop="d" * length) for length in range(1, 34)]
    assert opened(sandbox, *map(token, said)) == [{"claims": each} for each in said]


def test_letters_of_every_script(sandbox: Sandbox) -> None:
    said = claims(shop="Wärme, 100 %, 東京 😀")
    assert opened(sandbox, token(said)) == [{"claims": said}]


@pytest.mark.parametrize("keys", [(NEW, OLD), (OLD, NEW), (OLD,), (STRANGE, "not a key", OLD)])
def test_every_key_opens(sandbox: Sandbox, keys: tuple[str, ...]) -> None:
    assert opened(sandbox, token(None, OLD), keys=keys) == [{"claims": claims()}]


@pytest.mark.parametrize("keys", [(STRANGE,), (), ("",), (NEW[:-4],)])
def test_other_keys_do_not(sandbox: Sandbox, keys: tuple[str, ...]) -> None:
    assert opened(sandbox, token(), keys=keys) == [BROKEN]


def test_a_change_in_any_byte_is_seen(sandbox: Sandbox) -> None:
    """Version, time, vector, every block of the ciphertext, signature."""
    sealed = base64.urlsafe_b64decode(token())
    changed = [
        base64.urlsafe_b64encode(sealed[:place] + bytes([sealed[place] ^ bit]) + sealed[place + 1 :]).decode()
        for place in range(len(sealed))
        for bit in (1, 0x80)
    ]
    assert opened(sandbox, *changed) == [BROKEN] * len(changed)


def test_a_token_that_was_cut_or_made_longer(sandbox: Sandbox) -> None:
    whole = token()
    cut = [whole[:length] for length in range(len(whole.rstrip("=")))]
    longer = [whole + more for more in ("A", "AAAA", "=", "\n", whole)]
    assert opened(sandbox, *cut, *longer) == [BROKEN] * (len(cut) + len(longer))


def test_a_token_without_its_padding_opens(sandbox: Sandbox) -> None:
    """So much of base64 is lost when it travels in an address; the bytes are all there."""
    padded = [each for each in (token(claims(shop="d" * length)) for length in range(1, 34)) if each.endswith("=")]
    assert padded
    assert all("claims" in found for found in opened(sandbox, *(each.rstrip("=") for each in padded)))


@pytest.mark.parametrize("text", ["", "=", "==", "A", "token", "gAAAAA", "💶" * 100, "é" * 400, "../+" * 100])
def test_what_is_no_token(sandbox: Sandbox, text: str) -> None:
    assert opened(sandbox, text) == [BROKEN]


def test_other_base64_is_refused(sandbox: Sandbox) -> None:
    """Of the usual alphabet, and with white space in it."""
    usual = next(text for text in (token() for _ in range(50)) if "-" in text or "_" in text)
    changed = [usual.replace("-", "+").replace("_", "/"), f" {token()}", f"{token()[:40]}\n{token()[40:]}"]
    assert opened(sandbox, *changed) == [BROKEN] * 3


def test_blocks_exchanged(sandbox: Sandbox) -> None:
    sealed = base64.urlsafe_b64decode(token())
    exchanged = sealed[:25] + sealed[41:57] + sealed[25:41] + sealed[57:]
    assert opened(sandbox, base64.urlsafe_b64encode(exchanged).decode()) == [BROKEN]


@pytest.mark.parametrize(
    "plain", [b"", b"[]", b"null", b"5", b'"text"', b"{", b"\xff\xfe", b'{"v":3}', b'{"v":2}', b'{"v":1}']
)
def test_what_the_key_sealed_for_another_purpose(sandbox: Sandbox, plain: bytes) -> None:
    """Opening is not enough: the claims must be of a known kind."""
    assert opened(sandbox, Fernet(NEW).encrypt(plain).decode()) == [UNREADABLE]


@pytest.mark.parametrize(
    "name", "shop bundle configured original discounted currency variants fees unique test iat".split()
)
def test_claims_that_lack_something(sandbox: Sandbox, name: str) -> None:
    said = claims()
    del said[name]
    assert opened(sandbox, token(said)) == [UNREADABLE]


@pytest.mark.parametrize(
    "wrong",
    [
        {"original": "1e3"},
        {"discounted": 5},
        {"original": "-1.00"},
        {"variants": 5},
        {"configured": "5"},
        {"fees": 5},
        {"iat": "5"},
        {"v": 3},
    ],
)
def test_claims_of_another_kind(sandbox: Sandbox, wrong: dict[str, Any]) -> None:
    assert opened(sandbox, token(claims() | wrong)) == [UNREADABLE]


def test_the_first_version_opens(sandbox: Sandbox) -> None:
    said = {name: value for name, value in claims().items() if name not in ("fees", "subscription")} | {"v": 1}
    assert opened(sandbox, token(said)) == [{"claims": said}]


AMOUNTS = st.decimals(min_value=0, max_value=99_999_999, places=2)


@examples(200)
@given(amounts=st.tuples(AMOUNTS, AMOUNTS))
def test_the_percentage_gives_the_discounted_amount(sandbox: Sandbox, amounts: tuple[Any, Any]) -> None:
    """The same in both languages, and exact to the cent after rounding, whichever way halves go."""
    discounted, original = map(amount_text, sorted(amounts))
    said = claims() | {"original": original, "discounted": discounted}
    expected = read_claims(orjson.loads(json.dumps(said)))
    assert expected is not None

    percentage = sandbox.call("percentageOff", said, V8)

    assert percentage == plain_text(expected.percentage)
    off = expected.original * expected.percentage / 100
    assert abs(expected.original - off - expected.discounted) < expected.original.__class__("0.005")
