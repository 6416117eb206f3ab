"""The value of returned units of an order, under one of three policies (docs/orders.md#refunds).

The policies differ only in how they value the units that the shopper keeps. The refund is the price of the whole bundle minus
this value and minus earlier refunds. Therefore, when everything is returned, the quotes add up to the charge, whatever the
sequence of returns.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.domain.errors import Fault
from bundlesvc.domain.money import allocate, first_units
from bundlesvc.domain.orders.order import Order, OrderLine
from bundlesvc.domain.orders.refusals import RefundInvalid
from bundlesvc.domain.orders.standing import StandingLine, standing_lines

PROPORTIONAL, KEEP_RULES, REMAINDER_FULL = "proportional", "keep-rules", "remainder-full"

POLICIES = (PROPORTIONAL, KEEP_RULES, REMAINDER_FULL)

PriceAsBundle = Callable[[int, Mapping[str, int]], int]
"""A function that returns the price of the remaining units of a configured bundle, in minor units. It takes the bundle's id and
the number of units of each line."""


@dataclass(frozen=True, slots=True)
class QuotedLine:
    """The refund for a line: the `quantity` of units now returned, the `amount` in minor units as it was charged (including tax,
    where prices include it), and the `tax` charged on the amount. The quantity is 0 for a line whose units were all returned
    earlier."""

    line_id: str
    quantity: int
    amount: int
    tax: int


@dataclass(frozen=True, slots=True)
class _State:
    """The current state of an order line, including the units now being returned."""

    now: StandingLine
    returning: int

    @property
    def line(self) -> OrderLine:
        return self.now.line

    @property
    def staying(self) -> int:
        """The number of units that the shopper keeps."""
        return self.now.units - self.now.returned - self.returning

    @property
    def returned_value(self) -> int:
        """The part of the line's charge that belongs to the units returned earlier or now."""
        units = self.now.units
        return first_units(self.now.charged, units - self.staying, units) if units else 0

    @property
    def headroom(self) -> int:
        """The part of `returned_value` that has not been refunded yet."""
        return max(self.returned_value - self.now.refunded, 0)

    def tax_of(self, amount: int) -> int:
        """Return the tax on the first `amount` of the line's charge, such that this tax and the tax on the remaining charge add
        up to the tax on the line."""
        return allocate(self.now.tax, [amount, self.now.charged - amount])[0]


def refund_quote(
    order: Order, returns: Mapping[str, int], policy: str, price_as_bundle: PriceAsBundle
) -> tuple[QuotedLine, ...]:
    """Return the refund for returned units, line by line. Each bundle of the order is settled separately. For fees, and for lines
    without a bundle, the refund is the charge. Raises RefundInvalid with every fault."""
    states = _states(order, returns)
    quoted = [
        line
        for configured_id, group in _groups(states)
        for line in _settled(configured_id, group, policy, price_as_bundle)
    ]
    indexes = {line.id: index for index, line in enumerate(order.lines)}
    return tuple(sorted(quoted, key=lambda line: indexes[line.line_id]))


def staying_units(order: Order, returns: Mapping[str, int]) -> dict[int, dict[str, int]]:
    """Return the units that the shopper keeps, by line, for each configured bundle that is returned in part but not in full.
    Raises RefundInvalid."""
    groups = _groups(_states(order, returns))
    return {
        configured_id: staying
        for configured_id, group in groups
        if configured_id is not None and any(state.returning for state in group) and (staying := _staying(group))
    }


def _settled(
    configured_id: int | None, group: Sequence[_State], policy: str, price_as_bundle: PriceAsBundle
) -> list[QuotedLine]:
    if not any(state.returning for state in group):
        return []
    charged = sum(state.now.charged for state in group)
    stays = _worth(configured_id, group, policy, price_as_bundle)
    due = min(max(charged - stays, 0), sum(state.returned_value for state in group))
    headroom = [state.headroom for state in group]
    now = min(max(due - sum(state.now.refunded for state in group), 0), sum(headroom))
    shares = allocate(now, headroom)
    return [
        QuotedLine(
            state.line.id,
            state.returning,
            share,
            state.tax_of(state.now.refunded + share) - state.tax_of(state.now.refunded),
        )
        for state, share in zip(group, shares, strict=True)
        if state.returning or share
    ]


def _worth(configured_id: int | None, group: Sequence[_State], policy: str, price_as_bundle: PriceAsBundle) -> int:
    """Return the value, under a policy, of the units that the shopper keeps."""
    if configured_id is None or policy == PROPORTIONAL:
        return sum(state.now.charged - state.returned_value for state in group)
    if policy == REMAINDER_FULL:
        return sum(state.line.unit_price * state.staying for state in group)
    staying = _staying(group)
    return price_as_bundle(configured_id, staying) if staying else 0


def _staying(group: Sequence[_State]) -> dict[str, int]:
    return {state.line.id: state.staying for state in group if state.staying}


def _groups(states: Sequence[_State]) -> list[tuple[int | None, list[_State]]]:
    """Group the lines of each configured bundle; every other line forms a group of its own."""
    bundles: dict[int, list[_State]] = {}
    alone: list[tuple[int | None, list[_State]]] = []
    for state in states:
        mark = state.line.bundle_data
        if mark is None:
            alone.append((None, [state]))
        else:
            bundles.setdefault(mark.configured_id, []).append(state)
    return [*bundles.items(), *alone]


def _states(order: Order, returns: Mapping[str, int]) -> list[_State]:
    states = [_State(now, returns.get(now.line.id, 0)) for now in standing_lines(order)]
    by_id = {state.line.id: state for state in states}
    faults = [fault for index, id_ in enumerate(returns) if (fault := _fault(index, id_, by_id.get(id_)))]
    if faults:
        raise RefundInvalid(faults)
    return states


def _fault(index: int, line_id: str, state: _State | None) -> Fault | None:
    if state is None:
        return Fault(f"lines.{index}.line", "unknown_line", f"The order has no line {line_id}.")
    if state.staying < 0:
        left = state.staying + state.returning
        return Fault(f"lines.{index}.quantity", "too_many_units", f"Only {left} of line {line_id} can be returned.")
    return None
