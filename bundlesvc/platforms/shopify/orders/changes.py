"""The changes to an order after the purchase (edits, returns and refunds), according to the order's sales agreements.

Each change adds to the order an agreement that lists, line by line, what the change added or removed. All agreements together add
up to the current order.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.order import Edit, Refund
from bundlesvc.platforms.shopify.client.admin_session import AdminSession
from bundlesvc.platforms.shopify.client.graphql import amount, next_cursor, number_of

Node = Mapping[str, Any]

PURCHASE, EDIT = "ORDER", "ORDER_EDIT"
COMING_BACK = ("REFUND", "RETURN")
_RETURN, _UPDATE = "RETURN", "UPDATE"


@dataclass(frozen=True, slots=True)
class Agreement:
    """A sales agreement of an order: the reason for the agreement, and the cursor of the previous one, which is None for the
    first agreement."""

    reason: str
    after: str | None


@dataclass(frozen=True, slots=True)
class Purchase:
    """The original purchase of a line. Amounts are in minor units, after discounts, and include tax if the line's price does."""

    quantity: int = 0
    amount: int = 0
    tax: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes to an order. `purchases` maps each line to its purchase; it is None when the order was never edited."""

    purchases: Mapping[str, Purchase] | None = None
    edits: tuple[Edit, ...] = ()
    refunds: tuple[Refund, ...] = ()


@dataclass(slots=True)
class _Sum:
    """The sum of the sales of one line in one agreement."""

    quantity: int = 0
    amount: int = 0
    tax: int = 0


@dataclass(slots=True)
class _Sales:
    """The sales in one agreement, summed for each line of the order, and the id of the refund that belongs to the agreement."""

    lines: dict[str, _Sum] = field(default_factory=lambda: defaultdict(_Sum))
    refund: str | None = None


async def read_changes(
    session: AdminSession, order: str, head: Node, agreements: Sequence[Agreement], currency: str
) -> Changes:
    """Read the changes to the order with this global id. An order that has not changed since its purchase needs no call."""
    purchases, edits, refunds = dict[str, Purchase](), list[Edit](), list[Refund]()
    for agreement in agreements:
        if agreement.reason == PURCHASE and not head["edited"]:
            continue
        sales = await _sales(session, order, agreement, currency, tax_included=head["taxesIncluded"])
        if agreement.reason == PURCHASE:
            purchases |= {line: Purchase(each.quantity, each.amount, each.tax) for line, each in sales.lines.items()}
        elif agreement.reason in COMING_BACK:
            refunds += _refunds(sales, await _restocked(session, sales.refund))
        else:
            edits += _edits(sales)
    return Changes(purchases if head["edited"] else None, tuple(edits), tuple(refunds))


def _edits(sales: _Sales) -> Iterator[Edit]:
    for line, each in sales.lines.items():
        if each.quantity or each.amount or each.tax:
            yield Edit(line, each.quantity, each.amount, each.tax)


def _refunds(sales: _Sales, restocked: Iterable[str]) -> Iterator[Refund]:
    for line, each in sales.lines.items():
        if each.quantity or each.amount or each.tax:
            yield Refund(line, -each.quantity, -each.amount, -each.tax, line in restocked)


async def _sales(
    session: AdminSession, order: str, agreement: Agreement, currency: str, *, tax_included: bool
) -> _Sales:
    found = _Sales()
    more, cursor = True, None
    while more:
        data = await session.run("order_sales", id=order, agreement=agreement.after, after=cursor)
        with session.reading():
            for node in data["order"]["agreements"]["nodes"]:
                found.refund = node["refund"]["id"] if node.get("refund") else found.refund
                _add(found, node["sales"]["nodes"], currency, tax_included=tax_included)
                cursor = next_cursor(node["sales"])
            more = cursor is not None
    return found


def _add(found: _Sales, nodes: Iterable[Node], currency: str, *, tax_included: bool) -> None:
    """Add the product sales in `nodes` to `found`, by order line. Shipping and adjustments belong to no line, and are skipped."""
    for node in nodes:
        if node.get("lineItem") is None:
            continue
        line = found.lines[str(number_of(node["lineItem"]["id"]))]
        sign = -1 if node["actionType"] == _RETURN else 1
        total, tax = _units(node["totalAmount"], currency), _units(node["totalTaxAmount"], currency)
        if sign < 0:
            total, tax = abs(total), abs(tax)
        line.quantity += 0 if node["actionType"] == _UPDATE else sign * abs(node["quantity"] or 0)
        line.amount += sign * (total if tax_included else total - tax)
        line.tax += sign * tax


async def _restocked(session: AdminSession, refund: str | None) -> frozenset[str]:
    """Fetch the ids of the lines whose units a refund restocked."""
    found: set[str] = set()
    more, cursor = refund is not None, None
    while more:
        data = await session.run("refund_lines", id=refund, after=cursor)
        with session.reading():
            lines = data["refund"] or {"refundLineItems": {"nodes": [], "pageInfo": {"hasNextPage": False}}}
            page = lines["refundLineItems"]
            found.update(str(number_of(node["lineItem"]["id"])) for node in page["nodes"] if node["restocked"])
            cursor = next_cursor(page)
            more = cursor is not None
    return frozenset(found)


def _units(bag: Node, currency: str) -> int:
    return presentment_units(amount(bag["presentmentMoney"]["amount"]), currency)
