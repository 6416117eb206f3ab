"""The checkout runs functions within the platform's limits, and applies either their whole result or none of it."""

import json
from decimal import Decimal
from typing import Any

import pytest
from wasmtime import wat2wasm

from tests.standin.data.carts import Cart, CartLine
from tests.standin.data.functions import AutomaticDiscount, CartTransform, Function, Metafield, Target
from tests.standin.data.generated import products
from tests.standin.data.shop import Market, SellingPlan, SellingPlanGroup, Shop
from tests.standin.storefront.checkout import Checkout, check_out
from tests.standin.storefront.running import INSTRUCTIONS, LOG, OUTPUT, run_module

NOW = 1_800_000_000.0
QUERY = """query Input {
  cart {
    bundles: attribute(key: "_bundles") { value }
    lines {
      id quantity bundle: attribute(key: "_bundle_data") { value } cost { amountPerQuantity { amount currencyCode } }
      sellingPlanAllocation { sellingPlan { id } } merchandise { __typename ... on ProductVariant { id } }
    }
  }
  presentmentCurrencyRate
  shop { localTime { date } }
  OWNER { metafield(namespace: "$app:bundles", key: "config") { value } }
}"""
PLAN = 501


def module(body: str, data: str = "") -> bytes:
    """Compile a module with an export `run`, which may write `data` to file descriptor 1 (its output) or 2 (its log)."""
    escaped = "".join(f"\\{byte:02x}" for byte in data.encode())
    return bytes(
        wat2wasm(f"""(module
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
      (memory (export "memory") 2)
      (data (i32.const 64) "{escaped}")
      (func $say (param $file i32)
        (i32.store (i32.const 0) (i32.const 64)) (i32.store (i32.const 4) (i32.const {len(data.encode())}))
        (drop (call $write (local.get $file) (i32.const 0) (i32.const 1) (i32.const 16))))
      (func (export "run") {body}))""")
    )


def saying(result: object) -> bytes:
    """Compile a module that always returns this result."""
    return module("(call $say (i32.const 1))", result if isinstance(result, str) else json.dumps(result))


def run(content: bytes, given: Any = None, lines: int = 1) -> Any:
    return run_module(content, "run", "cart.transform.run", given or {}, lines)


def test_output_is_read() -> None:
    ran = run(saying({"operations": []}))
    assert (ran.output, ran.error, ran.log) == ({"operations": []}, "", "")
    assert 0 < ran.instructions < 1000


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (module("(loop $again (br $again))"), "fuel"),
        (module("unreachable"), "unreachable"),
        (module("(call $exit (i32.const 3))"), "status 3"),
        (module("(drop (memory.grow (i32.const 200)))(i32.store (i32.const 12000000) (i32.const 1))"), "out of bounds"),
        (module(""), "not JSON"),
        (saying("{"), "not JSON"),
        (saying("x" * (OUTPUT + 1)), f"{OUTPUT + 1} bytes"),
    ],
)
def test_failed_run_has_no_output(content: bytes, error: str) -> None:
    ran = run(content)
    assert ran.output is None
    assert error in ran.error


def test_ending_with_status_0_is_fine() -> None:
    content = module("(call $say (i32.const 1)) (call $exit (i32.const 0))", "{}")
    assert (run(content).output, run(content).error) == ({}, "")


def test_missing_export_and_import_fail() -> None:
    assert "no export run" in run(bytes(wat2wasm("(module)"))).error
    assert "env" in run(bytes(wat2wasm('(module (import "env" "now" (func)) (func (export "run")))'))).error


def test_limits_grow_with_the_lines_above_200() -> None:
    output = saying(f'"{"x" * OUTPUT}"')
    assert run(output, lines=200).error
    assert run(output, lines=400).error == ""
    assert run(module("(loop $again (br $again))"), lines=400).instructions >= 2 * INSTRUCTIONS - 10


def test_input_that_is_too_large_is_not_run() -> None:
    assert "the input has" in run(saying({}), {"text": "x" * 130_000}).error


def test_log_is_cut() -> None:
    ran = run(module("(call $say (i32.const 2))", "x" * 2 * LOG))
    assert ran.log == "x" * LOG


@pytest.fixture
def shop() -> Shop:
    """A shop with three products that cost 11.00 EUR each. Product 2 also has a selling plan with 10% off."""
    shop = Shop()
    shop.add(*products(3))
    plan = SellingPlan(PLAN, "Every month", "MONTH", 1, Decimal(10))
    shop.selling_plan_groups.append(SellingPlanGroup(5, "Often", [plan], {2}))
    shop.markets.append(Market(101, "Swiss", ("CH",), "CHF", rate=Decimal("0.95")))
    return shop


def cart(*lines: CartLine, **more: Any) -> Cart:
    return Cart(lines=[*lines], **more)


def with_transform(shop: Shop, result: object, *, block: bool = False) -> CartTransform:
    target = Target("cart.transform.run", "run", QUERY.replace("OWNER", "cartTransform"))
    content = result if isinstance(result, bytes) else saying(result)
    shop.functions.deploy(Function("merge", "merge", "", "", "2026-07", (target,), content))
    transform = CartTransform(1, "merge", block)
    shop.functions.cart_transforms.append(transform)
    return transform


