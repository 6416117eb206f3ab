"""Orders of a shop: the charge at checkout, and every later change, with its sales agreement.

The platform does not document how it reports the lines of a merged bundle. Here the lines' prices are reduced by the bundle's
discount, which is distributed in proportion to the lines' full prices. With `Shop.states_merged_discounts`, the lines have their
full prices and a separate discount.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count

from bundlesvc.domain.money import (
    HUNDRED,
    ZERO,
    allocate,
    from_presentment_units,
    presentment_units,
    round_presentment,
)

PURCHASE, EDIT, REFUND = "ORDER", "ORDER_EDIT", "REFUND"
AUTOMATIC, CODE = "AutomaticDiscountApplication", "DiscountCodeApplication"

_numbers: Iterator[int] = count(7_000_000)


@dataclass(frozen=True)
class Allocation:
    """The amount by which a discount reduces the price of a line. `kind` is the type of the discount application."""

    kind: str
    title: str
    amount: Decimal


@dataclass(frozen=True)
class Group:
    """A merged bundle in an order."""

    title: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    variant_id: int | None = None
    number: int = field(default_factory=lambda: next(_numbers))


@dataclass(eq=False)
class OrderedLine:
    """A line of an order. `quantity` never decreases: removed units are recorded in the agreements. `total` is the amount before
    `discounts`."""

    variant_id: int | None
    quantity: int
    unit_price: Decimal
    total: Decimal
    attributes: Mapping[str, str] = field(default_factory=dict)
    discounts: Sequence[Allocation] = ()
    tax: Decimal = ZERO
    group: Group | None = None
    plan: tuple[int | None, str] | None = None
    contract: int | None = None
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def charged(self) -> Decimal:
        return self.total - sum((each.amount for each in self.discounts), ZERO)


@dataclass(frozen=True)
class Sale:
    """A change that an agreement made to a line, or to shipping when `line` is None. `amount` is after taxes and discounts."""

    action: str
    line: OrderedLine | None
    quantity: int
    amount: Decimal
    tax: Decimal = ZERO


@dataclass(frozen=True)
class Agreement:
    reason: str
    sales: Sequence[Sale]
    restocked: bool = False
    number: int = field(default_factory=lambda: next(_numbers))


@dataclass(eq=False)
class Order:
    """An order in the buyer's currency. `rate` is the amount of that currency per unit of the shop's currency."""

    currency: str
    home_currency: str
    rate: Decimal
    country: str | None
    lines: list[OrderedLine]
    attributes: Mapping[str, str] = field(default_factory=dict)
    taxes_included: bool = True
    created_at: str = "2026-07-01T00:00:00Z"
    updated_at: str = "2026-07-01T00:00:00Z"
    cancelled_at: str | None = None
    test: bool = False
    edited: bool = False
    agreements: list[Agreement] = field(default_factory=list)
    number: int = field(default_factory=lambda: next(_numbers))

    def __post_init__(self) -> None:
        shipping = Sale("ORDER", None, 1, Decimal("4.90"))
        bought = [
            Sale("ORDER", line, line.quantity, self._taxed(line.charged, line.tax), line.tax) for line in self.lines
        ]
        self.agreements.append(Agreement(PURCHASE, (*bought, shipping)))

    @property
    def total(self) -> Decimal:
        return sum((line.charged for line in self.lines), ZERO)

    def touch(self, seconds: int = 1) -> None:
        moved = datetime.fromisoformat(self.updated_at) + timedelta(seconds=seconds)
        self.updated_at = moved.strftime("%Y-%m-%dT%H:%M:%SZ")

    def edit(self, line: OrderedLine, quantity: int, seconds: int = 1) -> None:
        """Edit the order: add units to a line at its price without discounts, or remove units at the price that was charged."""
        self.edited = True
        if quantity > 0:
            amount = line.unit_price * quantity
            line.quantity += quantity
            line.total += amount
            sale = Sale("ORDER", line, quantity, amount)
        else:
            sale = Sale("RETURN", line, quantity, -self._share(line, -quantity))
        self.agreements.append(Agreement(EDIT, [sale]))
        self.touch(seconds)

    def refund(self, line: OrderedLine, quantity: int, *, restock: bool = True, seconds: int = 1) -> None:
        """Refund units of a line at the price that was charged."""
        amount, tax = self._share(line, quantity), self._rounded(line.tax * quantity / line.quantity)
        goods = Sale("RETURN", line, -quantity, -self._taxed(amount, tax), -tax)
        kept = Sale("RETURN", None, 0, Decimal("1.00"))
        self.agreements.append(Agreement(REFUND, [goods, kept], restocked=restock))
        self.touch(seconds)

    def cancel(self, seconds: int = 1) -> None:
        self.touch(seconds)
        self.cancelled_at = self.updated_at

    def _share(self, line: OrderedLine, quantity: int) -> Decimal:
        return self._rounded(line.charged * quantity / line.quantity)

    def _rounded(self, amount: Decimal) -> Decimal:
        return round_presentment(amount, self.currency)

    def _taxed(self, amount: Decimal, tax: Decimal) -> Decimal:
        return amount if self.taxes_included else amount + tax


def distributed(amount: Decimal, parts: Sequence[Decimal], currency: str) -> list[Decimal]:
    """Distribute an amount among parts in proportion to their full prices."""
    shares = allocate(presentment_units(amount, currency), [presentment_units(part, currency) for part in parts])
    return [from_presentment_units(share, currency) for share in shares]


def with_code(line: OrderedLine, code: str, percentage: int, currency: str) -> OrderedLine:
    """Apply a discount code to a line, on top of its other discounts, and return the line."""
    off = round_presentment(line.charged * percentage / HUNDRED, currency)
    line.discounts = (*line.discounts, Allocation(CODE, code, off))
    return line


def now_text(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
