"""Parses request bodies: orders, and lists of returned units."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.money import presentment_exponent
from bundlesvc.domain.orders.order import Edit, LineDiscount, Order, OrderLine, Refund


class SentOrder(NamedTuple):
    """The order in a request body, and its exchange rate if the body contains one."""

    order: Order
    rate: Decimal | None


def sent_order(data: Mapping[str, Any]) -> SentOrder:
    """Build an order from a loaded body. Raises InvalidRequest with a fault for each amount that has too many decimal places for
    its currency."""
    amounts = _Amounts(data["currency"])
    order = Order(
        id=data["id"],
        version=data["version"],
        name=data.get("name") or data["id"],
        placed_at=data["placedAt"],
        currency=data["currency"],
        lines=tuple(_line(amounts, f"lines.{index}", line) for index, line in enumerate(data["lines"])),
        country=data.get("countryCode"),
        test=data.get("test", False),
        cancelled=data.get("cancelled", False),
        visitor_id=data.get("visitorId"),
        bundles=(data.get("attributes") or {}).get("bundles"),
        edits=tuple(
            Edit(edit["line"], edit.get("quantity", 0), *amounts.with_tax(f"edits.{index}", edit))
            for index, edit in enumerate(data.get("edits") or ())
        ),
        refunds=tuple(
            Refund(
                refund["line"],
                refund.get("quantity", 0),
                *amounts.with_tax(f"refunds.{index}", refund),
                restocked=refund.get("restocked", False),
            )
            for index, refund in enumerate(data.get("refunds") or ())
        ),
    )
    rate = data.get("rate")
    if rate is not None and not Decimal(rate):
        amounts.faults.append(Fault("rate", "invalid", "Must be above 0."))
    if amounts.faults:
        raise InvalidRequest(amounts.faults)
    return SentOrder(order, None if rate is None else Decimal(rate))


def returned_units(lines: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of units being returned, by line. Raises InvalidRequest when a line is named twice."""
    units = {line["line"]: line["quantity"] for line in lines}
    if len(units) < len(lines):
        raise InvalidRequest([Fault("lines", "invalid", "Name each line once.")])
    return units


class _Amounts:
    """Converts amounts to whole minor units of a currency, and collects faults."""

    def __init__(self, currency: str) -> None:
        self._currency = currency
        self._exponent = presentment_exponent(currency)
        self.faults: list[Fault] = []

    def read(self, path: str, text: str | None) -> int:
        """Convert an amount to minor units. Returns 0 when it is absent or has too many decimal places."""
        units = Decimal(text or 0).scaleb(self._exponent)
        if units != units.to_integral_value():
            message = f"{self._currency} has {self._exponent} decimal places; this amount has more."
            self.faults.append(Fault(path, "invalid", message))
            return 0
        return int(units)

    def with_tax(self, path: str, change: Mapping[str, Any]) -> tuple[int, int]:
        """Return the amount and the tax of a change."""
        return self.read(f"{path}.amount", change["amount"]), self.read(f"{path}.tax", change.get("tax"))


def _line(amounts: _Amounts, path: str, line: Mapping[str, Any]) -> OrderLine:
    return OrderLine(
        line["id"],
        line["variant"],
        line["quantity"],
        amounts.read(f"{path}.unitPrice", line["unitPrice"]),
        amounts.read(f"{path}.tax", line.get("tax")),
        tuple(
            LineDiscount(
                discount["kind"],
                discount.get("title", ""),
                amounts.read(f"{path}.discounts.{index}.amount", discount["amount"]),
            )
            for index, discount in enumerate(line.get("discounts") or ())
        ),
        line.get("properties") or {},
        line.get("group"),
        line.get("sellingPlan"),
        line.get("contract"),
    )
