"""Merged bundles: the prices before the discount can be recovered if the charge was distributed in proportion to these prices."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.money import allocate
from bundlesvc.domain.orders.order import LineDiscount, OrderLine
from bundlesvc.platforms.shopify.orders.lines import ReadLine
from bundlesvc.platforms.shopify.orders.merged import merged_variants, with_full_prices

MARK = {"_bundle_data": "7001#9001#u1"}


def merged(number: int, quantity: int, total: int, group: str = "g", **changes: object) -> ReadLine:
    """Build a line of a merged bundle. Its variant has the same number as the line."""
    line = OrderLine(f"{number}", number, quantity, -(-total // quantity), properties=MARK, group=group, **changes)  # type: ignore[arg-type]
    return ReadLine(line, total, "Box")


PARTS = st.lists(st.tuples(st.integers(1, 20), st.integers(1, 10_000)), min_size=1, max_size=8)


@given(PARTS, st.integers(0, 100))
def test_full_prices_are_found_when_the_platform_distributes_in_proportion(
    parts: list[tuple[int, int]], percentage: int
) -> None:
    full = [quantity * price for quantity, price in parts]
    shares = allocate(sum(full) * (100 - percentage) // 100, full)
    lines = [merged(index, parts[index][0], share) for index, share in enumerate(shares)]
    found = with_full_prices(lines, {index: price for index, (_, price) in enumerate(parts)})
    assert [line.unit_price for line in found] == [price for _, price in parts]
    assert [line.charged for line in found] == shares
    assert not any(line.net for line in found)


@given(PARTS)
def test_the_charge_never_changes(parts: list[tuple[int, int]]) -> None:
    """The amount charged for each line of a merged bundle never changes, whatever the variants cost now."""
    lines = [merged(index, quantity, total) for index, (quantity, total) in enumerate(parts)]
    for prices in ({}, {0: 7}, {index: 3 * total for index, (_, total) in enumerate(parts)}):
        found = with_full_prices(lines, prices)
        assert [line.charged for line in found] == [total for _, total in parts]


def test_changed_price_leaves_the_whole_group_net() -> None:
    lines = [merged(1, 2, 1800), merged(2, 1, 450), merged(3, 1, 900, group="h")]
    first, second, other = with_full_prices(lines, {1: 1000, 2: 700, 3: 1000})
    assert (first.net, second.net, other.net) == (True, True, False)
    assert other.discounts == (LineDiscount("bundle", "Box", 100),)


def test_other_lines_stay_as_they_are() -> None:
    """Lines stay unchanged if they have no mark or no group, if they state the bundle's discount, or if an edit has set their
    quantity."""
    own = (LineDiscount("bundle", "Box", 10),)
    lines = [
        ReadLine(OrderLine("a", 1, 1, 100, group="g"), 100),
        ReadLine(OrderLine("b", 2, 1, 100, properties=MARK), 100),
        ReadLine(OrderLine("c", 3, 1, 100, discounts=own, properties=MARK, group="g"), 100),
        ReadLine(OrderLine("d", 4, 0, 100, properties=MARK, group="g"), 0),
    ]
    assert merged_variants(lines) == []
    assert with_full_prices(lines, {1: 500, 2: 500, 3: 500, 4: 500}) == tuple(each.line for each in lines)
    assert Decimal(lines[0].total) == 100
