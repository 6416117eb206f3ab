"""Which configured bundles share a ghost variant."""

import re
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.configured import ConfiguredItem, configured_items
from bundlesvc.domain.ghosts.identity import ghost_identity
from bundlesvc.domain.line import Line
from tests.domain.builders import bundle
from tests.domain.configured_bundles import item
from tests.domain.strategies import PROPERTY, selections


def identity(*items: ConfiguredItem, of: int = 42, price: str = "27.00") -> str:
    return ghost_identity(of, items, Decimal(price))


SAME = identity(item(11, 2), item(21, 1, 2))


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        pytest.param(identity(item(11, 2), item(21, 1, 2)), True, id="equal"),
        pytest.param(identity(item(21, 1, 2), item(11, 2)), True, id="in another order"),
        pytest.param(identity(item(11, 2), item(21, 1, 2), price="27"), True, id="the same price in other digits"),
        pytest.param(identity(item(11, 2), item(21, 1, 2), price="27.01"), False, id="another price"),
        pytest.param(identity(item(11, 2), item(21, 1, 2), of=43), False, id="another bundle"),
        pytest.param(identity(item(11, 3), item(21, 1, 2)), False, id="another count"),
        pytest.param(identity(item(12, 2), item(21, 1, 2)), False, id="another variant"),
        pytest.param(identity(item(11, 2), item(21, 1, 3)), False, id="another section"),
        pytest.param(identity(item(11, 2)), False, id="an item less"),
        pytest.param(identity(item(11, 2, 2), item(21, 1, 1)), False, id="sections swapped"),
    ],
)
def test_equal_bundles_share_a_ghost_variant(other: str, shared: bool) -> None:
    assert (other == SAME) is shared


def test_a_ghost_identity_is_a_sha_256() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", SAME)


def test_titles_and_unit_prices_do_not_change_a_ghost_identity() -> None:
    renamed = ConfiguredItem(11, 1, 1, 2, "Chemise", "P", Decimal("9.00"))

    assert identity(renamed, item(21, 1, 2)) == SAME


@PROPERTY
@given(lines=selections(), order=st.randoms(use_true_random=False))
def test_order_of_items_does_not_change_a_ghost_identity(lines: list[Line], order: Random) -> None:
    shuffled = order.sample(lines, len(lines))

    assert identity(*configured_items(bundle(), lines)) == identity(*configured_items(bundle(), shuffled))
