"""The data that is stored for a configured bundle."""

from decimal import Decimal

import pytest

from bundlesvc.domain.configured import (
    ConfiguredItem,
    configured_items,
    variant_counts,
)
from bundlesvc.domain.line import Line
from tests.domain.builders import bundle, line, line_of, product, variant
from tests.domain.configured_bundles import item


def test_items_store_titles_and_prices_of_the_moment() -> None:
    shirt = product(1, variant(11, title="S", price="19.99"), variant(12, title="M"))

    assert configured_items(bundle(), [line_of(shirt, 11, 2, section=3)]) == (
        ConfiguredItem(
            variant_id=11,
            product_id=1,
            section_id=3,
            count=2,
            title="Product 1",
            variant_title="S",
            unit_price=Decimal("19.99"),
        ),
    )


def test_items_store_the_price_charged_not_the_variants() -> None:
    charged = Line(product(), variant(price="10.00"), 1, 1, Decimal("8.50"), 0)

    assert [one.unit_price for one in configured_items(bundle(), [charged])] == [Decimal("8.50")]


@pytest.mark.parametrize(
    ("items", "counts"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([item(11, 2)], [(11, 2)], id="one variant"),
        pytest.param([item(11, 2), item(21), item(11, 1, 2)], [(11, 3), (21, 1)], id="over sections, in order"),
        pytest.param([item(21), item(11)], [(21, 1), (11, 1)], id="in the order of selection"),
    ],
)
def test_variant_counts_add_up_over_sections(items: list[ConfiguredItem], counts: list[tuple[int, int]]) -> None:
    assert list(variant_counts(items).items()) == counts


def test_one_variant_in_two_sections_is_two_items() -> None:
    items = configured_items(bundle(), [line(1, section=1), line(2, section=2)])

    assert [(one.section_id, one.count) for one in items] == [(1, 1), (2, 2)]
