"""Each attack on memory, connections or the processor runs while other clients use the service: all of these clients are served,
and the memory of the process stays bounded."""

from collections.abc import Iterator
from functools import cache

import brotli
import orjson
import pytest

from tests.attacks.attackers import Attackers
from tests.attacks.service import CONFIGURE, EMBED_API, ITEMS, PRICE, Attacked, attacked
from tests.attacks.webhooks.test_webhook_memory import UNSIGNED
from tests.attacks.withstanding import KIBIBYTE, MEBIBYTE, SECONDS, Attack, withstand
from tests.platforms.shopify.webhooks.test_messages import headers
from tests.process.serving import BASE
from tests.process.shop import BOX

pytestmark = pytest.mark.process


def _body(attacked: Attacked, path: str, size: int, address: str = "203.0.113.1") -> bytes:
    """A request whose body lacks its last byte."""
    return attacked.head("POST", path, size, address) + b" " * (size - 1)


def bodies_of_a_mebibyte(attacked: Attacked, many: Attackers) -> None:
    request = _body(attacked, PRICE, MEBIBYTE)
    many.hold(64, lambda _: request, SECONDS)


def bodies_of_a_route(attacked: Attacked, many: Attackers) -> None:
    request = _body(attacked, CONFIGURE, 255 * KIBIBYTE)
    many.hold(400, lambda _: request, SECONDS)


def bodies_from_many_addresses(attacked: Attacked, many: Attackers) -> None:
    many.hold(400, lambda number: _body(attacked, PRICE, 255 * KIBIBYTE, f"203.0.113.{number % 256}"), SECONDS)


def dripping_bodies(attacked: Attacked, many: Attackers) -> None:
    many.drip(400, attacked.head("POST", PRICE, 200 * KIBIBYTE) + b" " * 150 * KIBIBYTE, b" " * 1100, 1, SECONDS)


def _unsigned(length: int, address: str = "203.0.113.1") -> bytes:
    own = {**headers(b"{}", changed=UNSIGNED), "X-Forwarded-For": address}
    lines = ["POST /webhooks/platform/live HTTP/1.1", "Host: x", f"Content-Length: {length}"]
    return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in own.items()), "", ""]).encode()


def unsigned_webhooks(_: Attacked, many: Attackers) -> None:
    request = _unsigned(8 * MEBIBYTE) + b" " * (8 * MEBIBYTE - 1)
    many.hold(9, lambda _: request, SECONDS)


def unsigned_webhooks_from_many_addresses(_: Attacked, many: Attackers) -> None:
    many.hold(60, lambda number: _unsigned(2 * MEBIBYTE, f"203.0.113.{number}") + b" " * (2 * MEBIBYTE - 1), SECONDS)


def languages(attacked: Attacked, many: Attackers) -> None:
    """Send long `Accept-Language` headers, each three times, because the edge caches the response to a request that it has seen
    twice."""

    def request(number: int) -> bytes:
        language = f"de;q=0.9,{'x' * 7000}-{number // 3}"
        return attacked.head("GET", f"{EMBED_API}/bundle?id={BOX}", Accept_Language=language)

    many.flood(8, request, 2 * SECONDS)


def long_paths(attacked: Attacked, many: Attackers) -> None:
    def request(number: int) -> bytes:
        return attacked.head("GET", f"{BASE}/bundles/{BOX}?{'x' * 6000}={number // 3}")

    many.flood(8, request, 2 * SECONDS)


def languages_in_the_query(attacked: Attacked, many: Attackers) -> None:
    def request(number: int) -> bytes:
        return attacked.head("GET", f"{EMBED_API}/settings?lang={'x' * 6000}{number // 3}")

    many.flood(8, request, 2 * SECONDS)


@cache
def _bomb() -> bytes:
    packer, part = brotli.Compressor(quality=1), bytes(MEBIBYTE)
    return b"".join([*(packer.process(part) for _ in range(512)), packer.finish()])


def bombs(attacked: Attacked, many: Attackers) -> None:
    head = attacked.head("POST", PRICE, len(_bomb()), Content_Encoding="br")
    many.flood(32, lambda _: head + _bomb(), SECONDS)


def half_headers(attacked: Attacked, many: Attackers) -> None:
    head = attacked.head("GET", f"{BASE}/bundles/{BOX}")[:-2] + b"X: " + b"x" * 4000
    many.hold(1500, lambda _: head, SECONDS)


def storms(attacked: Attacked, many: Attackers) -> None:
    request = attacked.head("GET", "/healthz", Connection="close")
    many.hold(64, lambda _: request, SECONDS)


def guessed_keys(attacked: Attacked, many: Attackers) -> None:
    def request(number: int) -> bytes:
        guess = f"bnd_live_{number:043}"
        address = f"203.0.{number // 256 % 256}.{number % 256}"
        lines = [f"GET {BASE}/bundles HTTP/1.1", "Host: x", f"Authorization: Bearer {guess}"]
        return "\r\n".join([*lines, f"X-Forwarded-For: {address}", "", ""]).encode()

    many.flood(4, request, SECONDS)


def many_items(attacked: Attacked, many: Attackers) -> None:
    """Send selections of the maximum size, which are refused by the rules or priced."""
    body = orjson.dumps({**ITEMS, "products": ITEMS["products"] * 100})
    many.flood(2, lambda _: attacked.head("POST", PRICE, len(body)) + body, SECONDS)


def faulty_items(attacked: Attacked, many: Attackers) -> None:
    body = orjson.dumps({"type": "native", "products": [{"variant": n} for n in range(20_000)]})[: 255 * KIBIBYTE]
    many.flood(2, lambda _: attacked.head("POST", PRICE, len(body)) + body, SECONDS)


def nested_bodies(attacked: Attacked, many: Attackers) -> None:
    body = b"[" * 250_000
    many.flood(2, lambda _: attacked.head("POST", PRICE, len(body)) + body, SECONDS)


def pipelines(attacked: Attacked, many: Attackers) -> None:
    """Send endless pipelines of requests, and read little."""
    requests = attacked.head("GET", f"{EMBED_API}/bundle?id={BOX}") * 200
    many.flood(8, lambda _: requests, SECONDS)


ATTACKS: list[Attack] = [
    bodies_of_a_mebibyte,
    bodies_of_a_route,
    bodies_from_many_addresses,
    dripping_bodies,
    unsigned_webhooks,
    unsigned_webhooks_from_many_addresses,
    languages,
    languages_in_the_query,
    long_paths,
    bombs,
    half_headers,
    storms,
    guessed_keys,
    many_items,
    faulty_items,
    nested_bodies,
    pipelines,
]


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with attacked(tmp_path_factory.mktemp("attacked")) as service:
        yield service


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_others_are_served_and_memory_is_bounded(service: Attacked, attack: Attack) -> None:
    withstand(service, attack)
