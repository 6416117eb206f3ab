"""Variants of the attacks in `test_others_are_served.py`, with different parameters, and attacks on ghost variants. The other
callers and their requests are the same as in that module. A defence that is tuned to that module's parameters fails here."""

import gzip
from collections.abc import Iterator
from functools import cache

import orjson
import pytest

from tests.attacks.attackers import Attackers
from tests.attacks.service import CONFIGURE, EMBED_API, ITEMS, PRICE, Attacked, attacked
from tests.attacks.withstanding import KIBIBYTE, MEBIBYTE, SECONDS, Attack, withstand
from tests.process.serving import BASE, selection
from tests.process.shop import BOX, MUG, PAIR, PLAIN_MUG, SHIRT, SHIRT_M

pytestmark = pytest.mark.process

PAIR_CONFIGURE = f"{BASE}/bundles/{PAIR}/configure"


def _pair(number: int) -> bytes:
    """A selection that needs its own ghost variant."""
    mugs, shirts = number % 90 + 1, number // 90 % 90 + 1
    items = [(PLAIN_MUG, MUG, 1)] * mugs + [(SHIRT_M, SHIRT, 1)] * shirts
    return orjson.dumps(selection("multiple-products", *items))


def _address(number: int) -> str:
    return f"203.{number // 65536 % 256}.{number // 256 % 256}.{number % 256}"


def ghosts_of_one_visitor(attacked: Attacked, many: Attackers) -> None:
    def request(number: int) -> bytes:
        body = _pair(number)
        return attacked.head("POST", PAIR_CONFIGURE, len(body)) + body

    many.flood(3, request, SECONDS)


def ghosts_from_many_addresses(attacked: Attacked, many: Attackers) -> None:
    def request(number: int) -> bytes:
        body = _pair(number)
        return attacked.head("POST", PAIR_CONFIGURE, len(body), _address(number)) + body

    many.flood(5, request, SECONDS)


def guessed_ghosts(attacked: Attacked, many: Attackers) -> None:
    """Look up a hundred guessed ids of ghost variants per request."""

    def request(number: int) -> bytes:
        first = 8 * 10**15 + number * 100
        body = orjson.dumps({"bundles": [{"variantId": first + each} for each in range(100)]})
        return attacked.head("POST", f"{EMBED_API}/content", len(body), _address(number)) + body

    many.flood(3, request, SECONDS)


def spellings_of_languages(attacked: Attacked, many: Attackers) -> None:
    """Send different spellings of `Accept-Language`, three times each. Each spelling is as long as a header that a browser
    sends."""

    def request(number: int) -> bytes:
        accept = f"x-{number // 3};q=0.9,de-{number % 7};q=0.{number % 10},{'y' * 150}"
        return attacked.head("GET", f"{EMBED_API}/bundle?id={BOX}", Accept_Language=accept)

    many.flood(5, request, 2 * SECONDS)


def paths_of_any_length(attacked: Attacked, many: Attackers) -> None:
    def request(number: int) -> bytes:
        return attacked.head("GET", f"{EMBED_API}/bundle?id={BOX}&{'x' * (number // 3 % 900)}={number // 3}")

    many.flood(5, request, 2 * SECONDS)


def small_bodies_that_never_end(attacked: Attacked, many: Attackers) -> None:
    request = attacked.head("POST", PRICE, 3 * KIBIBYTE) + b" " * 17
    many.hold(1100, lambda _: request, SECONDS)


def bodies_of_one_byte_less_than_allowed(attacked: Attacked, many: Attackers) -> None:
    length = 128 * KIBIBYTE - 1
    request = attacked.head("POST", CONFIGURE, length) + b" " * (length - 2)
    many.hold(250, lambda number: request.replace(b"203.0.113.1", _address(number).encode()), SECONDS)


def quick_drops(attacked: Attacked, many: Attackers) -> None:
    """Send bodies at just above the minimum rate."""
    many.drip(150, attacked.head("POST", PRICE, 90 * KIBIBYTE) + b" " * 2000, b" " * 700, 0.5, SECONDS)


@cache
def _bomb() -> bytes:
    packed = gzip.compress(bytes(MEBIBYTE))
    return b"".join(packed for _ in range(97))


def bombs_of_many_parts(attacked: Attacked, many: Attackers) -> None:
    """Send decompression bombs, made of concatenated gzip members, to a path that accepts only small bodies."""
    head = attacked.head("POST", f"{EMBED_API}/notify", len(_bomb()), Content_Encoding="gzip")
    many.flood(11, lambda _: head + _bomb(), SECONDS)


def many_orders(attacked: Attacked, many: Attackers) -> None:
    """Send complete configure calls, each from a different address, as in the first minute of a sale."""
    body = orjson.dumps({**ITEMS, "products": ITEMS["products"] * 7})
    many.flood(3, lambda number: attacked.head("POST", CONFIGURE, len(body), _address(number)) + body, SECONDS)


ATTACKS: list[Attack] = [
    ghosts_of_one_visitor,
    ghosts_from_many_addresses,
    guessed_ghosts,
    spellings_of_languages,
    paths_of_any_length,
    small_bodies_that_never_end,
    bodies_of_one_byte_less_than_allowed,
    quick_drops,
    bombs_of_many_parts,
    many_orders,
]


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with attacked(tmp_path_factory.mktemp("attacked"), "translations") as service:
        yield service


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_others_are_served_and_memory_is_bounded(service: Attacked, attack: Attack) -> None:
    withstand(service, attack)
