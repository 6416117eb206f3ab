"""The schemas of error responses (docs/contract.md#errors)."""

from itertools import chain

from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.errors import CODES, FAULT_CODES
from bundlesvc.api.responses.fields import ResponseSchema, described, text
from bundlesvc.domain.bundle import DISCOUNT_TYPES
from bundlesvc.domain.measures import UNITS
from bundlesvc.domain.rate_limit import COSTLY_RESULTS
from bundlesvc.domain.rules.rule_types import RULE_TYPES

DETAIL_CODES = sorted({*chain.from_iterable(FAULT_CODES.values())})
"""All codes that a detail can have, sorted."""

_COUNTS = ("limit", "actual", "missing")
DETAIL_FIELDS: dict[str, tuple[str, ...]] = {
    "different_price": ("expected", "actual"),
    "limit_not_met": ("rule", "unit", "operation", "sectionId", *_COUNTS),
    "mismatch": ("conditionsDiscount",),
    "not_active": ("platformProductId",),
    "not_sold_in_country": ("platformVariantId",),
    "product_hidden": ("platformProductId",),
    "required_missing": ("platformProductId", *_COUNTS),
    "section_hidden": ("sectionId",),
    "sold_out": ("platformVariantId",),
}
"""The additional fields that every detail with a particular code contains, by code."""


class ConditionsDiscountSchema(ResponseSchema):
    """The discount that results from the bundle's conditions."""

    type = text(
        "The type of the discount, as in the bundle's own discount.", "percentage", validate=OneOf(DISCOUNT_TYPES)
    )
    value = text("A percentage, an amount or a price, depending on `type`.", "15.00")


class DetailSchema(ResponseSchema):
    """A fault in the input, or a rule that is not met. `code` determines which optional fields are present."""

    path = text("The path of the field at fault.", "limitRules.0")
    code = text("A stable code.", "limit_not_met", validate=OneOf(DETAIL_CODES))
    message = text("A human-readable message, in English.", "Choose at least 3 items for the bundle; now there are 2.")
    rule = fields.String(
        validate=OneOf(tuple(RULE_TYPES)), metadata=described("The rule's type.", "total-number-of-products")
    )
    unit = fields.String(
        validate=OneOf(UNITS),
        metadata=described(
            "The unit of `limit`, `actual` and `missing`: items, money in the shop's currency, or weight.", "items"
        ),
    )
    operation = fields.String(metadata=described("The rule's operation.", "gte"))
    sectionId = fields.Integer(
        allow_none=True, metadata=described("The section that is measured. Null for the whole bundle.", None)
    )
    limit = fields.String(metadata=described("The value that the rule requires, in its unit.", "3"))
    actual = fields.String(metadata=described("The value that the selection has, or the price of the selection.", "2"))
    expected = fields.String(metadata=described("The expected price, as sent in the request.", "40.50"))
    missing = fields.String(metadata=described("How much must be added; 0 if there is too much.", "1"))
    alternatives = fields.List(
        fields.String(),
        metadata=described("The alternative limits, one of which must be met; `limit` is the nearest.", ["3", "6"]),
    )
    platformProductId = fields.String(metadata=described("The product concerned.", "1001"))
    platformVariantId = fields.String(metadata=described("The variant concerned.", "10011"))
    conditionsDiscount = fields.Nested(
        ConditionsDiscountSchema,
        allow_none=True,
        metadata=described("The discount that the service calculated. Null if there is none.", None),
    )


class ErrorSchema(ResponseSchema):
    """The body of every error response."""

    error = text("A human-readable message.", "The selection does not meet the rules of this bundle.")
    code = text("A stable code.", "rules_not_met", validate=OneOf(CODES))
    requestId = text(
        "The id of the request, also in the header X-Request-Id. Quote it when you report a problem.",
        "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    )
    detail = fields.String(metadata=described("Present in a 404 only.", "Not found."))
    details = fields.List(
        fields.Nested(DetailSchema), metadata={"description": "All faults, up to 100. Present in a 400 only."}
    )
    limit = fields.String(
        validate=OneOf(COSTLY_RESULTS),
        metadata=described(
            "The costly result of which this visitor created too many. Present in a 429 only.", "ghost_variants"
        ),
    )
