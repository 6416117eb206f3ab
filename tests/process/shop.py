"""The shop file of these tests (`shop.yaml`), and names for the ids in it."""

from pathlib import Path

SHOP = Path(__file__).with_name("shop.yaml")

SHIRT, MUG, GIFT_BOX, PAIR_PRODUCT = 111, 222, 900, 901
SCARCE_SHIRT, SHIRT_M, PLAIN_MUG = 1001, 1002, 2001
"""Variants. Five units of the first are in stock; the stock of the others is not tracked."""

BOX, PAIR, UNPUBLISHED = 42, 43, 44
"""A native bundle, a bundle that is sold as ghost variants, and one that only test keys can see."""

BOX_VARIANT = 9001
