"""Sends a client's requests during a failure, and records the responses and the response times."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson

from tests.failures.shops import LiveShop
from tests.process.serving import BASE, HttpResponse, Server, selection
from tests.process.shop import BOX, MUG, PAIR, PLAIN_MUG, SCARCE_SHIRT, SHIRT, SHIRT_M

COUNTRY = "JP"
READ, BUNDLE, PRICE, CONFIGURE, GHOST = "read", "bundle", "price", "configure", "ghost"
"""The requests, in this order: GET products for a country; GET bundle; POST price and POST configure for the same country; and a
configure request that needs a ghost variant."""
ACTIONS = (READ, BUNDLE, PRICE, CONFIGURE, GHOST)

NATIVE = selection("native", (SCARCE_SHIRT, SHIRT, 1), (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2), countryCode=COUNTRY)
PAIRED = selection("multiple-products", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 1))
_POSTED: dict[str, tuple[str, Any]] = {
    PRICE: (f"{BASE}/bundles/{BOX}/price", NATIVE),
    CONFIGURE: (f"{BASE}/bundles/{BOX}/configure", NATIVE),
    GHOST: (f"{BASE}/bundles/{PAIR}/configure", PAIRED),
}
_READ = {READ: f"{BASE}/bundles/{BOX}/products?countryCode={COUNTRY}", BUNDLE: f"{BASE}/bundles/{BOX}"}


@dataclass(frozen=True)
class Observed:
    """A response, and the time that it took in seconds."""

    status: int
    code: str | None
    retry_after: int | None
    age: int | None
    replayed: bool
    body: bytes = field(repr=False)
    seconds: float

    @property
    def ok(self) -> bool:
        return self.status == 200


@dataclass(frozen=True)
class Shopper:
    """A client of one shop. Each kind of configure request always uses the same idempotency key."""

    server: Server
    shop: LiveShop

    def do(self, action: str) -> Observed:
        begun = time.monotonic()
        response = self._get(action) if action in _READ else self._post(action)
        return _observed(response, time.monotonic() - begun)

    def do_all(self, actions: Iterable[str] = ACTIONS) -> dict[str, Observed]:
        """Send the requests for these actions concurrently. Returns the responses by action."""
        return at_once({action: partial(self.do, action) for action in actions})

    def _get(self, action: str) -> HttpResponse:
        return self.server.get(_READ[action], self.shop.key)

    def _post(self, action: str) -> HttpResponse:
        path, body = _POSTED[action]
        headers = {} if action == PRICE else {"Idempotency-Key": f"{self.shop.handle}-{action}"}
        return self.server.post(path, self.shop.key, body, headers)


def at_once(work: dict[Any, Callable[[], Any]]) -> dict[Any, Any]:
    """Run all functions concurrently, each in its own thread. Returns the results by name."""
    with ThreadPoolExecutor(max(1, len(work))) as threads:
        running = {name: threads.submit(each) for name, each in work.items()}
        return {name: each.result() for name, each in running.items()}


def seconds_until(condition: Callable[[], object], timeout: float) -> float:
    """Wait until the condition is true. Returns the number of seconds that this took."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < timeout, "timed out"
        time.sleep(0.05)
    return time.monotonic() - begun


def _observed(response: HttpResponse, seconds: float) -> Observed:
    return Observed(
        response.status,
        None if response.status == 200 else orjson.loads(response.body)["code"],
        _number(response.headers.get("Retry-After")),
        _number(response.headers.get("Age")),
        response.headers.get("Idempotent-Replayed") == "true",
        response.body,
        seconds,
    )


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)
