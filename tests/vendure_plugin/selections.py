"""Random selections of the demo shop's native bundles, configured by the service."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.shop_files.shop_file import ShopFile
from tests.process.serving import BASE, HttpResponse, Server

Json = dict[str, Any]

MOST_ATTEMPTS = 600
STANDING_ORDER = 108
NO_PERCENTAGE = {"id": 2, "frequency": 3, "unit": "month", "email": "ada@shop.example"}
"""A subscription to the bundle that is sold only with a subscription."""


@dataclass(frozen=True)
class Configured:
    """The response to a configure request, and the amount that it promises in the market's currency. `sent` is the body of the
    request."""

    bundle: int
    sent: Json
    answer: Json
    original: Decimal
    promised: Decimal

    @property
    def id(self) -> str:
        return str(self.answer["configured_bundle_id"])


class Storefront:
    """A storefront of the demo shop: it configures bundles through the service's API."""

    def __init__(self, server: Server, key: str, shop: ShopFile) -> None:
        self._server = server
        self.origin, self.key = server.address, key
        self._products = {product.id: product for product in shop.products}
        self.natives = [bundle for bundle in shop.bundles if bundle.type == "native" and bundle.published]

    def some(self, random: Random, bundle: Bundle, country: str | None) -> Configured:
        """Configure a random selection that the service accepts for the country."""
        refused = None
        for _ in range(MOST_ATTEMPTS):
            body = _body(self._items(random, bundle), country, self._subscription(bundle))
            answer = self.configure(bundle.id, body)
            if answer.status == 200:
                return _configured(bundle.id, body, answer.json)
            refused = answer.json
        raise AssertionError(f"nothing of {bundle.name} can be configured for {country}: {refused}")

    def again(self, one: Configured) -> Configured:
        """Configure the same selection again, and return the new configured bundle."""
        return self._accepted(one.bundle, one.sent)

    def configure(self, bundle: int, body: Json) -> HttpResponse:
        return self._server.post(f"{BASE}/bundles/{bundle}/configure", self.key, body)

    def configured(
        self,
        bundle: int,
        *items: tuple[int, int, int],
        country: str | None = None,
        subscription: Json | None = None,
    ) -> Configured:
        """Configure units given as (variant, product, section). The selection must be accepted."""
        products = [{"variant": str(variant), "product": str(of), "section": section} for variant, of, section in items]
        return self.configured_items(bundle, *products, country=country, subscription=subscription)

    def configured_items(
        self, bundle: int, *items: Json, country: str | None = None, subscription: Json | None = None
    ) -> Configured:
        return self._accepted(bundle, _body([*items], country, subscription))

    def _accepted(self, bundle: int, body: Json) -> Configured:
        answer = self.configure(bundle, body)
        assert answer.status == 200, answer.json
        return _configured(bundle, body, answer.json)

    def _subscription(self, bundle: Bundle) -> Json | None:
        return NO_PERCENTAGE if bundle.id == STANDING_ORDER else None

    def _items(self, random: Random, bundle: Bundle) -> list[Json]:
        offered = [
            (section.id, product.product_id, variant)
            for section in bundle.sections
            for product in section.products
            for variant in self._variants(product.product_id, product.variant_ids)
        ]
        kinds = random.sample(offered, min(len(offered), random.choice([1, 2, 3, 4, 5, 6])))
        units = random.choice([1, 1, 1, 2, 3, 5])
        return [
            self._item(random, bundle, section, product, variant)
            for section, product, variant in kinds
            for _ in range(random.choice([1, units]))
        ]

    def _item(self, random: Random, bundle: Bundle, section: int, product: int, variant: int) -> Json:
        item: Json = {"variant": str(variant), "product": str(product), "section": section}
        if bundle.personalisation.get(product) and random.random() < 0.5:
            item["personalisation"] = {"lettering": random.choice(["Mira", "Ada"]), "hand": "Script"}
        return item

    def _variants(self, product: int, named: tuple[int, ...]) -> list[int]:
        return list(named) or [variant.id for variant in self._products[product].variants]


def _body(items: list[Json], country: str | None, subscription: Json | None) -> Json:
    return {"type": "native", "products": items, "countryCode": country, "subscription": subscription}


def _configured(bundle: int, sent: Json, answer: Json) -> Configured:
    shown: Mapping[str, str] = answer.get("presentment") or answer["pricing"]
    return Configured(bundle, sent, answer, Decimal(shown["originalPrice"]), Decimal(shown["discountedPrice"]))
