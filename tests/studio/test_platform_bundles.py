"""Bundles defined on the platform itself: how much a shopper saves with them, and whether they have already been created in the
service."""

from typing import Any

import pytest

from tests.studio.page import in_page

pytestmark = pytest.mark.process


def component(product: int, *variants: int, quantity: int = 1) -> dict[str, Any]:
    ids = [*map(str, variants)]
    return {"platformProductId": str(product), "title": "Tea", "variantIds": ids, "quantity": quantity}


def found(*components: dict[str, Any], **given: Any) -> dict[str, Any]:
    return {
        "platformProductId": "9",
        "platformVariantId": None,
        "title": "Set",
        "imageUrl": "",
        "prices": ["27.00"],
        "componentsPrice": {"lowest": "30.00", "highest": "30.00"},
        "components": [*components],
        "faults": [],
        **given,
    }


def test_bundle_that_is_made_has_the_same_contents() -> None:
    one = found(component(1, 12, 11), component(2, 21, quantity=2))
    (made,) = in_page(("bundleFrom", one))
    other_order = {**made, "requiredProducts": made["requiredProducts"][::-1]}
    without_quantity = {"requiredProducts": [{"platformProductId": 1, "variantIds": [11]}]}
    (same, reordered, plain) = in_page(
        ("sameContents", one, [{"requiredProducts": []}, {"id": 1}, made]),
        ("sameContents", found(component(2, 21, quantity=2), component(1, 11, 12)), [other_order]),
        ("sameContents", found(component(1, 11)), [without_quantity]),
    )
    assert (same, reordered, plain) == (made, other_order, without_quantity)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(found(component(1, 11)), id="less"),
        pytest.param(found(component(1, 11), component(2, 21), component(3, 31)), id="more"),
        pytest.param(found(component(1, 11), component(2, 22)), id="another variant"),
        pytest.param(found(component(1, 11), component(2)), id="any variant"),
        pytest.param(found(component(1, 11), component(2, 21, quantity=2)), id="another quantity"),
        pytest.param(found(component(1, 11), component(2, 21), faults=["nested"]), id="it cannot be made"),
    ],
)
def test_bundle_with_other_contents_is_another_one(other: dict[str, Any]) -> None:
    (made,) = in_page(("bundleFrom", found(component(1, 11), component(2, 21))))
    assert in_page(("sameContents", other, [made])) == [None]


@pytest.mark.parametrize(
    ("prices", "alone", "saving"),
    [
        pytest.param(["27.00"], ("30.00", "30.00"), (10, 10), id="one price"),
        pytest.param(["27.00"], ("27.00", "36.00"), (0, 25), id="some variants save nothing"),
        pytest.param(["0.00"], ("30.00", "30.00"), (100, 100), id="free"),
    ],
)
def test_saving_is_that_of_the_discount(prices: list[str], alone: tuple[str, str], saving: tuple[int, int]) -> None:
    lowest, highest = alone
    (made,) = in_page(("savingOf", found(prices=prices, componentsPrice={"lowest": lowest, "highest": highest})))
    assert (round(made["least"], 6), round(made["most"], 6)) == saving


@pytest.mark.parametrize(
    ("prices", "alone"),
    [
        pytest.param(["30.00"], ("30.00", "30.00"), id="the same price"),
        pytest.param(["31.00"], ("30.00", "36.00"), id="more than some of the variants"),
        pytest.param(["0.00"], ("0.00", "0.00"), id="nothing costs anything"),
        pytest.param(["1.00"], ("0.00", "0.00"), id="more than nothing"),
        pytest.param(["20.00", "21.00"], ("30.00", "30.00"), id="several prices"),
        pytest.param(["20.00"], None, id="the price of the components is not known"),
        pytest.param([], ("30.00", "30.00"), id="no price"),
    ],
)
def test_nothing_is_saved(prices: list[str], alone: tuple[str, str] | None) -> None:
    given = None if alone is None else {"lowest": alone[0], "highest": alone[1]}
    assert in_page(("savingOf", found(prices=prices, componentsPrice=given))) == [None]
