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
    """Define a field for an amount with all decimals of its currency."""
    return text(description, example, validate=_AMOUNT, **options)


def _part_of_key(description: str, example: str) -> fields.String:
    """Define a string field that identifies a row. The field appears only in reports that are grouped by it."""
    return fields.String(allow_none=True, metadata=described(description, example))


class MoneySchema(ResponseSchema):
    """Totals in one currency."""

    currency = text("ISO 4217.", "EUR")
    revenue = _amount("What was charged for the bundles sold, after edits and before refunds.", "43.18")
    discount = _amount("What all discounts took off their price.", "4.80")
    refunded = _amount("What was refunded for them.", "0.00")


class FiguresSchema(ResponseSchema):
    """The figures of one row, or the totals of all rows."""

    configured = number("Bundles that shoppers configured in the period.", 3)
    ordered = number("How many of them were bought, at any time.", 2)
    share = fields.String(
        required=True,
        allow_none=True,
        validate=_SHARE,
        metadata=described("`ordered` / `configured`; null when none were configured.", "0.6667"),
    )
    sold = number("Bundles in orders placed in the period.", 2)
    units = number("Units of their products, after edits.", 6)
    money = many(MoneySchema, "The sums of the bundles sold, by currency.")


class ReportRowSchema(FiguresSchema):
    """A row of a report. The fields that identify it depend on `by`; the others are its figures."""

    day = fields.String(metadata=described("By day, UTC.", "2026-11-23"))
    countryCode = _part_of_key("By country: the request's for configured bundles, the buyer's for sold ones.", "DE")
    experimentId = _part_of_key("By arm: the A/B test; null outside A/B tests.", "summer")
    arm = fields.Integer(allow_none=True, metadata=described("By arm: its number, from 0.", 1))
    discountType = _part_of_key("By tier: the type of the discount that applied.", "percentage")
    discountValue = _part_of_key("By tier: its value.", "10.00")
    bundleId = fields.Integer(
        allow_none=True,
        metadata=described("By bundle, arm or tier; null for sales whose promise is no longer known.", 101),
    )
    bundleName = _part_of_key("The bundle's current name; null when there is none.", "Breakfast box")


class OrderTotalsSchema(ResponseSchema):
    """Totals of the orders with a bundle, or of those without."""

    orders = number("Their number.", 2)
    total = _amount("What they charged, after edits and before refunds.", "86.36")
    average = _amount("`total` / `orders`; null when there are no orders.", "43.18", allow_none=True)


class CurrencyOrdersSchema(ResponseSchema):
    """The orders of the period in one currency."""

    currency = text("ISO 4217.", "EUR")
    withBundle = fields.Nested(OrderTotalsSchema, required=True, metadata={"description": "Orders with a bundle."})
    withoutBundle = fields.Nested(OrderTotalsSchema, required=True, metadata={"description": "All other orders."})


class BundleReportSchema(ResponseSchema):
    """A report on the sales of bundles."""

    class Meta(ResponseSchema.Meta):
        include: ClassVar[Mapping[str, fields.Field[Any]]] = {  # `from` is a Python keyword
            "from": text("The first day, UTC.", "2026-10-25")
        }

    to = text("The last day, UTC.", "2026-11-23")
    by = text("What the rows are grouped by.", DIMENSIONS[0], validate=OneOf(DIMENSIONS))
    bundleId = fields.Integer(
        required=True, allow_none=True, metadata=described("The bundle, if the report is for one.", None)
    )
    test = flag("Whether the report covers test orders.", example=False)
    total = fields.Nested(FiguresSchema, required=True, metadata={"description": "The sum of all rows."})
    rows = many(ReportRowSchema, "By day: one row per day. Otherwise, what sells most comes first.")
    orders = many(CurrencyOrdersSchema, "All orders in the period, with or without a bundle.")
