"""The response schemas of errors (docs/contract.md#errors)."""

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
"""The `code` of every detail, sorted."""

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
"""The further fields that a detail always contains, by its code."""


class ConditionsDiscountSchema(ResponseSchema):
    """The discount that results from the bundle's conditions."""

    type = text("As in the bundle's own discount.", "percentage", validate=OneOf(DISCOUNT_TYPES))
    value = text("A percentage, an amount or a price, by `type`.", "15.00")


class DetailSchema(ResponseSchema):
    """A fault of the input, or a rule that is not met. `code` determines which optional fields are present."""

    path = text("The field at fault.", "limitRules.0")
    code = text("A stable code.", "limit_not_met", validate=OneOf(DETAIL_CODES))
    message = text("A sentence for a person, in English.", "Choose at least 3 items for the bundle; now there are 2.")
    rule = fields.String(
        validate=OneOf(tuple(RULE_TYPES)), metadata=described("The rule's type.", "total-number-of-products")
    )
    unit = fields.String(
        validate=OneOf(UNITS),
        metadata=described(
            "What `limit`, `actual` and `missing` are: items, money in the shop's currency, or a weight.", "items"
        ),
    )
    operation = fields.String(metadata=described("The rule's operation.", "gte"))
    sectionId = fields.Integer(
        allow_none=True, metadata=described("The section that is measured. Null: the whole bundle.", None)
    )
    limit = fields.String(metadata=described("What is required, in the rule's unit.", "3"))
    actual = fields.String(metadata=described("What the selection has, or its price.", "2"))
    expected = fields.String(metadata=described("The price that the request expected, as it was sent.", "40.50"))
    missing = fields.String(metadata=described("What to add; 0 when there is too much.", "1"))
    alternatives = fields.List(
        fields.String(),
        metadata=described("The limits of which one must be met; `limit` is the nearest.", ["3", "6"]),
    )
    platformProductId = fields.String(metadata=described("The product concerned.", "1001"))
    platformVariantId = fields.String(metadata=described("The variant concerned.", "10011"))
    conditionsDiscount = fields.Nested(
        ConditionsDiscountSchema,
        allow_none=True,
        metadata=described("The discount that the service calculated. Null: none.", None),
    )


class ErrorSchema(ResponseSchema):
    """The body of every error response."""

    error = text("One sentence for a person.", "The selection does not meet the rules of this bundle.")
    code = text("A stable code.", "rules_not_met", validate=OneOf(CODES))
    requestId = text(
        "Also in the header X-Request-Id. Quote it when you report a problem.", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    )
    detail = fields.String(metadata=described("404 only.", "Not found."))
    details = fields.List(fields.Nested(DetailSchema), metadata={"description": "400 only: every fault, up to 100."})
    limit = fields.String(
        validate=OneOf(COSTLY_RESULTS),
        metadata=described("429 only: the costly result that this visitor created too many of.", "ghost_variants"),
    )
