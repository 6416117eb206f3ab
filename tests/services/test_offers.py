"""Offers of the embedded platform are fetched once per revision of a shop; those of live platforms are fetched whenever they are
needed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.errors import SelectionInvalid
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, Variant
from bundlesvc.domain.selection import SelectedItem, SelectionRequest, units_of
from bundlesvc.domain.shop import SHOPIFY, Market, PlatformLink, Shop, Tenant
from bundlesvc.ports import Platform
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.services import offers
from bundlesvc.services.price_selection import PriceSelection, Quote
from tests.domain.builders import EUR, bundle, offer, product, section, variant
from tests.domain.strategies import PROPERTY
from tests.services.memory import MemoryPlatform

TENANT = Tenant(1, 1, Shop("demo", "", "", "en", True, (), PlatformLink(), (), None))
LIVE = replace(TENANT, shop=replace(TENANT.shop, platform=PlatformLink(SHOPIFY, "demo.myshopify.com")))
PRODUCTS = {id_: product(id_, variant(id_ * 10 + 1), variant(id_ * 10 + 2, price="3.33")) for id_ in (1, 2)}
MARKETS = {"US": Market("US", "USD", Decimal("1.10"), Decimal(5))}
BUNDLE = bundle(sections=(section(1, offer(1), offer(2)), section(2, offer(1))))
ITEMS = [SelectedItem(11, 1, 1), SelectedItem(12, 1, 1), SelectedItem(11, 1, 2), SelectedItem(22, 2, 1)]


@dataclass
class CountedPlatform(MemoryPlatform):
    """An in-memory platform that records what is fetched. `lifetime` applies to all of its data."""

    lifetime: float | None = None
    fetched: list[str] = field(default_factory=list)

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        self.fetched.append("products")
        return replace(await super().products(tenant, product_ids, max_age, deadline), lifetime=self.lifetime)

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        self.fetched.append(f"prices in {country}")
        return await super().market_prices(tenant, variants, country, max_age, deadline)


class Shopping:
    """Prices selections, always with the same instance of the service."""

    def __init__(self, lifetime: float | None = None) -> None:
        self.platform = CountedPlatform(EUR, PRODUCTS, MARKETS, frozenset(), lifetime=lifetime)
        self._price_selection = PriceSelection(cast("Platform", self.platform), 300)

    async def quote(
        self, *items: SelectedItem, country: str | None = None, tenant: Tenant = TENANT, of: Bundle = BUNDLE
    ) -> Quote:
        request = SelectionRequest(units_of(items), None, country)
        return await self._price_selection.quote(tenant, of, request, NO_DEADLINE)


async def test_known_offers_are_not_fetched_again() -> None:
    shopping = Shopping()
    await shopping.quote(*ITEMS, country="US")
    assert shopping.platform.fetched == ["products", "prices in US"]
    await shopping.quote(*ITEMS[:2] * 3, country="US")
    assert shopping.platform.fetched == ["products", "prices in US"]


async def test_offers_of_earlier_selections_of_a_bundle_are_known_together() -> None:
    shopping = Shopping()
    for item in ITEMS[:2]:
        await shopping.quote(item)
    shopping.platform.fetched.clear()
    await shopping.quote(*ITEMS[:2])
    assert shopping.platform.fetched == []


async def test_offers_of_the_least_recently_used_bundle_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers, "MAX_OFFERS", 3)
    shopping = Shopping()
    other = bundle(id=BUNDLE.id + 1, sections=BUNDLE.sections)
    await shopping.quote(*ITEMS[:2])
    await shopping.quote(*ITEMS[:2], of=other)
    shopping.platform.fetched.clear()
    await shopping.quote(*ITEMS[:2], of=other)
    assert shopping.platform.fetched == []
    await shopping.quote(*ITEMS[:2])
    assert shopping.platform.fetched == ["products"]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"country": "JP"}, id="another country"),
        pytest.param({"tenant": replace(TENANT, revision=2)}, id="a new revision"),
        pytest.param({"tenant": replace(TENANT, id=2)}, id="another shop"),
        pytest.param({"of": bundle(id=BUNDLE.id + 1, sections=BUNDLE.sections)}, id="another bundle"),
    ],
)
async def test_offers_are_known_for_one_shop_revision_bundle_and_country(other: dict[str, Tenant]) -> None:
    shopping = Shopping()
    await shopping.quote(ITEMS[0])
    shopping.platform.fetched.clear()
    await shopping.quote(ITEMS[0], **other)  # type: ignore[arg-type]
    assert "products" in shopping.platform.fetched


@pytest.mark.parametrize(("tenant", "lifetime"), [(LIVE, None), (TENANT, 60.0)])
async def test_offers_that_may_change_are_fetched_every_time(tenant: Tenant, lifetime: float | None) -> None:
    shopping = Shopping(lifetime)
    for _ in range(2):
        await shopping.quote(ITEMS[0], tenant=tenant)
    assert shopping.platform.fetched == ["products", "products"]


async def test_an_item_that_is_not_offered_is_refused_beside_known_ones() -> None:
    shopping = Shopping()
    await shopping.quote(*ITEMS)
    for _ in range(2):
        with pytest.raises(SelectionInvalid) as refusal:
            await shopping.quote(ITEMS[0], SelectedItem(22, 2, 2), ITEMS[0], SelectedItem(11, 1, 9))
        assert [fault.path for fault in refusal.value.faults] == ["products.1.section", "products.3.section"]


@pytest.mark.parametrize("count", [0, 201])
async def test_known_items_must_not_be_too_few_or_too_many(count: int) -> None:
    shopping = Shopping()
    await shopping.quote(ITEMS[0])
    with pytest.raises(SelectionInvalid):
        await shopping.quote(*[ITEMS[0]] * count)


@PROPERTY
@given(
    selections=st.lists(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=9), min_size=1, max_size=5),
    country=st.sampled_from([None, "US", "JP"]),
)
async def test_quotes_of_known_offers_are_those_of_fetched_ones(
    selections: list[list[SelectedItem]], country: str | None
) -> None:
    shopping = Shopping()
    for selection in selections:
        known, fetched = (
            await shopping.quote(*selection, country=country),
            await Shopping().quote(*selection, country=country),
        )
        assert known == fetched
        assert known.ghost_price == fetched.ghost_price
