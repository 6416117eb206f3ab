"""Errors about orders: the faults that make an order, or a request for a refund quote, invalid."""

from bundlesvc.domain.errors import IdempotencyKeyReused, InvalidRequest


class OrderInvalid(InvalidRequest):
    code = "order_invalid"
    fault_codes = (
        "duplicate_line",
        "unknown_line",
        "negative_amount",
        "charge_without_units",
        "too_much",
        "too_many_units",
        "too_large",
        "rate_required",
        "rate_not_one",
        "other_shop",
    )
    message = "The order contradicts itself or the shop. Nothing was stored."


class RefundInvalid(InvalidRequest):
    code = "refund_invalid"
    fault_codes = ("unknown_line", "too_many_units", "bundle_unknown")
    message = "These lines cannot come back."


class OrderVersionReused(IdempotencyKeyReused):
    code = "order_version_reused"
    message = "This version of the order was sent before with other content. Send a change with a higher version."
