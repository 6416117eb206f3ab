"""Prices and checked selections are cached when a selection comes for the second time, and are those that would be calculated."""

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.selection import SelectedItem, SelectionRequest, units_of
from bundlesvc.domain.shop import SHOPIFY, Market, PlatformLink, Shop, Tenant
from bundlesvc.domain.subscription import SubscriptionChoice
from bundlesvc.ports import Platform
from bundlesvc.request_deadline import NO_DEADLINE
from bundlesvc.services.known_selections import KnownSelections, selection_key
from bundlesvc.services.price_selection import PriceSelection
from tests.domain.builders import EUR, bundle, flat, offer, product, section, variant
from tests.domain.strategies import PROPERTY
from tests.services.memory import MemoryPlatform

TENANT = Tenant(1, 1, Shop("demo", "", "", "en", True, (), PlatformLink(), (), None))
LIVE = replace(TENANT, shop=replace(TENANT.shop, platform=PlatformLink(SHOPIFY, "demo.myshopify.com")))
BUNDLE = bundle(sections=(section(1, offer(1), offer(2)), section(2, offer(1))))
A, B = SelectedItem(11, 1, 1), SelectedItem(22, 2, 1)
C = SelectedItem(12, 1, 1)


def selected(*items: SelectedItem, country: str | None = None, **others: Any) -> SelectionRequest:
    return SelectionRequest(units_of(items), "native", country, **others)


@dataclass
class Known:
    """A cache whose results are texts."""

    results: KnownSelections[str] = field(default_factory=KnownSelections)

    def add(self, request: SelectionRequest, result: str, tenant: Tenant = TENANT, of: Bundle = BUNDLE) -> None:
        self.results.add(selection_key(tenant, of, request), result)

    def add_twice(self, request: SelectionRequest, result: str, tenant: Tenant = TENANT, of: Bundle = BUNDLE) -> None:
        for _ in range(2):
            self.add(request, result, tenant, of)

    def get(self, request: SelectionRequest, tenant: Tenant = TENANT, of: Bundle = BUNDLE) -> str | None:
        return self.results.get(selection_key(tenant, of, request))


def test_a_selection_is_known_when_it_has_come_twice() -> None:
    known = Known()
    known.add(selected(A, B), "result")
    assert known.get(selected(A, B)) is None

    known.add(selected(A, B), "result")
    assert known.get(selected(A, B)) == "result"


def test_positions_of_the_units_do_not_matter() -> None:
    known = Known()
    known.add_twice(selected(A, B, A), "result")

    assert known.get(selected(A, A, B)) == "result"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(selected(B, A), id="another order"),
        pytest.param(selected(A, B, B), id="another count"),
        pytest.param(selected(A), id="fewer items"),
        pytest.param(selected(A, B._replace(section_id=2)), id="another section"),
        pytest.param(selected(A, B._replace(answers=(("engraving", "M"),))), id="an answer"),
        pytest.param(selected(A, B, country="US"), id="a country"),
        pytest.param(replace(selected(A, B), type="multiple-products"), id="another type"),
        pytest.param(selected(A, B, subscription=SubscriptionChoice(7, 1, "month")), id="a subscription"),
        pytest.param(selected(A, B, conditions_discount={"type": "fixed"}), id="a discount"),
    ],
)
def test_another_selection_is_not_known(other: SelectionRequest) -> None:
    known = Known()
    known.add_twice(selected(A, B), "result")

    assert known.get(other) is None


@pytest.mark.parametrize("tenant", [replace(TENANT, id=2), replace(TENANT, revision=2), LIVE])
def test_a_selection_is_known_for_one_shop_and_revision(tenant: Tenant) -> None:
    known = Known()
    known.add_twice(selected(A), "result")

    assert known.get(selected(A), tenant) is None


def test_a_selection_is_known_for_one_bundle() -> None:
    known = Known()
    known.add_twice(selected(A), "result")

    assert known.get(selected(A), of=replace(BUNDLE, id=BUNDLE.id + 1)) is None


@pytest.mark.parametrize(
    "request_",
    [
        selected(A._replace(answers=(("engraving", "M"),))),
        selected(A, subscription=SubscriptionChoice(7, 1, "month")),
        selected(A, conditions_discount={"type": "fixed"}),
    ],
)
def test_what_a_shopper_wrote_is_not_kept(request_: SelectionRequest) -> None:
    known = Known()
    known.add_twice(request_, "result")

    assert len(known.results._results) == 0


def test_prices_of_a_live_platform_are_not_kept() -> None:
    known = Known()
    known.add_twice(selected(A), "result", LIVE)

    assert len(known.results._results) == 0


def test_the_least_recently_used_selections_are_dropped() -> None:
    known = Known(KnownSelections(max_cost=4))
    known.add_twice(selected(A, B), "used")
    known.add_twice(selected(A), "unused")
    assert known.get(selected(A, B)) == "used"

    known.add_twice(selected(B, A), "new")

    assert [known.get(each) for each in (selected(A, B), selected(A), selected(B, A))] == ["used", None, "new"]


def test_a_costly_result_leaves_room_for_fewer_selections() -> None:
    known = Known(KnownSelections(extra_cost=len, max_cost=4))
    known.add_twice(selected(A), "abc")
    assert known.get(selected(A)) == "abc"

    known.add_twice(selected(B), "")

    assert [known.get(selected(each)) for each in (A, B)] == [None, ""]


@PROPERTY
@given(
    requests=st.lists(
        st.builds(
            lambda items, country: SelectionRequest(units_of(items), None, country),
            st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=3),
            st.sampled_from([None, "US", "JP"]),
        ),
        min_size=1,
        max_size=4,
    ),
    order=st.lists(st.integers(0, 3), max_size=12),
)
async def test_known_prices_are_the_calculated_ones(requests: list[SelectionRequest], order: list[int]) -> None:
    of = replace(BUNDLE, discount=flat("percentage", "10.00"))
    service = priced()

    for number in order:
        request = requests[number % len(requests)]
        known = await service.price(TENANT, of, request, NO_DEADLINE)
        assert known == await priced().price(TENANT, of, request, NO_DEADLINE)


def priced() -> PriceSelection:
    products = {id_: product(id_, variant(id_ * 10 + 1), variant(id_ * 10 + 2, price="3.33")) for id_ in (1, 2)}
    markets = {"US": Market("US", "USD", Decimal("1.10"), Decimal(5))}
    return PriceSelection(cast("Platform", MemoryPlatform(EUR, products, markets, frozenset())), 300)
