"""The request schemas for orders and refund quotes."""

import re
from typing import Any

from marshmallow import fields, validate

from bundlesvc.api.manage.fields import Pattern, Time
from bundlesvc.api.requests.fields import (
    NOT_AN_OBJECT,
    Country,
    PlatformId,
    Price,
    RequestSchema,
    ShortList,
    Text,
    Uuid,
    WholeNumber,
)
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.orders.refunds.refund_quote import POLICIES

MAX_LINES, MAX_CHANGES, MAX_DISCOUNTS, MAX_PROPERTIES = 500, 2_000, 20, 100
MAX_QUANTITY = 1_000_000
ID_LENGTH, TEXT_LENGTH, BUNDLES_LENGTH = 64, 255, 100_000

_SIGNED = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,3})?\Z", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9._~:-]{1,64}\Z", re.ASCII)
_RATE = re.compile(r"[0-9]{1,9}(\.[0-9]{1,12})?\Z", re.ASCII)
_CURRENCY = re.compile(r"[A-Z]{3}\Z", re.ASCII)


def _short(length: int = TEXT_LENGTH, **options: Any) -> Text:
    return Text(validate=validate.Length(1, length, error="Must have {min} to {max} characters."), **options)


def _count(least: int, **options: Any) -> WholeNumber:
    limits = validate.Range(least, MAX_QUANTITY, error="Must be from {min} to {max}.")
    return WholeNumber(validate=limits, **options)


class LineDiscountSchema(RequestSchema):
    """A discount that the checkout applied to a line. Its kind is `bundle` if it was the bundle's own discount."""

    kind = _short(32, required=True, metadata={"example": "bundle"})
    title = _short(metadata={"example": "Gift box"})
    amount = Price(required=True, metadata={"example": "4.00"})


class LineSchema(RequestSchema):
    """An order line as it was purchased. `unitPrice` is the price before all discounts."""

    id = _short(ID_LENGTH, required=True, metadata={"example": "1"})
    variant = PlatformId("ProductVariant", required=True, metadata={"example": "11001"})
    quantity = _count(0, required=True, metadata={"example": 2})
    unitPrice = Price(required=True, metadata={"example": "10.00"})
    tax = Price(allow_none=True, metadata={"example": "2.55"})
    discounts = ShortList(fields.Nested(LineDiscountSchema), MAX_DISCOUNTS, "discounts", allow_none=True)
    properties = fields.Dict(
        keys=Text(),
        values=Text(),
        allow_none=True,
        validate=validate.Length(max=MAX_PROPERTIES, error="At most {max} properties."),
        error_messages={"invalid": NOT_AN_OBJECT},
        metadata={"example": {"_bundle_data": "7001#9001#4f3c"}},
    )
    group = _short(allow_none=True, metadata={"example": "group-1"})
    sellingPlan = _short(allow_none=True, metadata={"example": "monthly"})
    contract = _short(ID_LENGTH, allow_none=True, metadata={"example": "contract-7"})


_AMOUNT_SENTENCE = 'Must be an amount such as "-9.99", with up to three decimal places.'


class EditSchema(RequestSchema):
    """A change to a line after the purchase: the differences in quantity, amount and tax."""

    line = _short(ID_LENGTH, required=True, metadata={"example": "1"})
    quantity = WholeNumber(
        validate=validate.Range(-MAX_QUANTITY, MAX_QUANTITY, error="Must be from {min} to {max}."),
        metadata={"example": -1},
    )
    amount = Pattern(_SIGNED, _AMOUNT_SENTENCE, required=True, metadata={"example": "-8.00"})
    tax = Pattern(_SIGNED, _AMOUNT_SENTENCE, allow_none=True, metadata={"example": "-1.28"})


class RefundSchema(RequestSchema):
    """Units of a line that were returned, and what the shopper was refunded for them."""

    line = _short(ID_LENGTH, required=True, metadata={"example": "1"})
    quantity = _count(0, metadata={"example": 1})
    amount = Price(required=True, metadata={"example": "8.00"})
    tax = Price(allow_none=True, metadata={"example": "1.28"})
    restocked = fields.Boolean(truthy={True}, falsy={False}, metadata={"example": True})


class AttributesSchema(RequestSchema):
    """The attributes of the cart. Only `_bundles` is read."""

    bundles = Text(
        data_key="_bundles",
        allow_none=True,
        validate=validate.Length(max=BUNDLES_LENGTH, error="At most {max} characters."),
        metadata={"example": '{"7001": {"discount": "gAAAAA…"}}'},
    )


class OrderSchema(RequestSchema):
    """One complete version of an order, without any data about the shopper."""

    id = Pattern(_ID, "Must be 1 to 64 of A-Z, a-z, 0-9 and ._~:-", required=True, metadata={"example": "1001"})
    version = WholeNumber(
        required=True,
        validate=validate.Range(0, MAX_ID, error="Must be from {min} to {max}."),
        metadata={"example": 1},
    )
    name = _short(64, metadata={"example": "#1001"})
    placedAt = Time(required=True, metadata={"example": "2026-11-23T10:00:00Z"})
    currency = Pattern(_CURRENCY, "Must be an ISO 4217 code.", required=True, metadata={"example": "EUR"})
    rate = Pattern(_RATE, 'Must be a number such as "0.9412".', allow_none=True, metadata={"example": "1"})
    countryCode = Country(allow_none=True, metadata={"example": "DE"})
    test = fields.Boolean(truthy={True}, falsy={False}, metadata={"example": False})
    cancelled = fields.Boolean(truthy={True}, falsy={False}, metadata={"example": False})
    visitorId = Uuid(allow_none=True, metadata={"example": "0e6f7c3a-8f3a-4c27-9d57-0a1f8f6c1e11"})
    attributes = fields.Nested(AttributesSchema, allow_none=True)
    lines = ShortList(
        fields.Nested(LineSchema),
        MAX_LINES,
        "lines",
        required=True,
        validate=validate.Length(1, error="An order has at least one line."),
    )
    edits = ShortList(fields.Nested(EditSchema), MAX_CHANGES, "edits", allow_none=True)
    refunds = ShortList(fields.Nested(RefundSchema), MAX_CHANGES, "refunds", allow_none=True)


class ReturnedLineSchema(RequestSchema):
    """Units of a line that are being returned."""

    line = _short(ID_LENGTH, required=True, metadata={"example": "1"})
    quantity = _count(1, required=True, metadata={"example": 1})


class ReturnedPartsSchema(RequestSchema):
    """The parts of an order that are being returned."""

    lines = ShortList(
        fields.Nested(ReturnedLineSchema),
        MAX_LINES,
        "lines",
        required=True,
        validate=validate.Length(1, error="Name at least one line."),
    )


class RefundQuoteSchema(ReturnedPartsSchema):
    """The parts of an order that are being returned, and the policy that determines their refund."""

    policy = Text(
        required=True,
        validate=validate.OneOf(POLICIES, error=f"Must be one of {', '.join(POLICIES)}."),
        metadata={"example": POLICIES[0]},
    )
