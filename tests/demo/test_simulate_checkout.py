"""The simulated checkout with fakes: what it fetches, and the receipt that it returns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, cast

import pytest

from bundlesvc.demo.ports import CartVariant
from bundlesvc.demo.receipt import FEE, GHOST, ITEM, Amount, Currencies
from bundlesvc.demo.simulate_checkout import Cart, CartItem, SimulateCheckout
from bundlesvc.domain.configured import BundleRef, ConfiguredItem, StoredBundle
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Variant
from bundlesvc.domain.shop import PlatformLink, Shop, ShopSettings, Tenant
from bundlesvc.ports import ConfiguredStore, Platform, TokenInvalid
from tests.domain.builders import EUR, JPY, variant
from tests.fakes import FakeClock

TENANT = Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), PlatformLink(), (), None))
RATE = 100
GHOST_ID = 8_000_000_000_000_001


@dataclass
class FakeCatalogue:
    """A fake of the `CartCatalogue` port, with Japan as the only market."""

    variants: dict[int, CartVariant]
    requested: list[Sequence[int]] = field(default_factory=list)

    async def markets(self, tenant: Tenant) -> Mapping[str, str]:
        return {"JP": JPY}

    async def cart_variants(self, tenant: Tenant, variant_ids: Sequence[int]) -> Mapping[int, CartVariant]:
        self.requested.append(variant_ids)
        return {id_: found for id_, found in self.variants.items() if id_ in variant_ids}


class FakePlatform:
    """A fake with the methods of `Platform` that a checkout uses. In Japan, one euro is 100 yen, and variant 21 is not sold."""

    async def shop(self, tenant: Tenant) -> ShopSettings:
        return ShopSettings(EUR, "€{{amount}}", "kg")

    async def market_prices(
        self, tenant: Tenant, variants: Iterable[Variant], country: str, max_age: float | None = None
    ) -> Reading[Mapping[int, MarketPrice]]:
        return Reading({one.id: MarketPrice(one.price * RATE, JPY, one.price, one.id != 21) for one in variants})


class FakeStore:
    """A fake `ConfiguredStore` with the only method that a checkout uses."""

    async def look_up(self, tenant: Tenant, refs: Sequence[BundleRef]) -> Sequence[StoredBundle]:
        items = (
            ConfiguredItem(11, 1, 1, 2, "Shirt", "S", Decimal(10)),
            ConfiguredItem(21, 2, 1, 1, "Mug", "Default Title", Decimal(5)),
        )
        return [StoredBundle(1, 42, one.variant_id or 0, items) for one in refs]


class FakeCipher:
    def seal(self, claims: Mapping[str, Any], now: int) -> str:
        raise NotImplementedError

    def unseal(self, token: str) -> dict[str, Any]:
        raise TokenInvalid


def sold(variant_id: int, price: str, *, title: str = "Default Title", ghost: bool = False) -> CartVariant:
    return CartVariant(variant(variant_id, title=title, price=price), f"Product {variant_id}", "", ghost)


@pytest.fixture
def catalogue() -> FakeCatalogue:
    goods = (sold(11, "10.00", title="S"), sold(21, "5.00"), sold(31, "4.00"), sold(GHOST_ID, "12.00", ghost=True))
    return FakeCatalogue({one.variant.id: one for one in goods})


@pytest.fixture
def simulate_checkout(catalogue: FakeCatalogue) -> SimulateCheckout:
    platform, store = cast(Platform, FakePlatform()), cast(ConfiguredStore, FakeStore())
    return SimulateCheckout(catalogue, platform, store, FakeCipher(), FakeClock())


def amount(shop: str, market: str | None = None) -> Amount:
    return Amount(Decimal(shop), Decimal(market or shop))


async def test_lines_outside_bundles_are_charged_in_full(simulate_checkout: SimulateCheckout) -> None:
    items = [CartItem(11, 3), CartItem(21, 1, {"Note": "Hi"}), CartItem(31, 2, {"_bundle_fee": "1"})]

    receipt = await simulate_checkout.receipt(TENANT, Cart(items))

    assert [(one.kind, one.title, one.variant_title, one.quantity, one.amount) for one in receipt.charges] == [
        (ITEM, "Product 11", "S", 3, amount("30.00")),
        (ITEM, "Product 21", "", 1, amount("5.00")),
        (FEE, "Product 31", "", 2, amount("8.00")),
    ]
    assert (receipt.total, receipt.currencies) == (amount("43.00"), Currencies(EUR, EUR))


async def test_ghost_variant_lists_its_contents(simulate_checkout: SimulateCheckout) -> None:
    receipt = await simulate_checkout.receipt(TENANT, Cart([CartItem(GHOST_ID, 1)]))

    (charge,) = receipt.charges
    assert (charge.kind, charge.amount, charge.contents) == (GHOST, amount("12.00"), ["2 x Shirt - S", "1 x Mug"])


async def test_market_has_its_own_prices_and_assortment(simulate_checkout: SimulateCheckout) -> None:
    receipt = await simulate_checkout.receipt(TENANT, Cart([CartItem(11, 2), CartItem(21, 1)], country="JP"))

    assert receipt.currencies == Currencies(EUR, JPY)
    assert receipt.total == amount("20.00", "2000")
    assert [(refusal.code, refusal.line_ids) for refusal in receipt.refusals] == [("not_for_sale", ("1",))]


async def test_discount_that_no_key_opens_is_refused(simulate_checkout: SimulateCheckout) -> None:
    items = [CartItem(11, 1, {"_bundle_data": "7#21#ffff"})]

    receipt = await simulate_checkout.receipt(TENANT, Cart(items, '{"7":{"discount":"gAAAA"}}'))

    assert [(refusal.code, refusal.configured_id) for refusal in receipt.refusals] == [("discount_broken", 7)]
    assert receipt.total == amount("10.00")


async def test_lines_and_parents_are_fetched_together(
    simulate_checkout: SimulateCheckout, catalogue: FakeCatalogue
) -> None:
    items = [CartItem(11, 1, {"_bundle_data": "7#21#ffff"}), CartItem(11, 1, {"_bundle_data": "?"}), CartItem(31, 1)]
    await simulate_checkout.receipt(TENANT, Cart(items))
    assert catalogue.requested == [[11, 21, 31]]
