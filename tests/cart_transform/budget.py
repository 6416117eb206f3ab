"""A second implementation of the compiled function's budget. It determines which bundles stay at full price, so that no cart
exceeds the platform's instruction limit."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.fernet import Fernet

from bundlesvc.domain.checkout.cart import BundlesAttribute
from bundlesvc.domain.checkout.cart_bundles import CartBundle
from bundlesvc.domain.checkout.no_discount import NoDiscount
from tests.cart_transform.tokens import is_token, open_token

INSTRUCTIONS, LINES = 7_700_000, 200
"""Our instruction budget, seventy percent of the platform's limit, for carts of up to LINES lines. For larger carts, the budget
grows in proportion to the number of lines."""
PIECE = 32


@dataclass
class Budget:
    """The number of instructions left."""

    left: int

    def take(self, amount: int) -> bool:
        """Spend an amount, and return True. If less than the amount is left, spend nothing, and return False."""
        if amount > self.left:
            return False
        self.left -= amount
        return True


def scaled(limit: int, lines: int) -> int:
    """Scale a limit for carts of up to LINES lines to a cart of any size."""
    return limit * max(LINES, lines) // LINES


def input_budget(input_: bytes, lines: int, keys: int, bundles: int) -> Budget:
    """The budget that is left after the input has been read."""
    pieces = sum(not input_[index : index + PIECE].isascii() for index in range(0, len(input_), PIECE))
    of_text = 14 * len(input_) + 1_250 * pieces + 80 * _escapes(input_)
    cost = of_text + 2_500 * lines + 18_000 * keys + 3_500 * bundles
    return Budget(max(scaled(INSTRUCTIONS, lines) - cost, 0))


def attribute_cost(attribute: str) -> int:
    """Return the number of instructions needed to read the `_bundles` attribute, which is a string in the input."""
    text, raw = attribute.encode(), json.dumps(attribute, ensure_ascii=False).encode()[1:-1]
    values = len(re.findall(rb"[\[{,]", re.sub(rb'"(?:[^"\\]|\\.)*"', b"", text)))
    return 15 * len(raw) + 700 * values + 250 * (_escapes(raw) + _escapes(text))


def _escapes(text: bytes) -> int:
    return len(re.findall(rb"\\.", text))


class Checks:
    """Checks whether the budget covers a cart's bundles, one after the other."""

    def __init__(self, budget: Budget, attribute: str, keys: Sequence[Fernet]) -> None:
        self._budget = budget
        self._bundles = BundlesAttribute.read(attribute)
        self._keys = list(keys)
        self._last = self._keys[:1]
        readable = bool(attribute) and self._bundles.entries is not None
        self._is_too_large = readable and not budget.take(attribute_cost(attribute))

    def refusal(self, bundle: CartBundle) -> str | None:
        """Return the reason why the budget does not cover a bundle, or None."""
        if self._is_too_large:
            return "attribute_too_large"
        try:
            discount = self._bundles.entry(bundle.configured_id).discount
        except NoDiscount:
            return None
        return None if self._covers(discount, len(bundle.lines) + len(bundle.fees)) else "budget_spent"

    def _covers(self, token: str, lines: int) -> bool:
        """Spend the cost of a bundle, and return whether the budget covers it. The key that decrypted the last token is tried
        first."""
        size = len(token.encode())
        if not self._budget.take(15_000 + 100 * size + 5_500 * lines):
            return False
        others = [key for key in self._keys if key not in self._last]
        for key in [*self._last, *others] if is_token(token) else ():
            if not self._budget.take(18_000 + 85 * size):
                return False
            if open_token(token, [key]) is not None:
                self._last = [key]
                break
        return True
