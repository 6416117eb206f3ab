"""The response schemas for reports."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import fields
from marshmallow.validate import OneOf, Regexp

from bundlesvc.api.responses.fields import ResponseSchema, described, flag, many, number, text
from bundlesvc.domain.reports.bundle_report import DIMENSIONS

_AMOUNT = Regexp(r"^-?[0-9]+(\.[0-9]+)?$")
_SHARE = Regexp(r"^[01]\.[0-9]{4}$")


def _amount(description: str, example: str, **options: bool) -> fields.String:
    """Define a field for an amount with all decimal places of its currency."""
    return text(description, example, validate=_AMOUNT, **options)


def _part_of_key(description: str, example: str) -> fields.String:
    """Define a string field that identifies a row. The field appears only in reports that are grouped by it."""
    return fields.String(allow_none=True, metadata=described(description, example))


class MoneySchema(ResponseSchema):
    """Totals in one currency."""

    currency = text("The currency of the amounts, ISO 4217.", "EUR")
    revenue = _amount("The amount charged for the bundles sold, after edits and before refunds.", "43.18")
    discount = _amount("The amount that all discounts took off the bundles sold.", "4.80")
    refunded = _amount("The amount refunded for the bundles sold.", "0.00")


class FiguresSchema(ResponseSchema):
    """The figures of one row, or the totals of all rows."""

    configured = number("The number of bundles that shoppers configured in the period.", 3)
    ordered = number("The number of bundles configured in the period that were bought, at any time.", 2)
    share = fields.String(
        required=True,
        allow_none=True,
        validate=_SHARE,
        metadata=described(
            "The share of configured bundles that were bought: `ordered` / `configured`; null when none were configured.",
            "0.6667",
        ),
    )
    sold = number("The number of bundles in orders placed in the period.", 2)
    units = number("The number of units of products in the bundles sold, after edits.", 6)
    money = many(MoneySchema, "The totals of the bundles sold, by currency.")


class ReportRowSchema(FiguresSchema):
    """A row of a report. The fields that identify it depend on `by`; the others are its figures."""

    day = fields.String(metadata=described("The day, UTC. Only in reports by day.", "2026-11-23"))
    countryCode = _part_of_key(
        "The country: of the request for bundles configured, of the buyer for bundles sold. Only in reports by country.",
        "DE",
    )
    experimentId = _part_of_key("The id of the A/B test; null outside A/B tests. Only in reports by arm.", "summer")
    arm = fields.Integer(
        allow_none=True, metadata=described("The number of the arm, from 0. Only in reports by arm.", 1)
    )
    discountType = _part_of_key("The type of the discount that applied. Only in reports by tier.", "percentage")
    discountValue = _part_of_key("The value of the discount that applied. Only in reports by tier.", "10.00")
    bundleId = fields.Integer(
        allow_none=True,
        metadata=described(
            "The id of the bundle; null for sales whose promise is no longer known. Only in reports by bundle, arm or tier.",
            101,
        ),
    )
    bundleName = _part_of_key(
        "The current name of the bundle; null when the bundle is unknown or no longer exists.", "Breakfast box"
    )


class OrderTotalsSchema(ResponseSchema):
    """The totals of the orders that contain a bundle, or of the orders that contain none."""

    orders = number("The number of orders.", 2)
    total = _amount("The amount charged for the orders, after edits and before refunds.", "86.36")
    average = _amount(
        "The average charge per order: `total` / `orders`; null when there are no orders.", "43.18", allow_none=True
    )


class CurrencyOrdersSchema(ResponseSchema):
    """The orders of the period in one currency."""

    currency = text("The currency of the orders, ISO 4217.", "EUR")
    withBundle = fields.Nested(
        OrderTotalsSchema, required=True, metadata={"description": "The orders that contain a bundle."}
    )
    withoutBundle = fields.Nested(OrderTotalsSchema, required=True, metadata={"description": "All other orders."})


class BundleReportSchema(ResponseSchema):
    """A report on the sales of bundles."""

    class Meta(ResponseSchema.Meta):
        include: ClassVar[Mapping[str, fields.Field[Any]]] = {  # `from` is a Python keyword
            "from": text("The first day of the period, UTC.", "2026-10-25")
        }

    to = text("The last day of the period, UTC.", "2026-11-23")
    by = text("What the rows are grouped by.", DIMENSIONS[0], validate=OneOf(DIMENSIONS))
    bundleId = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The id of the bundle, if the report is for one bundle.", None),
    )
    test = flag("Whether the report covers test orders.", example=False)
    total = fields.Nested(FiguresSchema, required=True, metadata={"description": "The sum of all rows."})
    rows = many(ReportRowSchema, "The rows: one per day in a report by day; otherwise, the best sellers first.")
    orders = many(
        CurrencyOrdersSchema, "The totals of all orders in the period, with or without a bundle, by currency."
    )
