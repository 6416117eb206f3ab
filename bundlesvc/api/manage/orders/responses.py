"""The response schemas for orders in the management API."""

from typing import Any

from marshmallow import fields
from marshmallow.validate import OneOf, Regexp

from bundlesvc.api.responses.fields import ResponseSchema, described, flag, many, number, platform_id, text
from bundlesvc.domain.orders.judged import RESULTS
from bundlesvc.domain.orders.refunds.refund_quote import POLICIES
from bundlesvc.domain.orders.verdict import CAUSES, DELIVERIES, OUTCOMES

_AMOUNT = Regexp(r"^-?[0-9]+(\.[0-9]+)?$")


def _amount(description: str, example: str, **options: Any) -> fields.String:
    """Define a field for an amount with all decimal places of the order's currency. Differences may be negative."""
    return text(description, example, validate=_AMOUNT, **options)


def _optional_text(description: str, example: str | None) -> fields.String:
    return fields.String(required=True, allow_none=True, metadata=described(description, example))


class VerdictSchema(ResponseSchema):
    """The verdict on a bundle in an order."""

    configuredBundleId = number("The id of the configured bundle.", 7001)
    bundleId = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The id of the bundle; null when the promise is not known.", 101),
    )
    verdict = text("The outcome of comparing the charge with the promise.", "differs", validate=OneOf(OUTCOMES))
    cause = fields.String(
        required=True,
        allow_none=True,
        validate=OneOf((*CAUSES, None)),
        metadata=described("The cause of the difference; null when `verdict` is not `differs`.", "other_discount"),
    )
    reason = _optional_text("The reason for which the checkout function refused the discount, otherwise null.", None)
    message = _optional_text("The cause as a human-readable message, otherwise null.", CAUSES["other_discount"])
    promised = _amount("The promised amount; null when the promise is not known.", "20.00", allow_none=True)
    charged = _amount("The amount charged for the bundle's lines, after edits and before refunds.", "19.50")
    difference = _amount("`charged` minus `promised`; negative when less was charged.", "-0.50", allow_none=True)
    delivery = fields.String(
        required=True,
        allow_none=True,
        validate=OneOf((*DELIVERIES, None)),
        metadata=described("Which delivery of a subscription this was; null for a one-time purchase.", "first"),
    )
    lines = fields.List(
        fields.String(), required=True, metadata=described("The ids of the bundle's lines.", ["1", "2"])
    )


class OrderSummarySchema(ResponseSchema):
    """An order with its verdicts. Amounts have the decimal places of the order's currency."""

    id = text("Order ID.", "1001")
    version = number("The version of the order.")
    name = text("The display name of the order.", "#1001")
    placedAt = text("The time at which the order was placed, ISO 8601, UTC.", "2026-11-23T10:00:00Z")
    currency = text("The currency of the order, ISO 4217.", "EUR")
    countryCode = _optional_text("The buyer's country.", "DE")
    test = flag("Whether the order is a test order.", example=False)
    cancelled = flag("Whether the order was cancelled.", example=False)
    bundles = many(VerdictSchema, "The verdict on each bundle of the order.")


class TakenSchema(ResponseSchema):
    """The outcome of sending an order."""

    result = text(
        "`stored`, `unchanged` (this version was already stored), `outdated` (a higher version was already stored), or "
        "`without_bundle`.",
        "stored",
        validate=OneOf(RESULTS),
    )
    order = fields.Nested(
        OrderSummarySchema, required=True, metadata={"description": "The order in the version that was sent."}
    )


class DiscountBodySchema(ResponseSchema):
    """A discount on a line."""

    kind = text("The kind of discount; `bundle` for the bundle's own discount.", "bundle")
    title = text("The title of the discount.", "Gift box")
    amount = _amount("The amount taken off the line.", "4.00")


class OrderLineSchema(ResponseSchema):
    """A line of an order."""

    id = text("Line ID.", "1")
    variant = platform_id("The id of the variant.", "11001")
    quantity = number("The number of units at the time of purchase.", 2)
    unitPrice = _amount("The price of one unit, before all discounts.", "10.00")
    listed = _amount("The price of all units, before all discounts.", "20.00")
    charged = _amount("The amount charged for all units at the time of purchase.", "16.00")
    tax = _amount("The tax on the line.", "2.55")
    revenue = _amount(
        "The line's share of the charge for its bundle, in proportion to the prices before discounts.", "16.00"
    )
    discounts = many(DiscountBodySchema, "The discounts on the line.")
    configuredBundleId = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The id of the configured bundle that the line belongs to.", 7001),
    )
    group = _optional_text("An id shared by the lines that the checkout merged into one.", None)
    sellingPlan = _optional_text("The selling plan of the line.", None)
    contract = _optional_text("The subscription contract that the line belongs to.", None)


class EditBodySchema(ResponseSchema):
    """A change to a line after the purchase."""

    line = text("Line ID.", "1")
    quantity = number("The change in the number of units.", -1)
    amount = _amount("The change in the charge.", "-8.00")
    tax = _amount("The change in the tax.", "-1.28")


class RefundBodySchema(ResponseSchema):
    """A refund for a line."""

    line = text("Line ID.", "1")
    quantity = number("The number of units returned.", 1)
    amount = _amount("The amount refunded to the shopper.", "8.00")
    tax = _amount("The tax on the refunded amount.", "1.28")
    restocked = flag("Whether the units were put back into stock.")


class OrderBodySchema(OrderSummarySchema):
    """An order with all its lines, edits and refunds."""

    rate = text("The exchange rate: units of the order's currency per unit of the shop's currency.", "1")
    visitorId = _optional_text("The id of the visitor in A/B tests.", None)
    lines = many(OrderLineSchema, "All lines of the order.")
    edits = many(EditBodySchema, "The changes to lines after the purchase.")
    refunds = many(RefundBodySchema, "The refunds for the order, line by line.")


class QuotedLineSchema(ResponseSchema):
    """The quoted refund for a line."""

    line = text("Line ID.", "1")
    quantity = number("The number of units being returned now; 0 for a line whose units were all returned earlier.", 1)
    amount = _amount("The refund for the line, based on what was charged for it.", "8.00")
    tax = _amount("The tax on the refund, as it was originally charged.", "1.28")


class RefundQuoteBodySchema(ResponseSchema):
    """A refund quote."""

    policy = text("The refund policy that determined the amounts.", POLICIES[0], validate=OneOf(POLICIES))
    currency = text("The currency of the order, ISO 4217.", "EUR")
    amount = _amount("The total refund for all lines.", "8.00")
    tax = _amount("The total tax on the refund.", "1.28")
    lines = many(QuotedLineSchema, "The refund for each line.")
