"""Makes many purchases of bundles that the running service configured, and checks each against the oracle."""

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from aiohttp.test_utils import TestClient

from tests.promises.changes import changed
from tests.promises.markets import Json
from tests.promises.purchases import honest, with_neighbours
from tests.promises.shoppers import Bought, Shoppers
from tests.promises.shops import random_shop
from tests.promises.verdicts import Fault, Outcome, judge_changed, judge_honest

HOMES = ("EUR", "CHF", "JPY", "KWD")
CARTS_OF_A_SHOP = 100
"""The number of carts of each sort (as configured, or changed) in one shop, before the trial continues with the next shop."""

RATE_LIMIT = 100_000_000
"""Requests per minute of a key, more than any trial sends."""

LoadShop = Callable[[str], Awaitable[None]]
MakeKey = Callable[[str], Awaitable[str]]


@dataclass
class Tally:
    """The counts of a trial, by home currency and kind of bundle: bundles, refusals by reason, and faults."""

    bundles: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    carts: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, Fault]] = field(default_factory=list)

    def add(self, seed: int, currency: str, outcome: Outcome) -> None:
        self.carts[currency] += 1
        for kind, reason in outcome.bundles:
            self.bundles[currency, kind] += 1
            if reason:
                self.refused[currency, kind, reason] += 1
        for what, kind in {(fault.what, fault.bundle) for fault in outcome.faults}:
            self.wrong[currency, kind, what] += 1
        self.faults += [(seed, fault) for fault in outcome.faults]


@dataclass
class Trial:
    """Runs random purchases against the service behind `client`: some carts are checked out as configured, others are changed
    first. `load` loads the shops, and `make_key` creates their API keys."""

    client: TestClient[Any, Any]
    secret: str
    load: LoadShop
    make_key: MakeKey
    honest: Tally = field(default_factory=Tally)
    changed: Tally = field(default_factory=Tally)

    async def shop(self, seed: int, carts: int = CARTS_OF_A_SHOP) -> None:
        """Run purchases in a random shop: `carts` carts are checked out as configured, and as many are changed before checkout.
        The home currency rotates with the seed."""
        random, currency = Random(seed), HOMES[seed % len(HOMES)]
        file = random_shop(random, f"shop-{seed}", currency)
        shoppers = await self.shoppers(file)
        for _ in range(carts):
            await self._purchase(random, seed, currency, shoppers)

    async def shoppers(self, file: Json) -> Shoppers:
        """Load a shop, and create an API key for it."""
        await self.load(json.dumps(file))
        return Shoppers(self.client, await self.make_key(file["shop"]["handle"]), self.secret, file)

    async def _purchase(self, random: Random, seed: int, currency: str, shoppers: Shoppers) -> None:
        """Judge two purchases: one of a cart exactly as configured, and one of a cart that was changed before checkout."""
        for tally in (self.honest, self.changed):
            country, bought = await _bought(random, shoppers)
            purchase = with_neighbours(random, honest(shoppers.file, country, bought, shoppers.config))
            if tally is self.honest:
                tally.add(seed, currency, judge_honest(purchase))
            else:
                after, names = changed(random, purchase)
                tally.add(seed, currency, judge_changed(after, names))


async def _bought(random: Random, shoppers: Shoppers) -> tuple[str | None, list[Bought]]:
    """Configure up to three bundles for one country. Returns the country and the bundles."""
    while True:
        country = random.choice([None, *(market["countryCode"] for market in shoppers.file["markets"])])
        bundles = random.sample(shoppers.file["bundles"], random.choice([1, 1, 2, 3]))
        tried = [await shoppers.buy(random, country, bundle) for bundle in bundles]
        bought = [one for one in tried if one is not None]
        if bought:
            return country, bought
