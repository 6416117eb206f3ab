"""The current state of an order's lines: after all edits, with the units that were returned and the amounts that were
refunded."""

from collections import defaultdict
from dataclasses import dataclass

from bundlesvc.domain.orders.order import Edit, Order, OrderLine, Refund


@dataclass(frozen=True, slots=True)
class StandingLine:
    """An order line with its units, charge and tax after all edits, and with the units, amount and tax that were returned or
    refunded. Amounts are in minor units."""

    line: OrderLine
    units: int
    charged: int
    tax: int
    returned: int
    refunded: int
    refunded_tax: int


def standing_lines(order: Order) -> list[StandingLine]:
    """Return the current state of all lines of an order, in their original sequence."""
    edits: dict[str, list[Edit]] = defaultdict(list)
    refunds: dict[str, list[Refund]] = defaultdict(list)
    for edit in order.edits:
        edits[edit.line_id].append(edit)
    for refund in order.refunds:
        refunds[refund.line_id].append(refund)
    return [_standing(line, edits[line.id], refunds[line.id]) for line in order.lines]


def _standing(line: OrderLine, edits: list[Edit], refunds: list[Refund]) -> StandingLine:
    return StandingLine(
        line,
        line.quantity + sum(edit.quantity for edit in edits),
        line.charged + sum(edit.amount for edit in edits),
        line.tax + sum(edit.tax for edit in edits),
        sum(refund.quantity for refund in refunds),
        sum(refund.amount for refund in refunds),
        sum(refund.tax for refund in refunds),
    )
