"""Carts as the shoppers filled them, before any function runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from uuid import uuid4

_line_numbers: Iterator[int] = count(1)


@dataclass(eq=False)
class CartLine:
    """Units of a variant. `attributes` and `plan_id` distinguish the line from other lines of the same variant."""

    variant_id: int
    quantity: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    plan_id: int | None = None
    number: int = field(default_factory=lambda: next(_line_numbers))

    def is_like(self, other: "CartLine") -> bool:
        own = (self.variant_id, dict(self.attributes), self.plan_id)
        return own == (other.variant_id, dict(other.attributes), other.plan_id)


@dataclass(eq=False)
class Cart:
    """A shopper's cart. Changes require both its token and its key; the token alone is enough for the checkout."""

    token: str = field(default_factory=lambda: uuid4().hex)
    key: str = field(default_factory=lambda: uuid4().hex)
    lines: list[CartLine] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    country: str | None = None

    def add(self, line: CartLine) -> None:
        """Add the units to an identical line if there is one. Otherwise append the line."""
        same = next((other for other in self.lines if other.is_like(line)), None)
        if same is None:
            self.lines.append(line)
        else:
            same.quantity += line.quantity

    def line(self, number: int | None) -> CartLine | None:
        return next((line for line in self.lines if line.number == number), None)
