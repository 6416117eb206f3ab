"""The platform's requirements for a function: the platform's schemas, its sandbox, and its limits. The function must stay within
the limits for carts of every size.

`python -m tests.cart_transform.limits` prints the tables in docs/checkout.md#limits."""

import hashlib
import json
from dataclasses import replace
from typing import cast

import pytest
from graphql import FieldNode, Node, SelectionSetNode, parse, validate

from bundlesvc.platforms.shopify.app.function import package
from tests.cart_transform.carts import (
    QUERIES,
    Cart,
    Line,
    checked_result,
    encoded,
    function_input,
    queried_input,
    refusals,
    run_cart,
)
from tests.cart_transform.limits import HOSTILE, ORDINARY, VALID, Measured, measure, most_discounted, with_keys
from tests.cart_transform.module import DISCOUNT, FUNCTION, MERGE, MODULE, module_exports, module_imports, run_module
from tests.cart_transform.reference import expected
from tests.cart_transform.sizes import FIRST_CONFIGURED, mixed_cart, sized_cart
from tests.platform_schema import CART_TRANSFORM, NEXT_CART_TRANSFORM, NEXT_DISCOUNT, schema
from tests.platform_schema import DISCOUNT as DISCOUNTS

LARGEST_QUERY = 3_000
DEAREST_QUERY = 30
METAFIELD = 3
"""The cost of a metafield; every other leaf costs 1."""
EXPORTS = pytest.mark.parametrize("export", [MERGE, DISCOUNT])


@pytest.mark.parametrize(
    ("export", "name"),
    [(MERGE, CART_TRANSFORM), (MERGE, NEXT_CART_TRANSFORM), (DISCOUNT, DISCOUNTS), (DISCOUNT, NEXT_DISCOUNT)],
)
def test_the_input_query_is_valid(export: str, name: str) -> None:
    assert validate(schema(name), parse(QUERIES[export].read_text("utf-8"))) == []


@EXPORTS
def test_the_input_query_is_small_and_cheap(export: str) -> None:
    text = QUERIES[export].read_text("utf-8")
    [operation] = parse(text).definitions
    assert len(text) <= LARGEST_QUERY
    assert f"Its cost is {_cost(operation)} of the {DEAREST_QUERY} " in text


def _cost(node: Node) -> int:
    """The cost of an operation, a fragment or a field, according to the platform's rules."""
    if isinstance(node, FieldNode) and node.name.value == "metafield":
        return METAFIELD
    selected: SelectionSetNode | None = getattr(node, "selection_set", None)
    return sum(map(_cost, selected.selections)) if selected else 1


@EXPORTS
def test_the_tests_give_the_function_what_the_query_fetches(export: str) -> None:
    data = {"_bundle_data": "5#9001#f"}
    lines = [
        Line("0", 11, 2, "9.50", data, selling_plan=True),
        Line("1", None),
        Line("2", 12, 1, "3", data | {"_bundle_fee": ""}),
    ]
    cart = Cart(lines, "{}", {"shop": "demo", "keys": []}, "USD", "1.08")

    assert queried_input(cart, export) == function_input(cart, export)


def test_the_module_needs_standard_input_and_output_only() -> None:
    assert module_imports() == {("wasi_snapshot_preview1", name) for name in ("fd_read", "fd_write", "proc_exit")}
    assert module_exports() == {"memory", "_start", MERGE, DISCOUNT}


def test_the_manifest_names_what_is_there() -> None:
    manifest = package.extension_files()["shopify.extension.toml"].decode()
    for name in (*(path.name for path in QUERIES.values()), MERGE, DISCOUNT, MODULE.name):
        assert f'"{name}"' in manifest


def test_the_digest_beside_the_module_is_its_own() -> None:
    digest = (FUNCTION / "function.wasm.sha256").read_text("utf-8").split()[0]
    assert hashlib.sha256(MODULE.read_bytes()).hexdigest() == digest


def test_the_module_is_smaller_than_the_platform_allows() -> None:
    assert len(MODULE.read_bytes()) <= 256_000 * 11 // 20


@pytest.mark.parametrize("measured", ORDINARY, ids=str)
def test_an_ordinary_cart_takes_at_most_four_tenths_of_each_limit(measured: Measured) -> None:
    assert max(measure(measured).values()) <= 0.4


@pytest.mark.parametrize("measured", [*VALID, *HOSTILE], ids=str)
def test_no_cart_takes_more_than_seven_tenths_of_a_limit(measured: Measured) -> None:
    """No cart uses more than seven tenths of any limit, except the limits in bytes.

    The limits in bytes may be used up, because the function does not control the size of its input, and fills its output with as
    many bundles as fit."""
    used = measure(measured)
    assert max(used.pop("input"), used.pop("output")) <= 1
    assert max(used.values()) <= 0.7


