"""A ghost variant costs the promised price, in the shop's currency and in every market, for any selection, markets and prices."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import SCOPES, ApiKey
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.money import half_unit
from bundlesvc.domain.product import Product, Variant
from bundlesvc.domain.selection import SelectedItem, SelectionRequest, units_of
from bundlesvc.domain.shop import CONDITIONS, SHOPIFY, Market, PlatformLink, Shop, Tenant
from bundlesvc.ports import ConfiguredStore, MarketPromiseStore, Platform, ShopStore, TokenCipher
from bundlesvc.ratelimit.memory import MemoryBuckets
from bundlesvc.request_deadline import NO_DEADLINE
from bundlesvc.services.access.rate_limits import CostlyResults
from bundlesvc.services.configure_bundle import ConfigureBundle, ConfigureResult
from bundlesvc.services.ghosts.promises import MarketPromises
from bundlesvc.services.ghosts.variants import GhostVariants
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.services.record_bundle import RecordBundle
from tests.domain.builders import EUR, JPY, offer, product, section, variant
from tests.domain.builders import bundle as bundle_of
from tests.domain.strategies import PROPERTY, discounts
from tests.fakes import FakeClock, FakeIds
from tests.services.memory import MemoryPlatform, MemoryStore

COUNTRIES = ("US", "JP", "CH", "DE")
ITEMS = [SelectedItem(variant_id, variant_id // 10, 1) for variant_id in (11, 12, 21, 22)]
KEY = ApiKey(1, 1, "", "bnd_live_0000000", "", False, SCOPES, (), 100, active=True, created_at=0)
TENANT = Tenant(
    1, 1, Shop("demo", "", "", "en", True, (CONDITIONS,), PlatformLink(SHOPIFY, "demo.myshopify.com"), (), None)
)

prices = st.integers(0, 9999).map(lambda cents: Decimal(cents).scaleb(-2))
rates = st.sampled_from(["0.0065", "0.85", "0.95", "1", "1.10", "4.3", "162.5"]).map(Decimal)
adjustments = st.sampled_from(["-99", "-10", "-7.5", "0", "0.1", "5", "33.3", "100", "300"]).map(Decimal)
selections = st.lists(st.sampled_from(ITEMS), min_size=1, max_size=12).map(tuple)
country_discounts = st.none() | st.tuples(
    st.sampled_from(COUNTRIES), st.sampled_from(["percentage", "fixed", "price"]), st.integers(0, 60)
)


class NoSeal:
    def seal(self, claims: object, now: int) -> str:
        return ""


@dataclass
class Scene:
    """A shop with one bundle that is sold as ghost variants."""

    platform: MemoryPlatform
    bundle: Bundle

    def __post_init__(self) -> None:
        self.price_selection = PriceSelection(cast("Platform", self.platform), 300)
        store = MemoryStore()
        promises = MarketPromises(cast("Platform", self.platform), cast("MarketPromiseStore", store))
        ghosts = GhostVariants(cast("Platform", self.platform), cast("ConfiguredStore", store), promises)
        shops, cipher = cast("ShopStore", None), cast("TokenCipher", NoSeal())
        clock, configured = FakeClock(), cast("ConfiguredStore", store)
        recorder = RecordBundle(configured, ghosts, CostlyResults(MemoryBuckets(clock), {}))
        self._use_case = ConfigureBundle(self.price_selection, shops, recorder, cipher, clock, FakeIds())

    def configured(self, items: tuple[SelectedItem, ...], country: str | None) -> ConfigureResult:
        results: list[ConfigureResult] = []

        def render(result: ConfigureResult) -> bytes:
            results.append(result)
            return b""

        request = SelectionRequest(units_of(items), self.bundle.type, country)
        asyncio.run(self._use_case.configure(Caller(KEY, TENANT), self.bundle, request, None, render, NO_DEADLINE))
        return results[0]

    def ghost(self, variant_id: int) -> Variant:
        return next(one for one in self.platform.ghosts.values() if one.id == variant_id)

    def differs_from_promise(self, result: ConfigureResult, country: str) -> Decimal:
        """Return the difference between the charged and the promised price in a country, in the currency of its market."""
        charged = self.platform.price(self.ghost(result.variant_id), country)
        market = self.platform.markets.get(country)
        promised = result.pricing.discounted * (market.exchange_rate if market else 1)
        return abs(charged.presentment_price - promised)


@st.composite
def markets(draw: st.DrawFn, currency: str) -> Mapping[str, Market]:
    """Generate a market for every country but the last."""
    own = st.dictionaries(st.sampled_from([11, 12, 21, 22]), prices)
    currencies = dict(zip(COUNTRIES[:3], ("USD", JPY, currency), strict=True))
    return {
        country: Market(
            country, spoken, draw(rates) if spoken != currency else Decimal(1), draw(adjustments), draw(own)
        )
        for country, spoken in currencies.items()
    }


@st.composite
def scenes(draw: st.DrawFn, *, lists: bool = True) -> Scene:
    currency = draw(st.sampled_from([EUR, JPY]))
    known: dict[int, Product] = {9: product(9)}
    for owner in (1, 2):
        known[owner] = product(owner, *(variant(owner * 10 + digit, price=str(draw(prices))) for digit in (1, 2)))
    found = draw(markets(currency))
    if not lists:
        found = {
            code: Market(code, one.currency, one.exchange_rate, Decimal(0), one.prices) for code, one in found.items()
        }
    platform = MemoryPlatform(currency, known, found, frozenset(COUNTRIES if lists else ()))
    return Scene(platform, draw(bundles()))


@st.composite
def bundles(draw: st.DrawFn) -> Bundle:
    """Generate bundles whose conditions may give a different discount in one country."""
    special = draw(country_discounts)
    conditions = () if special is None else _conditions(*special)
    return bundle_of(
        type="multiple-products",
        product_id=9,
        parent_variant_id=None,
        sections=(section(1, offer(1), offer(2)),),
        discount=draw(discounts),
        conditions=conditions,
    )


def _conditions(country: str, type_: str, value: int) -> tuple[Mapping[str, object], ...]:
    return (
        {"id": "c1", "kind": "condition", "type": "country", "operation": "eq", "value": country},
        {
            "id": "a1",
            "kind": "action",
            "type": "discount",
            "when": "c1",
            "discount": {"type": type_, "value": f"{value}.00"},
        },
    )


@PROPERTY
@given(scene=scenes(), items=selections, countries=st.permutations(COUNTRIES))
def test_a_ghost_costs_the_promise_in_every_country(
    scene: Scene, items: tuple[SelectedItem, ...], countries: list[str]
) -> None:
    results = {country: scene.configured(items, country) for country in countries}
    at_home = scene.configured(items, None)
    for country, result in results.items():
        assert scene.differs_from_promise(result, country) <= half_unit(_currency(scene, country))
        assert scene.ghost(result.variant_id).price == at_home.pricing.discounted


@PROPERTY
@given(scene=scenes(), items=selections)
def test_all_countries_share_one_ghost(scene: Scene, items: tuple[SelectedItem, ...]) -> None:
    ghosts = {scene.configured(items, country).variant_id for country in (*COUNTRIES, None, *COUNTRIES)}
    assert len(ghosts) == len(scene.platform.ghosts) == 1


@PROPERTY
@given(scene=scenes(lists=False), items=selections)
def test_without_price_lists_the_home_price_is_promised_everywhere(
    scene: Scene, items: tuple[SelectedItem, ...]
) -> None:
    at_home = scene.configured(items, None)
    for country in COUNTRIES:
        result = scene.configured(items, country)
        assert result.pricing.discounted == at_home.pricing.discounted
        assert scene.differs_from_promise(result, country) <= half_unit(_currency(scene, country))
    assert scene.platform.own_prices == {}


def _currency(scene: Scene, country: str) -> str:
    market = scene.platform.markets.get(country)
    return market.currency if market else scene.platform.currency
