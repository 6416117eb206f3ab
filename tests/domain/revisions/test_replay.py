"""Replays of shoppers' selections against a draft show which selections become dearer or cheaper, and which are refused."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bundlesvc.domain.configured import StoredSelection, configured_items
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.revisions.replay import BundleReplay, State
from bundlesvc.domain.revisions.replay import replay as replayed
from bundlesvc.domain.selection import SelectedItem, choose, units_of
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.domain.subscription import SubscriptionChoice
from tests.process.shop import BOX, MUG, PLAIN_MUG, SCARCE_SHIRT, SHIRT, SHIRT_M
from tests.storage.prepared import the_shop

TWO_MUGS = [SelectedItem(PLAIN_MUG, MUG, 2)] * 2
SHIRTS = [SelectedItem(SHIRT_M, SHIRT, 1)] * 3
MANY = [SelectedItem(SCARCE_SHIRT, SHIRT, 1)] * 6


def state(shop_file: ShopFile) -> State:
    shop = shop_file.shop
    assert shop.settings is not None
    bundles = {bundle.id: bundle for bundle in shop_file.bundles}
    return State(shop, shop.settings, bundles, {product.id: product for product in shop_file.products}, {})


def selection(items: list[SelectedItem], subscription: SubscriptionChoice | None = None) -> StoredSelection:
    shop_file = the_shop()
    box, products = shop_file.bundles[0], {product.id: product for product in shop_file.products}
    lines = tuple(each.at(None, "EUR") for each in choose(box, units_of(items), products, frozenset()))
    pricing = Pricing(Decimal(1), Decimal(1), "none", Decimal(0), "EUR")
    return StoredSelection(1, BOX, box.type, None, configured_items(box, lines), subscription, pricing, 1)


def changed(**values: Any) -> ShopFile:
    """The shop with these fields of the box changed."""
    box, *others = the_shop().bundles
    return replace(the_shop(), bundles=(replace(box, **values), *others))


def only(found: list[BundleReplay]) -> BundleReplay:
    (one,) = found
    return one


def test_dearer_cheaper_and_same_with_sums() -> None:
    """A replay counts selections that become dearer, become cheaper or stay the same, and adds up their prices.

    The box has a ten percent discount: two mugs cost 14.40, three shirts 53.97."""
    own = the_shop().bundles[0].discount
    assert own is not None
    discount, dearer = replace(own, value=Decimal(20)), replace(own, value=Decimal(5))
    selections = [selection(TWO_MUGS), selection(TWO_MUGS), selection(SHIRTS)]
    found = only(replayed(selections, state(the_shop()), state(changed(discount=discount))))
    assert (found.bundle_id, found.selections, found.dearer, found.cheaper, found.same) == (BOX, 3, 0, 3, 0)
    assert (found.sum_before, found.sum_after) == (Decimal("82.77"), Decimal("73.58"))
    assert only(replayed(selections, state(the_shop()), state(changed(discount=dearer)))).dearer == 3
    assert only(replayed(selections, state(the_shop()), state(changed(name="Other")))).same == 3


def without_mugs(shop_file: ShopFile) -> ShopFile:
    box, *others = shop_file.bundles
    return replace(shop_file, bundles=(replace(box, sections=box.sections[:1]), *others))


def unpublished(shop_file: ShopFile) -> ShopFile:
    box, *others = shop_file.bundles
    return replace(shop_file, bundles=(replace(box, published=False), *others))


def without_box(shop_file: ShopFile) -> ShopFile:
    return replace(shop_file, bundles=shop_file.bundles[1:])


def archived(shop_file: ShopFile) -> ShopFile:
    shirt, mug, *others = shop_file.products
    return replace(shop_file, products=(shirt, replace(mug, status="ARCHIVED"), *others))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (without_mugs, "unknown_section"),
        (unpublished, "not_found"),
        (without_box, "not_found"),
        (archived, "not_active"),
    ],
)
def test_refused_by_reason(change: Callable[[ShopFile], ShopFile], code: str) -> None:
    found = only(replayed([selection(TWO_MUGS)] * 4, state(the_shop()), state(change(the_shop()))))
    assert (found.selections, dict(found.refused), found.refused_before) == (4, {code: 4}, 0)
    assert (found.sum_before, found.dearer + found.cheaper + found.same) == (Decimal(0), 0)


def test_refused_already_is_no_refusal_of_the_draft() -> None:
    """A selection that was already refused, here for lack of stock, does not count as refused by the draft."""
    found = only(replayed([selection(MANY)], state(the_shop()), state(without_box(the_shop()))))
    assert (found.refused_before, dict(found.refused)) == (1, {})


def test_subscription_that_is_no_longer_offered() -> None:
    monthly = SubscriptionChoice(7, 1, "month")
    box = the_shop().bundles[0]
    group = replace(box.subscription.groups[0], options=box.subscription.groups[0].options[1:])
    after = changed(subscription=replace(box.subscription, groups=(group,)))
    found = only(replayed([selection(TWO_MUGS, monthly)], state(the_shop()), state(after)))
    assert dict(found.refused) == {"unknown_option": 1}
