"""Reading a selection: only items that the bundle offers or requires, or that are free, are accepted and become lines
(docs/contract.md#valid-selections)."""

from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import RequiredProduct
from bundlesvc.domain.errors import SelectionInvalid
from bundlesvc.domain.product import MarketPrice
from bundlesvc.domain.selection import SelectedItem, choose, units_of
from tests.domain.builders import bundle, line_of, offer, product, section, variant
from tests.domain.strategies import PROPERTY

PRODUCTS = {
    owner: product(owner, *(variant(owner * 10 + index) for index in (1, 2, 3))) for owner in (1, 2, 3, 4, 5, 6, 7)
}
BUNDLE = bundle(
    sections=(
        section(1, offer(1), offer(6, 61), offer(6, 62)),
        section(2, offer(2, 21), offer(7, 71)),
    ),
    required_products=(RequiredProduct(3, (31,), 1), RequiredProduct(7, (), 1)),
)
"""The products of a shop: 1 with all variants; 2 with variant 21 only; 3 (variant 31) and 7 required; 4 with the free variant 41;
5 not offered; 6 listed twice in a section. The platform does not have product 9."""
FREE = frozenset({41})


@pytest.mark.parametrize(
    ("variant_id", "section_id"),
    [
        pytest.param(11, 1, id="any variant of a product without restriction"),
        pytest.param(13, 1, id="another variant of it"),
        pytest.param(21, 2, id="the variant that the section allows"),
        pytest.param(61, 1, id="product listed twice, first listing"),
        pytest.param(62, 1, id="product listed twice, second listing"),
        pytest.param(31, 0, id="required, outside sections"),
        pytest.param(31, 1, id="required, in a section that does not offer it"),
        pytest.param(31, 2, id="required, in another such section"),
        pytest.param(73, 0, id="required with any variant"),
        pytest.param(73, 2, id="required with any variant, where the section allows one"),
        pytest.param(71, 2, id="required and offered"),
        pytest.param(41, 0, id="free, outside sections"),
        pytest.param(41, 1, id="free, in a section"),
        pytest.param(41, 2, id="free, in another section"),
    ],
)
def test_offered_items_become_lines(variant_id: int, section_id: int) -> None:
    (chosen,) = choose(BUNDLE, units_of([SelectedItem(variant_id, variant_id // 10, section_id)]), PRODUCTS, FREE)

    assert (chosen.product.id, chosen.variant.id, chosen.section_id) == (variant_id // 10, variant_id, section_id)


@pytest.mark.parametrize(
    ("item", "path", "code"),
    [
        pytest.param(SelectedItem(11, 1, 3), "products.0.section", "unknown_section", id="no such section"),
        pytest.param(SelectedItem(31, 3, 3), "products.0.section", "unknown_section", id="required in no such section"),
        pytest.param(SelectedItem(41, 4, 3), "products.0.section", "unknown_section", id="free in no such section"),
        pytest.param(SelectedItem(11, 1, 2), "products.0.section", "not_in_section", id="another section's product"),
        pytest.param(SelectedItem(11, 1, 0), "products.0.section", "not_in_section", id="section 0, not required"),
        pytest.param(SelectedItem(32, 3, 0), "products.0.section", "not_in_section", id="not the required variant"),
        pytest.param(SelectedItem(42, 4, 0), "products.0.section", "not_in_section", id="not the free variant"),
        pytest.param(SelectedItem(42, 4, 1), "products.0.section", "not_in_section", id="not the free one, a section"),
        pytest.param(SelectedItem(51, 5, 1), "products.0.section", "not_in_section", id="not in this bundle"),
        pytest.param(SelectedItem(22, 2, 2), "products.0.variant", "variant_not_allowed", id="variant not allowed"),
        pytest.param(SelectedItem(63, 1, 1), "products.0.variant", "unknown_variant", id="another product's variant"),
        pytest.param(SelectedItem(41, 1, 1), "products.0.variant", "unknown_variant", id="free, under another product"),
        pytest.param(SelectedItem(31, 1, 1), "products.0.variant", "unknown_variant", id="required, the same"),
        pytest.param(SelectedItem(19, 1, 1), "products.0.variant", "unknown_variant", id="no such variant"),
        pytest.param(SelectedItem(91, 9, 1), "products.0.product", "unknown_product", id="no such product"),
    ],
)
def test_items_not_offered_are_refused(item: SelectedItem, path: str, code: str) -> None:
    with pytest.raises(SelectionInvalid) as refusal:
        choose(BUNDLE, units_of([item]), PRODUCTS, FREE)

    assert refusal.value.code == "selection_invalid"
    assert [(fault.path, fault.code) for fault in refusal.value.faults] == [(path, code)]


def test_a_free_variant_needs_an_action_that_names_it() -> None:
    with pytest.raises(SelectionInvalid):
        choose(BUNDLE, units_of([SelectedItem(41, 4, 0)]), PRODUCTS, frozenset())


@pytest.mark.parametrize(
    ("count", "allowed"),
    [
        pytest.param(0, False, id="none"),
        pytest.param(1, True, id="one"),
        pytest.param(200, True, id="200"),
        pytest.param(201, False, id="201"),
    ],
)
def test_a_selection_has_1_to_200_items(count: int, allowed: bool) -> None:
    items = [SelectedItem(11, 1, 1)] * count
    if allowed:
        assert [chosen.count for chosen in choose(BUNDLE, units_of(items), PRODUCTS, FREE)] == [count]
        return
    with pytest.raises(SelectionInvalid) as refusal:
        choose(BUNDLE, units_of(items), PRODUCTS, FREE)
    assert [fault.path for fault in refusal.value.faults] == ["products"]
    assert str(refusal.value) == f"Choose at least 1 and at most 200 items; there are {count}."


def test_every_fault_is_reported_in_the_order_of_the_request() -> None:
    items = [
        SelectedItem(22, 2, 2),
        SelectedItem(11, 1, 1),
        SelectedItem(11, 1, 9),
        SelectedItem(22, 2, 2),
        SelectedItem(91, 9, 1),
    ]
    with pytest.raises(SelectionInvalid) as refusal:
        choose(BUNDLE, units_of(items), PRODUCTS, FREE)

    paths = [fault.path for fault in refusal.value.faults]
    assert paths == ["products.0.variant", "products.2.section", "products.3.variant", "products.4.product"]


def test_at_most_100_faults_are_reported() -> None:
    with pytest.raises(SelectionInvalid) as refusal:
        choose(BUNDLE, units_of([SelectedItem(11, 1, 9)] * 150), PRODUCTS, FREE)

    assert [fault.path for fault in refusal.value.faults] == [f"products.{index}.section" for index in range(100)]


def test_equal_items_are_one_line_at_the_place_of_the_first() -> None:
    items = [
        SelectedItem(31, 3, 1),
        SelectedItem(11, 1, 1),
        SelectedItem(31, 3, 2),
        SelectedItem(11, 1, 1),
        SelectedItem(12, 1, 1),
        SelectedItem(31, 3, 1),
    ]
    chosen = choose(BUNDLE, units_of(items), PRODUCTS, FREE)

    assert [(one.variant.id, one.section_id, one.count, one.first) for one in chosen] == [
        (31, 1, 2, 0),
        (11, 1, 2, 1),
        (31, 2, 1, 2),
        (12, 1, 1, 4),
    ]


def test_chosen_items_become_a_line_at_a_price() -> None:
    (chosen,) = choose(BUNDLE, units_of([SelectedItem(11, 1, 1)] * 3), PRODUCTS, FREE)

    assert chosen.at(None, "EUR") == line_of(PRODUCTS[1], 11, 3, section=1, first=0)
    market = MarketPrice(Decimal("5.00"), "USD", Decimal("4.50"), available_for_sale=True)
    assert chosen.at(market, "EUR").amount == Decimal("13.50")


OFFERED = [SelectedItem(11, 1, 1), SelectedItem(12, 1, 1), SelectedItem(21, 2, 2), SelectedItem(31, 3, 0)]


@PROPERTY
@given(items=st.lists(st.sampled_from(OFFERED), min_size=1, max_size=30), order=st.randoms(use_true_random=False))
def test_order_of_items_does_not_change_the_lines(items: list[SelectedItem], order: Random) -> None:
    shuffled = order.sample(items, len(items))

    def counts(items: list[SelectedItem]) -> dict[tuple[int, int], int]:
        return {(one.variant.id, one.section_id): one.count for one in choose(BUNDLE, units_of(items), PRODUCTS, FREE)}

    assert counts(items) == counts(shuffled)
    assert sum(counts(items).values()) == len(items)