def with_discount(shop: Shop, result: object) -> AutomaticDiscount:
    target = Target("cart.lines.discounts.generate.run", "run", QUERY.replace("OWNER", "discount"))
    shop.functions.deploy(Function("discount", "discount", "", "", "2026-10", (target,), saying(result)))
    discount = AutomaticDiscount(2, "discount", "Bundles", "2026-01-01T00:00:00Z")
    shop.functions.discounts.append(discount)
    return discount


def merge(*parts: tuple[int, int], percentage: str | None = None, parent: int = 30001) -> Any:
    lines = [{"cartLineId": f"gid://shopify/CartLine/{number}", "quantity": count} for number, count in parts]
    price = {"price": {"percentageDecrease": {"value": percentage}}} if percentage else {}
    return {"linesMerge": {"parentVariantId": f"gid://shopify/ProductVariant/{parent}", "cartLines": lines, **price}}


def amounts(checkout: Checkout) -> list[Decimal]:
    return [charge.amount for charge in checkout.charges]


def test_without_functions_the_prices_are_charged(shop: Shop) -> None:
    checkout = check_out(shop, cart(CartLine(10001, 2), CartLine(20001, 1, plan_id=PLAN)), NOW)
    assert amounts(checkout) == [Decimal("22.00"), Decimal("9.90")]
    assert (checkout.total, checkout.currency, checkout.runs) == (Decimal("31.90"), "EUR", [])


def test_prices_of_the_market_are_charged(shop: Shop) -> None:
    checkout = check_out(shop, cart(CartLine(10001, 2), CartLine(20001, 1, plan_id=PLAN), country="CH"), NOW)
    assert (amounts(checkout), checkout.currency) == ([Decimal("20.90"), Decimal("9.41")], "CHF")


def test_lines_are_merged_at_a_percentage_off(shop: Shop) -> None:
    one, two, other = CartLine(10001, 2), CartLine(20001, 1), CartLine(10001, 1, {"gift": "yes"})
    operation = merge((one.number, 2), (two.number, 1), percentage="33.333")
    with_transform(shop, {"operations": [operation]})
    checkout = check_out(shop, cart(one, two, other), NOW)
    assert amounts(checkout) == [Decimal("22.00"), Decimal("11.00")]
    merged, rest = checkout.charges
    assert (merged.title, merged.full, len(merged.parts)) == ("Product 3", Decimal("33.00"), 2)
    assert rest.line.attributes == {"gift": "yes"}
    (ran,) = checkout.runs
    assert [line["quantity"] for line in ran.input["cart"]["lines"]] == [2, 1, 1]


def test_units_that_are_not_merged_stay(shop: Shop) -> None:
    line = CartLine(10001, 5)
    with_transform(shop, {"operations": [merge((line.number, 3))]})
    assert amounts(check_out(shop, cart(line), NOW)) == [Decimal("33.00"), Decimal("22.00")]


@pytest.mark.parametrize(
    ("result", "error"),
    [
        ({"operations": [{"linesMerge": {}}]}, "parentVariantId"),
        ({"operations": [{"lineUpdate": {"cartLineId": "gid://shopify/CartLine/1"}}]}, "only linesMerge"),
        ({"operations": [merge((1, 1), parent=404)]}, "does not exist"),
        ({"operations": [merge((404, 1))]}, "has no 1 units left"),
        ({"operations": [merge()]}, "without lines"),
        ({"operations": [merge((1, 3))]}, "has no 3 units left"),
        ({"operations": [merge((1, 1)), merge((1, 2))]}, "has no 2 units left"),
        ({"operations": [merge((1, 2), percentage="101")]}, "decrease by 101"),
        ({"operations": [merge((2, 1))]}, "selling plan"),
        ({}, "operations"),
        (module("unreachable"), "unreachable"),
    ],
)
def test_refused_result_changes_nothing(shop: Shop, result: object, error: str) -> None:
    lines = (CartLine(10001, 2, number=1), CartLine(20001, 1, plan_id=PLAN, number=2))
    with_transform(shop, result)
    checkout = check_out(shop, cart(*lines), NOW)
    assert (amounts(checkout), checkout.blocked) == ([Decimal("22.00"), Decimal("9.90")], False)
    assert error in checkout.runs[0].error


@pytest.mark.parametrize(("rejects", "expected"), [(False, ["19.80", "9.90"]), (True, ["22.00", "9.90"])])
def test_merge_beside_a_line_with_a_selling_plan(shop: Shop, rejects: bool, expected: list[str]) -> None:
    """Under one interpretation of the platform's rules, only the line with the plan cannot be merged; under the other, no line in
    the cart can be merged."""
    shop.rejects_merges_of_plans = rejects
    lines = (CartLine(10001, 2, number=1), CartLine(20001, 1, plan_id=PLAN, number=2))
    with_transform(shop, {"operations": [merge((1, 2), percentage="10")]})

    checkout = check_out(shop, cart(*lines), NOW)

    assert amounts(checkout) == [Decimal(amount) for amount in expected]
    assert ("nothing can be merged" in checkout.runs[0].error) is rejects


