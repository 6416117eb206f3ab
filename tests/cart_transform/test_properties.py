"""The compiled function and the checkout simulator agree byte for byte on random carts. `scripts/fuzz-function` tries more
carts."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cart_transform.carts import Cart, checked_result, encoded, function_input
from tests.cart_transform.module import DISCOUNT, MERGE, run_module
from tests.cart_transform.random_carts import carts, random_cart
from tests.cart_transform.reference import expected
from tests.running.properties import examples

EXPORTS = pytest.mark.parametrize("export", [MERGE, DISCOUNT])


@EXPORTS
@examples(100)
@given(cart=carts())
def test_function_and_simulator_agree(export: str, cart: Cart) -> None:
    given_ = function_input(cart, export)

    run = run_module(export, encoded(given_))

    assert (run.output, run.log) == expected(export, given_)
    checked_result(json.loads(run.output), export)


@EXPORTS
@pytest.mark.parametrize("seed", range(3))
def test_they_agree_on_carts_with_more_bundles_than_the_budget_covers(export: str, seed: int) -> None:
    given_ = function_input(random_cart(Random(seed), most=60), export)

    run = run_module(export, encoded(given_))

    assert (run.output, run.log) == expected(export, given_)


@EXPORTS
@examples(100)
@given(text=st.binary(max_size=300))
def test_any_bytes_give_no_operation_and_a_reason(export: str, text: bytes) -> None:
    run = run_module(export, text)

    assert run.output == b'{"operations":[]}'
    assert run.log == b"no discount: input_unreadable\n"


@EXPORTS
@examples(100)
@given(cart=carts(), place=st.integers(0, 2**16), byte=st.binary(max_size=2), length=st.integers(0, 8))
def test_damaged_input_gives_valid_operations(export: str, cart: Cart, place: int, byte: bytes, length: int) -> None:
    whole = encoded(function_input(cart, export))
    place %= len(whole)

    run = run_module(export, whole[:place] + byte + whole[place + length :])

    checked_result(json.loads(run.output), export)
    assert not run.exited
    assert len(run.log) <= 700
    assert run.log.count(b"\n") <= 1
