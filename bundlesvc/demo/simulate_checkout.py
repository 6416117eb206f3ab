"""Simulates a checkout: what a platform would charge for a cart after the cart-transform step."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from bundlesvc.demo.ports import CartCatalogue, CartVariant
from bundlesvc.demo.receipt import Amount, Currencies, Goods, Receipt, receipt
from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BundleData, CartLine
from bundlesvc.domain.checkout.cart_bundles import CartCurrency, Refusal, Step
from bundlesvc.domain.checkout.cart_transform import transform
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.configured import BundleRef, content_text
from bundlesvc.domain.money import ZERO, round_amount, round_presentment
from bundlesvc.domain.product import DEFAULT_TITLE, MarketPrice
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock, ConfiguredStore, Platform, TokenCipher, TokenInvalid


@dataclass(frozen=True, slots=True)
class CartItem:
    """An item of a platform's add-to-cart request."""

    variant_id: int
    quantity: int
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cart:
    """A storefront's cart. `bundles` is the value of the `_bundles` cart attribute; `country` is the shopper's country."""

    items: Sequence[CartItem]
    bundles: str | None = None
    country: str | None = None


@dataclass(frozen=True, slots=True)
class CheckedOut:
    """A cart after checkout: the receipt, and the lines that were sold. The id of a line is the index of its item in the cart.
    Line prices are in the market's currency."""

    lines: Sequence[CartLine]
    receipt: Receipt


class SimulateCheckout:
    """Checks out carts as a platform would."""

    def __init__(
        self, catalogue: CartCatalogue, platform: Platform, store: ConfiguredStore, cipher: TokenCipher, clock: Clock
    ) -> None:
        self._catalogue = catalogue
        self._platform = platform
        self._store = store
        self._cipher = cipher
        self._clock = clock

    async def receipt(self, tenant: Tenant, cart: Cart) -> Receipt:
        """Compute the receipt of a cart. Raises what the ports raise."""
        return (await self.check_out(tenant, cart)).receipt

    async def check_out(self, tenant: Tenant, cart: Cart) -> CheckedOut:
        """Check out a cart, and compute its receipt. Raises what the ports raise."""
        currencies = await self._currencies(tenant, cart.country)
        goods = await self.goods(tenant, _variant_ids(cart.items), cart.country)
        lines = [
            CartLine(str(index), item.variant_id, item.quantity, goods[item.variant_id].price.market, item.properties)
            for index, item in enumerate(cart.items)
            if item.variant_id in goods
        ]
        currency = CartCurrency(currencies.market, _rate(goods.values()))
        step = Step(tenant.shop.handle, self._open, int(self._clock.now()), country=cart.country, currency=currency)
        transformed = transform(lines, cart.bundles, step)
        refusals = (*_not_for_sale(cart.items, goods), *transformed.refusals)
        return CheckedOut(lines, receipt(lines, replace(transformed, refusals=refusals), goods, currencies))

    async def goods(self, tenant: Tenant, variant_ids: Sequence[int], country: str | None) -> Mapping[int, Goods]:
        """Fetch the variants with these ids that are sold in the shopper's country, by id, with their prices there. Raises what
        the ports raise."""
        currency = (await self._platform.shop(tenant)).currency
        variants = await self._catalogue.cart_variants(tenant, variant_ids)
        prices = await self._market_prices(tenant, variants, country)
        contents = await self._contents(tenant, [id_ for id_, found in variants.items() if found.ghost])
        return {
            id_: _goods(found, _amount(found, prices.get(id_), currency), contents.get(id_, ()))
            for id_, found in variants.items()
            if id_ not in prices or prices[id_].available_for_sale
        }

    async def _currencies(self, tenant: Tenant, country: str | None) -> Currencies:
        own = (await self._platform.shop(tenant)).currency
        return Currencies(own, (await self._catalogue.markets(tenant)).get(country or "", own))

    def _open(self, discount: str) -> Mapping[str, Any] | None:
        try:
            return self._cipher.unseal(discount)
        except TokenInvalid:
            return None

    async def _market_prices(
        self, tenant: Tenant, variants: Mapping[int, CartVariant], country: str | None
    ) -> Mapping[int, MarketPrice]:
        if country is None:
            return {}
        sold = [found.variant for found in variants.values()]
        return (await self._platform.market_prices(tenant, sold, country)).value

    async def _contents(self, tenant: Tenant, ghosts: Sequence[int]) -> Mapping[int, Sequence[str]]:
        """Fetch the items of the bundle that each ghost variant stands for, one string per item."""
        found = await self._store.look_up(tenant, [BundleRef(None, ghost) for ghost in ghosts])
        return {stored.variant_id: content_text(stored.items).splitlines() for stored in found}


def _variant_ids(items: Iterable[CartItem]) -> list[int]:
    """Return the variants in a cart, and the parent variants that its bundles would be merged into."""
    items = list(items)
    marks = [BundleData.read(item.properties.get(BUNDLE_DATA, "")) for item in items]
    return sorted({item.variant_id for item in items} | {mark.parent_variant_id for mark in marks if mark})


def _goods(found: CartVariant, price: Amount, contents: Sequence[str]) -> Goods:
    title = found.variant.title
    variant_title = "" if title == DEFAULT_TITLE else title
    return Goods(found.title, variant_title, found.image_url, price, contents, found.ghost)


def _amount(found: CartVariant, price: MarketPrice | None, currency: str) -> Amount:
    if price is None:
        own = found.variant.price
        return Amount(round_amount(own, currency), round_presentment(own, currency))
    return Amount(price.price_in_shop_currency, price.presentment_price)


def _rate(goods: Iterable[Goods]) -> Decimal:
    """Return the exchange rate implied by the prices of the goods: units of market currency per unit of shop currency. The
    amounts in version 2 promises are converted at this rate."""
    prices = [each.price for each in goods]
    shop = sum((price.shop for price in prices), ZERO)
    return sum((price.market for price in prices), ZERO) / shop if shop else Decimal(1)


def _not_for_sale(items: Sequence[CartItem], goods: Mapping[int, Goods]) -> list[Refusal]:
    """Return a refusal for each item that a platform would not sell: unknown variants, retired ghosts, and variants not sold in
    the market."""
    return [
        Refusal.of(NoDiscount("not_for_sale", variantId=str(item.variant_id)), None, [str(index)])
        for index, item in enumerate(items)
        if item.variant_id not in goods
    ]
