"""What the platform asks of a function: its schema, the size of query, input and output, and a sandbox with nothing in it."""

import json

import pytest
from graphql import FieldNode, Node, SelectionSetNode, validate

from tests.cart_transform.carts import QUERY, checked_result, input_query, step_input
from tests.cart_transform.sandbox import QUICKJS, V8, Sandbox
from tests.cart_transform.sizes import sized_cart
from tests.platform_schema import cart_transform_schema

LARGEST_QUERY = 3_000
DEAREST_QUERY = 30
LARGEST_INPUT = 128_000
LARGEST_OUTPUT = 20_000
"""Bytes; input and output for carts of up to 200 lines, in proportion above."""
METAFIELD = 3
"""What a metafield costs; each other leaf costs 1."""

HOST_GLOBALS = (
    "Buffer TextDecoder TextEncoder URL atob btoa crypto fetch performance process require setTimeout".split()
)


def test_the_input_query_is_valid() -> None:
    assert validate(cart_transform_schema(), input_query()) == []


def test_the_input_query_is_small_and_cheap() -> None:
    assert len(QUERY.read_bytes()) <= LARGEST_QUERY
    [operation] = input_query().definitions
    cost = _cost(operation)
    assert cost <= DEAREST_QUERY
    assert f"Its cost is {cost} of the {DEAREST_QUERY} " in QUERY.read_text("utf-8")


def _cost(node: Node) -> int:
    """Of an operation, a fragment or a field."""
    name = node.name.value if isinstance(node, FieldNode) else ""
    if name == "metafield":
        return METAFIELD
    selected: SelectionSetNode | None = getattr(node, "selection_set", None)
    if selected:
        return sum(map(_cost, selected.selections))
    return 0 if name == "__typename" else 1


@pytest.mark.parametrize("engine", [QUICKJS, V8])
def test_it_runs_where_nothing_but_the_language_is(sandbox: Sandbox, engine: str) -> None:
    cart = sized_cart(3)

    assert sandbox.call("globals", HOST_GLOBALS, engine) == []
    result = checked_result(sandbox.call("cartTransformRun", step_input(cart), engine))

    [operation] = result["operations"]
    assert operation["linesMerge"]["price"] == {"percentageDecrease": {"value": "10"}}


@pytest.mark.parametrize(("distinct", "bundles"), [(200, 1), (100, 2), (33, 6)])
def test_what_fits_into_input_and_output(sandbox: Sandbox, distinct: int, bundles: int) -> None:
    """The largest selection there is; and some 200 lines in six bundles. The output is what is scarce."""
    input_ = step_input(sized_cart(distinct, bundles=bundles))
    result = sandbox.call("cartTransformRun", input_, V8)

    assert len(result["operations"]) == bundles
    assert len(_compact(input_)) <= LARGEST_INPUT
    assert len(_compact(result)) <= LARGEST_OUTPUT


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
