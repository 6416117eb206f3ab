"""The price of the platform's own bundles without their discount, and why some of them cannot be imported."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from bundlesvc.domain.live_platform.platform_bundle import FAULTS, Component, ComponentVariant, PlatformBundle


def part(
    quantity: int | None = 1, *prices: str, first: int = 1, is_sold: bool = True, is_bundle: bool = False
) -> Component:
    """A component whose variants have these prices. The variant ids count up from `first`."""
    variants = [
        ComponentVariant(id_, Decimal(price), is_bundle) for id_, price in enumerate(prices or ["10.00"], start=first)
    ]
    return Component(first, "Tea", is_sold, variants, quantity)


def bundle(*components: Component, prices: Sequence[str] = ("9.00",), is_complete: bool = True) -> PlatformBundle:
    return PlatformBundle(99, None, "Set", "", [*map(Decimal, prices)], components, is_complete)


def empty() -> Component:
    return Component(1, "Tea", True, [], 1)


@pytest.mark.parametrize(
    ("given", "lowest", "highest"),
    [
        pytest.param(bundle(part(2, "10.10"), part(1, "0.05", first=2)), "20.25", "20.25", id="quantities count"),
        pytest.param(bundle(part(3, "12.00", "10.00", "11.00")), "30.00", "36.00", id="it depends on the variant"),
        pytest.param(bundle(part(1, "0.105"), part(2, "0.10", first=2)), "0.305", "0.305", id="nothing is rounded"),
    ],
)
def test_components_have_a_price_of_their_own(given: PlatformBundle, lowest: str, highest: str) -> None:
    assert given.components_price == (Decimal(lowest), Decimal(highest))


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(bundle(), id="no components"),
        pytest.param(bundle(empty()), id="a component without variants"),
        pytest.param(bundle(part(1), part(None, first=2)), id="shoppers choose a quantity"),
        pytest.param(bundle(part(1), is_complete=False), id="not all is known"),
    ],
)
def test_components_that_are_not_all_known_have_no_price(given: PlatformBundle) -> None:
    assert given.components_price is None


@pytest.mark.parametrize(
    ("given", "faults"),
    [
        pytest.param(bundle(part()), [], id="nothing"),
        pytest.param(bundle(part(), prices=["10.00"]), [], id="it costs what its components cost"),
        pytest.param(bundle(part(200, "0.05")), [], id="as many units as a selection may have"),
        pytest.param(bundle(), ["no_components"], id="no components"),
        pytest.param(bundle(empty()), ["no_components"], id="a component without variants"),
        pytest.param(bundle(part(None)), ["chosen_quantity"], id="shoppers choose a quantity"),
        pytest.param(bundle(is_complete=False), ["too_large"], id="not all is known"),
        pytest.param(
            bundle(part(120), part(81, first=2)), ["too_many_items"], id="more units than a selection may have"
        ),
        pytest.param(bundle(part(is_bundle=True)), ["nested"], id="a component is a bundle"),
        pytest.param(bundle(part(is_sold=False)), ["not_sold"], id="a component is not for sale"),
        pytest.param(bundle(part(), part()), ["repeated_variant"], id="a variant is in two components"),
        pytest.param(bundle(part(), prices=["8.00", "9.00"]), ["several_prices"], id="several prices"),
        pytest.param(bundle(part(), prices=["10.01"]), ["costs_more"], id="it costs more than its components"),
        pytest.param(bundle(part(1, "8.99", "10.00")), ["costs_more"], id="it costs more than some of them"),
        pytest.param(
            bundle(part(None), part(201, first=2), prices=["1.00", "2.00"]),
            ["chosen_quantity", "too_many_items", "several_prices"],
            id="several faults",
        ),
    ],
)
def test_what_cannot_be_made_has_its_reasons(given: PlatformBundle, faults: list[str]) -> None:
    assert given.faults == faults
    assert set(faults) <= set(FAULTS)
