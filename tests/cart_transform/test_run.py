"""End to end: the service configures, the storefront fills the cart, and the function returns its operations."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

import pytest
from cryptography.fernet import Fernet

from bundlesvc.domain.checkout.cart import BundleData
from bundlesvc.domain.money import ZERO
from bundlesvc.settings.environment import Settings
from tests.cart_transform.carts import Cart, Json, Line, refusals, run_cart
from tests.cart_transform.module import DISCOUNT
from tests.cart_transform.service import ENGRAVED, FEE_VARIANT, FIRST_VARIANT, NATIVE, PARENT, WITH_GHOST, Storefront


def variants(distinct: int, each: int = 1) -> list[int]:
    return [*range(FIRST_VARIANT, FIRST_VARIANT + distinct)] * each


def run(cart: Cart) -> list[Json]:
    """Run the checkout function on a cart, check its output against the platform's schema, and return the merge operations."""
    return [operation["linesMerge"] for operation in run_cart(cart)]


def charged(merge: Json, lines: Sequence[Line]) -> Decimal:
    """The charge for a merged line: the sum of its lines minus the percentage, rounded to the cent."""
    prices = {f"gid://shopify/CartLine/{line.id}": Decimal(line.unit_price) for line in lines}
    whole = sum((prices[each["cartLineId"]] * each["quantity"] for each in merge["cartLines"]), ZERO)
    percentage = Decimal(merge["price"]["percentageDecrease"]["value"])
    return (whole - whole * percentage / 100).quantize(Decimal("0.01"), ROUND_HALF_UP)


@pytest.mark.parametrize(("distinct", "each"), [(1, 1), (20, 1), (21, 1), (200, 1), (1, 200), (20, 10)])
async def test_a_configured_bundle_costs_what_was_promised(storefront: Storefront, distinct: int, each: int) -> None:
    answer = await storefront.configure(NATIVE, variants(distinct, each))
    cart = storefront.cart(answer)

    [merge] = run(cart)

    assert merge["parentVariantId"] == f"gid://shopify/ProductVariant/{PARENT}"
    assert merge["title"] == "Necklace"
    assert merge["image"] == {"url": "https://cdn.example/necklace.png"}
    assert merge["attributes"] == [{"key": "_bundle_data", "value": cart.lines[0].properties["_bundle_data"]}]
    assert sum(line["quantity"] for line in merge["cartLines"]) == distinct * each
    assert str(charged(merge, cart.lines)) == answer["pricing"]["discountedPrice"]


async def test_fees_stay_beside_their_bundle(storefront: Storefront) -> None:
    answer = await storefront.configure(ENGRAVED, variants(2), personalisation={"engraving": "Mira"})
    cart = storefront.cart(answer)
    fees = [f"gid://shopify/CartLine/{line.id}" for line in cart.lines if line.variant == FEE_VARIANT]

    [merge] = run(cart)

    assert len(fees) == 1
    assert {line["cartLineId"] for line in merge["cartLines"]}.isdisjoint(fees)
    assert str(charged(merge, cart.lines)) == answer["pricing"]["discountedPrice"]


async def test_bundles_of_one_cart_are_merged_each_by_itself(storefront: Storefront) -> None:
    """Bundles in one cart are merged separately: configuring a selection twice creates two bundles with the same parent, which
    differ in their attributes."""
    answers = [await storefront.configure(NATIVE, variants(3)) for _ in range(2)]
    cart = storefront.cart(*answers)

    merges = run(cart)

    assert [str(charged(merge, cart.lines)) for merge in merges] == [
        answer["pricing"]["discountedPrice"] for answer in answers
    ]
    assert len({merge["attributes"][0]["value"] for merge in merges}) == 2


async def test_a_ghost_variant_needs_no_merge(storefront: Storefront) -> None:
    """A ghost variant needs no merge, because its price is already the discounted one."""
    answer = await storefront.configure(WITH_GHOST, variants(3))
    assert answer["cart"] is None
    line = Line("0", int(answer["variant_id"]), 1, answer["pricing"]["discountedPrice"])

    assert run(Cart([line], None, storefront.config)) == []


