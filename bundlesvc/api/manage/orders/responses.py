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
    """Define a field for an amount with all decimals of the order's currency. Differences may be negative."""
    return text(description, example, validate=_AMOUNT, **options)


def _optional_text(description: str, example: str | None) -> fields.String:
    return fields.String(required=True, allow_none=True, metadata=described(description, example))


class VerdictSchema(ResponseSchema):
    """The verdict on a bundle in an order."""

    configuredBundleId = number("The configured bundle.", 7001)
    bundleId = fields.Integer(
        required=True, allow_none=True, metadata=described("Null when the promise is not known.", 101)
    )
    verdict = text("The outcome.", "differs", validate=OneOf(OUTCOMES))
    cause = fields.String(
        required=True,
        allow_none=True,
        validate=OneOf((*CAUSES, None)),
        metadata=described("The cause of a difference, else null.", "other_discount"),
    )
    reason = _optional_text("Why the checkout function refused the discount, else null.", None)
    message = _optional_text("The cause as a sentence, else null.", CAUSES["other_discount"])
    promised = _amount("Null when the promise is not known.", "20.00", allow_none=True)
    charged = _amount("What was charged for the bundle's lines, after edits and before refunds.", "19.50")
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
    """An order with its verdicts. Amounts have all decimals of the order's currency."""

    id = text("Order ID.", "1001")
    version = number("The version that is stored.")
    name = text("The order name that people see.", "#1001")
    placedAt = text("UTC.", "2026-11-23T10:00:00Z")
    currency = text("ISO 4217.", "EUR")
    countryCode = _optional_text("The buyer's country.", "DE")
    test = flag("Whether it is a test order.", example=False)
    cancelled = flag("Whether it was cancelled.", example=False)
    bundles = many(VerdictSchema, "The verdict on each bundle.")


class TakenSchema(ResponseSchema):
    """The outcome of sending an order."""

    result = text(
        "`stored`, `unchanged` (this version was already stored), `outdated` (a higher one was), or `without_bundle`.",
        "stored",
        validate=OneOf(RESULTS),
    )
    order = fields.Nested(OrderSummarySchema, required=True, metadata={"description": "The version that was sent."})


class DiscountBodySchema(ResponseSchema):
    """A discount on a line."""

    kind = text("`bundle` for the bundle's own.", "bundle")
    title = text("Its title.", "Gift box")
    amount = _amount("What it took off.", "4.00")


class OrderLineSchema(ResponseSchema):
    """A line of an order."""

    id = text("Line ID.", "1")
    variant = platform_id("The variant.", "11001")
    quantity = number("Units at the time of purchase.", 2)
    unitPrice = _amount("Before all discounts.", "10.00")
    listed = _amount("The price of all units, before all discounts.", "20.00")
    charged = _amount("What was charged for all units at the time of purchase.", "16.00")
    tax = _amount("Tax on the line.", "2.55")
    revenue = _amount("Its share of the bundle's charge, in proportion to the prices before discounts.", "16.00")
    discounts = many(DiscountBodySchema, "The discounts on the line.")
    configuredBundleId = fields.Integer(
        required=True, allow_none=True, metadata=described("The bundle that the line belongs to.", 7001)
    )
    group = _optional_text("The lines that the checkout merged.", None)
    sellingPlan = _optional_text("The selling plan.", None)
    contract = _optional_text("The subscription contract.", None)


class EditBodySchema(ResponseSchema):
    """A change to a line after the purchase."""

    line = text("Line ID.", "1")
    quantity = number("The change in the number of units.", -1)
    amount = _amount("The change in the charge.", "-8.00")
    tax = _amount("The change in the tax.", "-1.28")


class RefundBodySchema(ResponseSchema):
    """A refund for a line."""

    line = text("Line ID.", "1")
    quantity = number("Units that were returned.", 1)
    amount = _amount("What was refunded to the shopper.", "8.00")
    tax = _amount("Tax on it.", "1.28")
    restocked = flag("Whether the units are in stock again.")


class OrderBodySchema(OrderSummarySchema):
    """An order with all its lines, edits and refunds."""

    rate = text("Units of the order's currency per unit of the shop's currency.", "1")
    visitorId = _optional_text("The visitor of an A/B test.", None)
    lines = many(OrderLineSchema, "Every line.")
    edits = many(EditBodySchema, "Changes after the purchase.")
    refunds = many(RefundBodySchema, "The refunds, line by line.")


class QuotedLineSchema(ResponseSchema):
    """The quoted refund for a line."""

    line = text("Line ID.", "1")
    quantity = number("Units being returned now; 0 for a line whose units were all returned earlier.", 1)
    amount = _amount("The refund, based on what was charged for the line.", "8.00")
    tax = _amount("The tax on it, as it was charged.", "1.28")


class RefundQuoteBodySchema(ResponseSchema):
    """A refund quote."""

    policy = text("The policy.", POLICIES[0], validate=OneOf(POLICIES))
    currency = text("ISO 4217.", "EUR")
    amount = _amount("Of all lines.", "8.00")
    tax = _amount("Of all lines.", "1.28")
    lines = many(QuotedLineSchema, "The refund line by line.")
