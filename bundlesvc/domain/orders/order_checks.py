"""Checks that the parts of an order agree with each other and with the shop. Every fault is reported."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from bundlesvc.domain.errors import Fault
from bundlesvc.domain.orders.order import Edit, Order, Refund
from bundlesvc.domain.orders.refusals import OrderInvalid
from bundlesvc.domain.orders.standing import StandingLine, standing_lines

MAX_TOTAL = 10**15
"""The largest total of an order, in minor units."""


def check_order(order: Order, shop_currency: str, further: Iterable[Fault] = ()) -> None:
    """Check that the parts of an order agree with each other and with the shop's currency. Raises OrderInvalid with every fault:
    first the `further` faults, which the caller found, then those found here."""
    references = [*_reference_faults(order)]
    faults = [*further, *_rate_faults(order, shop_currency), *references]
    if not references:
        for index, standing in enumerate(standing_lines(order)):
            faults += _line_faults(f"lines.{index}", standing)
        if sum(max(line.listed, 0) for line in order.lines) + sum(abs(edit.amount) for edit in order.edits) > MAX_TOTAL:
            faults.append(Fault("lines", "too_large", f"The order total is more than {MAX_TOTAL} minor units."))
    if faults:
        raise OrderInvalid(faults)


def missing_rate(currency: str, shop_currency: str) -> Iterator[Fault]:
    """Yield a fault if an order without a rate needs one. Only an order in the shop's currency may omit the rate."""
    if currency != shop_currency:
        message = f"An order in {currency} needs its rate: {currency} per {shop_currency}."
        yield Fault("rate", "rate_required", message)


def lines_of_other_shops(order: Order, foreign: Collection[int]) -> Iterator[Fault]:
    """Yield a fault for each line that belongs to one of the `foreign` configured bundles, which are those of other shops."""
    for index, line in enumerate(order.lines):
        mark = line.bundle_data
        if mark is not None and mark.configured_id in foreign:
            message = (
                f"Configured bundle {mark.configured_id} is another shop's. Send the order with a key of that shop."
            )
            yield Fault(f"lines.{index}.properties", "other_shop", message)


def _rate_faults(order: Order, shop_currency: str) -> Iterator[Fault]:
    if order.currency == shop_currency and order.rate != 1:
        yield Fault("rate", "rate_not_one", f"The order is in the shop's currency {shop_currency}, so the rate is 1.")


def _reference_faults(order: Order) -> Iterator[Fault]:
    counts = Counter(line.id for line in order.lines)
    for index, line in enumerate(order.lines):
        if counts[line.id] > 1:
            yield Fault(
                f"lines.{index}.id", "duplicate_line", f"The order contains line {line.id} {counts[line.id]} times."
            )
    changes: list[tuple[str, int, Edit | Refund]] = [
        *(("edits", index, edit) for index, edit in enumerate(order.edits)),
        *(("refunds", index, refund) for index, refund in enumerate(order.refunds)),
    ]
    for name, index, change in changes:
        if change.line_id not in counts:
            yield Fault(f"{name}.{index}.line", "unknown_line", f"The order has no line {change.line_id}.")


def _line_faults(path: str, now: StandingLine) -> Iterator[Fault]:
    """Yield the faults of a line with its edits and refunds: no amount may fall below zero, and no more may be returned than was
    bought."""
    if now.line.charged < 0:
        yield Fault(f"{path}.discounts", "too_much", "The discounts take off more than the line costs.")
    elif min(now.units, now.charged, now.tax) < 0:
        yield Fault(path, "negative_amount", "After the edits, the line has fewer than 0 units, or a negative amount.")
    elif now.charged and not now.units:
        yield Fault(path, "charge_without_units", "After the edits, the line has a charge, but no units.")
    elif now.returned > now.units:
        yield Fault(path, "too_many_units", "More units of the line were returned than were bought.")
    elif now.refunded > now.charged or now.refunded_tax > now.tax:
        yield Fault(path, "too_much", "More was refunded for the line than was charged.")