async def test_carts_outlive_the_key_that_signed(storefront: Storefront) -> None:
    cart = storefront.cart(await storefront.configure(NATIVE, variants(3)))
    old = storefront.config["keys"]

    rotated = {"shop": "demo", "keys": [Fernet.generate_key().decode(), *old]}
    retired = {"shop": "demo", "keys": [Fernet.generate_key().decode()]}

    assert len(run(replace(cart, config=rotated))) == 1
    assert run(replace(cart, config=retired)) == []


async def test_nothing_is_merged_in_a_cart_with_a_selling_plan(storefront: Storefront) -> None:
    """Nothing is merged in a cart with a selling plan, because the platform may refuse every merge there. The bundles are left to
    the function's discount step."""
    bought, subscribed = [await storefront.configure(NATIVE, variants(2)) for _ in range(2)]
    cart = storefront.cart(bought, subscribed)
    lines = [replace(line, selling_plan=index == 2) for index, line in enumerate(cart.lines)]

    assert run(replace(cart, lines=lines)) == []
    assert refusals(replace(cart, lines=lines)) == [
        f"{answer['configured_bundle_id']} selling_plan" for answer in (bought, subscribed)
    ]
    [discount] = run_cart(replace(cart, lines=lines), DISCOUNT)
    targets = [each["targets"][0]["cartLine"]["id"] for each in discount["productDiscountsAdd"]["candidates"]]
    assert [target.rpartition("/")[2] for target in targets] == ["0", "1", "2", "3"]


async def test_a_product_made_for_this_cart_is_none_that_was_configured(storefront: Storefront) -> None:
    cart = storefront.cart(await storefront.configure(NATIVE, variants(21)))
    lines = [replace(cart.lines[0], variant=None), *cart.lines[1:]]

    assert run(replace(cart, lines=lines)) == []


async def test_what_is_empty_is_left_out(storefront: Storefront) -> None:
    """An empty title or an unreachable image is left out of a merge, so that the platform uses the parent variant's title or
    image."""
    answer = await storefront.configure(NATIVE, variants(1))
    cart = storefront.cart(answer)
    assert cart.bundles
    bare = cart.bundles.replace('"Necklace"', '""').replace("https://cdn.example/necklace.png", "/necklace.png")

    [merge] = run(replace(cart, bundles=bare))

    assert set(merge) == {"parentVariantId", "cartLines", "attributes", "price"}


@pytest.mark.parametrize(
    "config", [None, {}, {"shop": "demo"}, {"shop": "demo", "keys": "key"}, {"shop": "demo", "keys": [5]}]
)
async def test_without_keys_nothing_is_merged(storefront: Storefront, config: Json | None) -> None:
    cart = storefront.cart(await storefront.configure(NATIVE, variants(1)))

    assert run(replace(cart, config=config)) == []


@pytest.mark.parametrize(
    "bundles", ["", "null", "5", '"5"', "[[]]", "{}", '{"5":[]}', '{"5":{"discount":{}}}', '{"__proto__":5}']
)
@pytest.mark.parametrize("mark", ["", "#", "##", "5#9001", "__proto__#9001#f", "constructor#1#f", "5#9001#f", "9" * 40])
def test_nothing_that_a_cart_holds_stops_the_step(settings: Settings, bundles: str, mark: str) -> None:
    config = {"shop": "demo", "keys": settings.secret_keys}
    cart = Cart([Line("0", 1, properties={"_bundle_data": mark})], bundles, config)

    assert run(cart) == []


def test_an_empty_cart() -> None:
    assert run(Cart([], None, None)) == []


@pytest.mark.parametrize("unique", ["f" * 65, "f f", "f-f", 'f"', "é", "\n"])
def test_a_unique_id_is_up_to_64_letters_and_digits(unique: str) -> None:
    mark = f"5#9001#{unique}"
    assert BundleData.read(mark) is None
    assert refusals(Cart([Line("0", 1, properties={"_bundle_data": mark})], None, None)) == ["line line_unreadable"]


def test_a_unique_id_of_64_letters_is_read() -> None:
    mark = f"5#9001#{'f' * 64}"
    assert BundleData.read(mark)
    assert refusals(Cart([Line("0", 1, properties={"_bundle_data": mark})], None, None)) == ["5 attribute_missing"]
