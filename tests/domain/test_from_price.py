"""The from-price of a bundle (docs/contract.md#from-price)."""

import json
from decimal import Decimal

from hypothesis import given

from bundlesvc.domain.from_price import from_price
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.shop_file.loading import parse_shop_file
from tests.properties import examples
from tests.shop_file.lint.small_shops import MOST_ITEMS, Made, Tree, selections, shops
from tests.shop_file.shop_files import SHOP_JSON

AT_MOST_ALL_THAT_IS_TRIED = {
    "type": "total-number-of-products",
    "operation": "lte",
    "value": str(MOST_ITEMS),
    "sectionId": None,
}


def parsed(tree: Tree) -> ShopFile:
    return parse_shop_file(json.dumps(tree).encode(), SHOP_JSON)


def computed(file: ShopFile) -> Decimal | None:
    assert file.shop.settings
    return from_price(file.shop, file.bundles[0], {each.id: each for each in file.products}, file.shop.settings)


def counts(file: ShopFile, made: Made) -> bool:
    """Whether the from-price speaks of this selection: configured at home, and once unless a subscription is required."""
    program = file.bundles[0].subscription
    required = program.mode == "required" and bool(program.groups)
    return made.can_be_bought and made.country is None and made.facts.subscribed == required


@examples(120)
@given(shops())
def test_from_price_is_that_of_the_cheapest_selection(shop: Tree) -> None:
    shop["bundles"][0]["limitRules"].append(AT_MOST_ALL_THAT_IS_TRIED)
    file = parsed(shop)
    found = computed(file)
    if found is not None:
        assert found == min(made.priced.pricing.discounted for made in selections(file) if counts(file, made))


@examples(40)
@given(shops())
def test_no_small_selection_is_cheaper(shop: Tree) -> None:
    """Without a limit on the number of units, the cheapest selection may have more than are tried."""
    file = parsed(shop)
    found = computed(file)
    if found is not None:
        prices = [made.priced.pricing.discounted for made in selections(file) if counts(file, made)]
        assert found <= min(prices, default=found)