def test_failure_blocks_the_checkout_where_it_must(shop: Shop) -> None:
    transform = with_transform(shop, module("unreachable"), block=True)
    assert check_out(shop, cart(CartLine(10001, 1)), NOW).blocked
    transform.block_on_failure = False
    assert not check_out(shop, cart(CartLine(10001, 1)), NOW).blocked


def candidate(*targets: tuple[int, int | None], **value: Any) -> Any:
    lines = [
        {"cartLine": {"id": f"gid://shopify/CartLine/{number}", **({"quantity": count} if count else {})}}
        for number, count in targets
    ]
    return {"targets": lines, "message": "Bundle", "value": value}


def discounts(*candidates: Any, strategy: str = "ALL") -> Any:
    return {"operations": [{"productDiscountsAdd": {"selectionStrategy": strategy, "candidates": [*candidates]}}]}


FIXED = {"fixedAmount": {"amount": "3.00"}}


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (discounts(candidate((1, None), **FIXED)), ["19.00", "11.00"]),
        (
            discounts(candidate((1, None), fixedAmount={"amount": "3.00", "appliesToEachItem": True})),
            ["16.00", "11.00"],
        ),
        (discounts(candidate((1, None), (2, None), **FIXED)), ["20.00", "10.00"]),
        (discounts(candidate((1, 1), percentage={"value": "50"})), ["16.50", "11.00"]),
        (discounts(candidate((2, None), fixedAmount={"amount": "99"})), ["22.00", "0.00"]),
        (discounts(candidate((1, None), **FIXED), candidate((2, None), **FIXED)), ["19.00", "8.00"]),
        (discounts(candidate((1, None), **FIXED), candidate((2, None), **FIXED), strategy="FIRST"), ["19.00", "11.00"]),
        (
            discounts(
                candidate((1, None), **FIXED), candidate((2, None), fixedAmount={"amount": "4"}), strategy="MAXIMUM"
            ),
            ["22.00", "7.00"],
        ),
        (discounts(candidate((1, 3), **FIXED)), ["22.00", "11.00"]),
        (discounts(candidate((404, None), **FIXED)), ["22.00", "11.00"]),
        ({"operations": []}, ["22.00", "11.00"]),
    ],
)
def test_discounts_are_taken_off_their_lines(shop: Shop, result: object, expected: list[str]) -> None:
    with_discount(shop, result)
    checkout = check_out(shop, cart(CartLine(10001, 2, number=1), CartLine(20001, 1, number=2)), NOW)
    assert amounts(checkout) == [Decimal(amount) for amount in expected]


def test_a_discount_that_has_ended_does_not_run(shop: Shop) -> None:
    with_discount(shop, discounts(candidate((1, None), **FIXED))).ends_at = "2026-02-01T00:00:00Z"
    checkout = check_out(shop, cart(CartLine(10001, 2, number=1)), NOW)
    assert (amounts(checkout), checkout.runs) == ([Decimal("22.00")], [])


def test_input_is_what_the_query_selects(shop: Shop) -> None:
    transform = with_transform(shop, {"operations": []})
    transform.metafields["app--1--bundles", "config"] = Metafield("json", '{"shop": "demo"}')
    line = CartLine(20001, 3, {"_bundle_data": "1#2#x"}, PLAN, number=7)
    (ran,) = check_out(shop, cart(line, attributes={"_bundles": "{}"}, country="CH"), NOW).runs
    assert ran.input == {
        "cart": {
            "bundles": {"value": "{}"},
            "lines": [
                {
                    "id": "gid://shopify/CartLine/7",
                    "quantity": 3,
                    "bundle": {"value": "1#2#x"},
                    "cost": {"amountPerQuantity": {"amount": "9.41", "currencyCode": "CHF"}},
                    "sellingPlanAllocation": {"sellingPlan": {"id": f"gid://shopify/SellingPlan/{PLAN}"}},
                    "merchandise": {"__typename": "ProductVariant", "id": "gid://shopify/ProductVariant/20001"},
                }
            ],
        },
        "presentmentCurrencyRate": "0.95",
        "shop": {"localTime": {"date": "2027-01-15"}},
        "cartTransform": {"metafield": {"value": '{"shop": "demo"}'}},
    }


def test_discounts_see_the_merged_lines(shop: Shop) -> None:
    one = CartLine(10001, 2, number=1)
    with_transform(shop, {"operations": [merge((1, 2), percentage="50")]})
    with_discount(shop, {"operations": []})
    _, ran = check_out(shop, cart(one), NOW).runs
    (line,) = ran.input["cart"]["lines"]
    assert line["merchandise"]["id"] == "gid://shopify/ProductVariant/30001"
    assert line["cost"]["amountPerQuantity"] == {"amount": "11.0", "currencyCode": "EUR"}


def test_what_cannot_be_bought_any_more_is_left_out(shop: Shop) -> None:
    shop.products[1].status = "ARCHIVED"
    assert amounts(check_out(shop, cart(CartLine(10001, 1), CartLine(20001, 1)), NOW)) == [Decimal("11.00")]
