"""What clients do in a shop while something fails, what they are told, and how long that takes."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson

from tests.failures.shops import LiveShop
from tests.process.serving import BASE, Answer, Server, selection
from tests.process.shop import BOX, MUG, PAIR, PLAIN_MUG, SCARCE_SHIRT, SHIRT, SHIRT_M

COUNTRY = "JP"
READ, BUNDLE, PRICE, CONFIGURE, GHOST = "read", "bundle", "price", "configure", "ghost"
"""GET products in a country, GET bundle, POST price and POST configure in that country, and the configure that needs a ghost
variant."""
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
class Told:
    """An answer, and how many seconds it took."""

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
    """A client of one shop. What it configures has an idempotency key, the same whenever it does the same again."""

    server: Server
    shop: LiveShop

    def do(self, action: str) -> Told:
        begun = time.monotonic()
        answer = self._get(action) if action in _READ else self._post(action)
        return _told(answer, time.monotonic() - begun)

    def do_all(self, actions: Iterable[str] = ACTIONS) -> dict[str, Told]:
        """All at once."""
        return at_once({action: partial(self.do, action) for action in actions})

    def _get(self, action: str) -> Answer:
        return self.server.get(_READ[action], self.shop.key)

    def _post(self, action: str) -> Answer:
        path, body = _POSTED[action]
        headers = {} if action == PRICE else {"Idempotency-Key": f"{self.shop.handle}-{action}"}
        return self.server.post(path, self.shop.key, body, headers)


def at_once(work: dict[Any, Callable[[], Any]]) -> dict[Any, Any]:
    """What each piece of work comes to, all in threads of their own."""
    with ThreadPoolExecutor(max(1, len(work))) as threads:
        under_way = {name: threads.submit(each) for name, each in work.items()}
        return {name: each.result() for name, each in under_way.items()}


def seconds_until(condition: Callable[[], object], timeout: float) -> float:
    """How long it takes until it holds."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < timeout, "it did not come to pass"
        time.sleep(0.05)
    return time.monotonic() - begun


def _told(answer: Answer, seconds: float) -> Told:
    return Told(
        answer.status,
        None if answer.status == 200 else orjson.loads(answer.body)["code"],
        _number(answer.headers.get("Retry-After")),
        _number(answer.headers.get("Age")),
        answer.headers.get("Idempotent-Replayed") == "true",
        answer.body,
        seconds,
    )


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)