@pytest.mark.parametrize("measured", [*VALID, *HOSTILE], ids=str)
def test_every_byte_of_large_carts_is_the_simulators(measured: Measured) -> None:
    given = function_input(measured.cart(), measured.export)
    run = run_module(measured.export, encoded(given))
    assert (run.output, run.log) == expected(measured.export, given)


@pytest.mark.parametrize("plan", [False, True])
def test_ten_bundles_of_ten_variants_are_always_discounted(plan: bool) -> None:
    assert most_discounted(10, plan=plan) >= 10
    assert most_discounted(10, 3, plan=plan) >= 10


def test_the_key_of_the_last_bundle_is_tried_first() -> None:
    """The key that decrypted the previous discount string is tried first, so that only the first of ten discount strings is tried
    with all three keys."""
    cart = mixed_cart(6, 10)
    used = [run_module(MERGE, encoded(function_input(with_keys(cart, keys)))).instructions for keys in (1, 3)]
    assert used[1] - used[0] < 250_000


def test_bundles_of_two_keys_are_merged_in_one_cart() -> None:
    whole, old = sized_cart(1, bundles=5), sized_cart(1, bundles=2)
    entries = json.loads(whole.bundles or "") | json.loads(old.bundles or "")
    keys = [key for cart in (whole, old) for key in cast("list[str]", (cart.config or {})["keys"])]

    assert len(run_cart(replace(whole, bundles=json.dumps(entries), config={"shop": "demo", "keys": keys}))) == 5


def test_bundles_beyond_the_budget_are_left_at_full_price() -> None:
    """Bundles beyond the budget are left at full price: of sixty bundles of three variants, sixteen are merged."""
    run = run_module(MERGE, encoded(function_input(sized_cart(3, bundles=60))))

    assert len(json.loads(run.output)["operations"]) == 16
    assert run.log.startswith(b"no discount: 9007199254740016 budget_spent, 9007199254740017 budget_spent, ")
    assert run.log.endswith(b", and more\n")


def test_an_attribute_beyond_the_budget_is_not_read() -> None:
    cart = sized_cart(1)
    assert cart.bundles

    def padded(numbers: int) -> Cart:
        return replace(cart, bundles=f'{(cart.bundles or "")[:-1]},"x":[{"1," * numbers}1]}}')

    assert len(run_cart(padded(9_000))) == 1
    assert refusals(padded(11_000)) == [f"{FIRST_CONFIGURED} attribute_too_large"]


def test_bundles_that_fit_into_the_output_are_merged() -> None:
    """Bundles that fit into the output are merged: nine bundles of twenty variants fit, and a tenth does not."""
    run = run_module(MERGE, encoded(function_input(sized_cart(20, bundles=10))))

    result = checked_result(json.loads(run.output))

    assert len(result["operations"]) == 9
    assert run.log == b"no discount: %d output_full\n" % (FIRST_CONFIGURED + 9)


@pytest.mark.parametrize("plan", [False, True])
def test_a_bundle_of_all_lines_of_a_cart_is_discounted(plan: bool) -> None:
    assert most_discounted(200, 3, plan=plan) == 1


def test_a_bundle_after_one_that_does_not_fit_is_merged() -> None:
    large = sized_cart(3)
    title = {
        configured: entry | {"title": "x" * 30_000} for configured, entry in json.loads(large.bundles or "").items()
    }
    assert run_cart(Cart(large.lines, json.dumps(title), large.config)) == []
    assert len(run_cart(large)) == 1


def test_a_large_bundle_with_a_plan_is_discounted_as_a_whole() -> None:
    """A large bundle with a selling plan gets a single discount for all its lines, because separate discounts for 150 lines would
    not fit into the output."""
    cart = sized_cart(150, selling_plan=True)

    [operation] = run_cart(cart, DISCOUNT)

    [candidate] = operation["productDiscountsAdd"]["candidates"]
    assert len(candidate["targets"]) == 150
    assert candidate["value"] == {"fixedAmount": {"amount": "150.00"}}


@EXPORTS
def test_too_much_input_is_refused(export: str) -> None:
    run = run_module(export, b" " * 2_000_000)
    assert (run.output, run.log) == (b'{"operations":[]}', b"no discount: input_too_large\n")


@EXPORTS
@pytest.mark.parametrize(
    "deep", [b"[" * 100_000, b'{"cart":' * 50_000, b'{"x":' + b"[" * 200_000 + b"]" * 200_000 + b"}"]
)
def test_nesting_does_not_exhaust_the_stack(export: str, deep: bytes) -> None:
    run = run_module(export, deep)
    assert (run.output, run.log) == (b'{"operations":[]}', b"no discount: input_unreadable\n")
