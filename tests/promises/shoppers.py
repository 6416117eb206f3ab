"""Shoppers who use the running service: they choose selections and configure them for a country."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from aiohttp.test_utils import TestClient

from tests.promises.claims import wrong_claims
from tests.promises.markets import Json
from tests.promises.promise import Counts, Promise, promise
from tests.promises.shops import PLANS, kind_of
from tests.promises.tokens import opened, written_key

MOST_ATTEMPTS = 30


@dataclass(frozen=True)
class Wish:
    """A selection of a bundle. `months` is the chosen subscription option, or None for a one-time purchase; `engraved` says
    whether some units are personalised for a fee."""

    bundle: Json
    counts: Counts
    months: int | None = None
    engraved: bool = False

    @property
    def kind(self) -> str:
        return kind_of(self.bundle)

    @property
    def percentage(self) -> Fraction:
        return Fraction(PLANS[self.months]) if self.months else Fraction(0)

    def promise(self, file: Json, country: str | None) -> Promise | None:
        return promise(file, self.bundle, self.counts, country, self.percentage)


@dataclass(frozen=True)
class Bought:
    """A selection that a shopper configured: the wish, the response, and the promise that the oracle calculated for `country`
    from the shop file as it was when the selection was configured."""

    file: Json
    wish: Wish
    country: str | None
    answer: Json
    promise: Promise

    @property
    def id(self) -> str:
        return str(self.answer["configured_bundle_id"])


class Differs(Exception):
    """Raised when the promise of the service differs from that of the oracle."""


class Shoppers:
    """Shoppers of one shop, with an API key of that shop."""

    def __init__(self, client: TestClient[Any, Any], key: str, secret: str, file: Json) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {key}"}
        self._secret = secret
        self.file = file
        self.config = {"shop": file["shop"]["handle"], "keys": [written_key(secret)]}

    async def buy(self, random: Random, country: str | None, bundle: Json) -> Bought | None:
        """Configure a random selection of the bundle for a country. Returns None if configure refuses all selections that were
        tried."""
        for _ in range(MOST_ATTEMPTS):
            wish = _wish(random, bundle)
            if (bought := await self._attempt(wish, country)) is not None:
                return bought
        return None

    async def configure(self, wish: Wish, country: str | None) -> Bought:
        """Configure a selection that is known to be allowed in the country."""
        bought = await self._attempt(wish, country)
        assert bought is not None
        return bought

    async def _attempt(self, wish: Wish, country: str | None) -> Bought | None:
        expected = wish.promise(self.file, country)
        answer = await self._configure(wish, country)
        _compare(expected, answer, wish, country)
        if expected is None:
            return None
        claims = opened(answer["discount"], self._secret)
        if wrong := wrong_claims(self.file, wish.bundle, wish.counts, country, expected, claims):
            raise Differs(f"{wish} in {country}: {'; '.join(wrong)}")
        return Bought(self.file, wish, country, answer, expected)

    async def _configure(self, wish: Wish, country: str | None) -> Json:
        body: Json = {"type": "native", "products": [item for items in _items(wish) for item in items]}
        if country is not None:
            body["countryCode"] = country
        if wish.months:
            body["subscription"] = {"id": 7, "frequency": wish.months, "unit": "month", "email": "a@example.com"}
        address = f"/api/headless/v1/bundles/{wish.bundle['id']}/configure"
        async with self._client.post(address, json=body, headers=self._headers) as response:
            answer: Json = await response.json()
            return answer | {"status": response.status}


def _wish(random: Random, bundle: Json) -> Wish:
    variants = [1000 * number + place for number in (1, 2, 3) for place in (1, 2)]
    counts = {id_: random.choice([1, 1, 2, 3, 12]) for id_ in random.sample(variants, random.choice([1, 2, 3, 4]))}
    months = random.choice([None, None, None, *PLANS])
    return Wish(bundle, counts, months, engraved=random.random() < 0.15)


def _items(wish: Wish) -> list[list[Json]]:
    """Build the items of a configure call. If the wish is `engraved`, every other unit of the first product is engraved."""
    return [
        [
            {"product": str(id_ // 1000), "variant": str(id_), "section": 1}
            | ({"personalisation": {"engraving": "Mira"}} if wish.engraved and id_ < 2000 and unit % 2 == 0 else {})
            for unit in range(count)
        ]
        for id_, count in wish.counts.items()
    ]


def _compare(expected: Promise | None, answer: Json, wish: Wish, country: str | None) -> None:
    """Compare the response with the expected promise. Raises Differs."""
    if expected is None:
        if answer["status"] != 400 or answer["code"] != "rules_not_met":
            raise Differs(f"{wish} in {country} should be refused: {answer}")
        return
    if answer["status"] != 200:
        raise Differs(f"{wish} in {country} was refused: {answer}")
    counted = Counter({item["id"]: 0 for item in answer["cart"]["line_items"]})
    for item in answer["cart"]["line_items"]:
        counted[item["id"]] += item["quantity"] * ("_bundle_fee" not in item["properties"])
    if {id_: count for id_, count in counted.items() if count} != dict(wish.counts):
        raise Differs(f"{wish}: {answer['cart']['line_items']}")
    market = answer.get("presentment") or answer["pricing"]
    found = Fraction(market["originalPrice"]), Fraction(market["discountedPrice"])
    if found != (expected.shown.original, expected.shown.discounted):
        raise Differs(f"{wish} in {country}: {found} instead of {expected}")
