"""No change that a shopper can make to a configured bundle or an order makes anything cheaper than its full price."""

import pytest

from tests.vendure_plugin.orders.attacks import ATTACKS, Attack, Goods, goods
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DemoEngine
from tests.vendure_plugin.shopper import Shopper

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def bundles(storefront: Storefront) -> Goods:
    return goods(storefront)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_nothing_is_cheaper(attack: Attack, engine: DemoEngine, bundles: Goods) -> None:
    shopper = Shopper(engine.address, engine.home)

    attack.act(shopper, bundles)

    for line in (shopper.order() or {"lines": []})["lines"]:
        assert line["discountedLinePriceWithTax"] == line["linePriceWithTax"], line["bundle"]
        assert line["bundle"] is None or line["bundle"]["isFee"] or line["bundle"]["reason"], line


def test_goods_of_the_attacks_are_discounted(engine: DemoEngine, bundles: Goods) -> None:
    for one in (bundles.box, bundles.other_box, bundles.winter_box, bundles.mug):
        assert one.promised < one.original
        order = Shopper(engine.address, engine.home).add(one.answer)
        assert any(line["discountedLinePriceWithTax"] < line["linePriceWithTax"] for line in order["lines"])


def test_more_than_forty_kinds() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) > 40
