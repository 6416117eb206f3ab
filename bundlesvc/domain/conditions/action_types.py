"""The table of action types, one row per type (docs/contract.md#conditions). `Graph.evaluate` applies their effects."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ActionType:
    """One type of action: its `name` in shop files, and what it can change for a shopper.

    `changes_price`: it can change the price of the selection. `decides`: it can change the price, or whether the selection can be
    configured. `has_text`: it shows text, which can be translated."""

    name: str
    changes_price: bool = False
    decides: bool = True
    has_text: bool = False


DISCOUNT = ActionType("discount", changes_price=True)
FREE_ITEM = ActionType("free-item", changes_price=True)
MESSAGE = ActionType("message", decides=False, has_text=True)
HIDE_SECTION = ActionType("hide-section")
HIDE_PRODUCT = ActionType("hide-product")
GOTO_SECTION = ActionType("goto-section", decides=False)
BLOCK_CART = ActionType("block-cart", has_text=True)

ACTION_TYPES: Mapping[str, ActionType] = {
    row.name: row for row in (DISCOUNT, FREE_ITEM, MESSAGE, HIDE_SECTION, HIDE_PRODUCT, GOTO_SECTION, BLOCK_CART)
}
