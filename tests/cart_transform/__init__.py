"""Tests of the cart-transform step in docs/cart-transform: it runs bundled, in engines that have nothing but the language."""
