"""The cart-transform step: which bundles are merged, with which percentage discount, and why a discount does not apply."""

import pytest

from tests.domain.cart_cases import CartVector, evaluate, read_cart_vectors

CART_VECTORS = read_cart_vectors()


@pytest.mark.parametrize("vector", CART_VECTORS, ids=lambda vector: f"{vector.chapter}: {vector.name}")
def test_every_vector(vector: CartVector) -> None:
    assert evaluate(vector) == vector.expected
