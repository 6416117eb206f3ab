"""The bodies that the embed API takes."""

from typing import Any

from marshmallow import EXCLUDE, Schema, ValidationError, fields, post_load, validate, validates_schema

from bundlesvc.api.fields import (
    EMAIL_SCHEMA,
    NOT_AN_OBJECT,
    Email,
    PlatformId,
    ShortList,
    Text,
    WholeNumber,
)
from bundlesvc.domain.characters import LINE_PATTERN, hidden_in_line
from bundlesvc.domain.configured import BundleRef
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.services.stock_reminders import ReminderRequest

MAX_REFS = 100
MAX_NAME = 255

_OBJECT = {"type": NOT_AN_OBJECT, "invalid": NOT_AN_OBJECT}
_ID = validate.Range(1, MAX_ID, error="Must be from {min} to {max}.")


class BundleRefSchema(Schema):
    """A configured bundle, or the newest one behind a ghost variant; the first wins when both are given."""

    beside = {
        "anyOf": [
            {"required": [name], "properties": {name: {"type": "integer"}}}
            for name in ("configuredBundleId", "variantId")
        ]
    }
    """What the document says of the fields together."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    configuredBundleId = WholeNumber(
        allow_none=True,
        validate=_ID,
        metadata={"description": "`configured_bundle_id` of a configure answer.", "example": 4503599627370496},
    )
    variantId = WholeNumber(
        allow_none=True, validate=_ID, metadata={"description": "A ghost variant.", "example": None}
    )

    @validates_schema
    def names_one(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("configuredBundleId") is None and data.get("variantId") is None:
            raise ValidationError("Name a configuredBundleId or a variantId.")

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> BundleRef:
        return BundleRef(data.get("configuredBundleId"), data.get("variantId"))


class ContentRequestSchema(Schema):
    """What is to be put into words."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    bundles = ShortList(
        fields.Nested(BundleRefSchema, error_messages={"null": NOT_AN_OBJECT}),
        MAX_REFS,
        "entries",
        required=True,
        metadata={"description": f"At most {MAX_REFS} entries.", "maxItems": MAX_REFS},
    )


def _check_printable(text: str) -> None:
    if hidden := hidden_in_line(text):
        raise ValidationError(f"Cannot contain the control character {hidden}.")


class NotifyRequestSchema(Schema):
    """Who wants to be told when a variant is back."""

    error_messages = _OBJECT

    class Meta:
        unknown = EXCLUDE

    variant = PlatformId(
        "ProductVariant", required=True, metadata={"description": "Numeric or global ID.", "example": "10191"}
    )
    customer_email = Email(
        required=True, metadata={"description": "Where to write to.", **EMAIL_SCHEMA, "example": "mira@mail.example"}
    )
    bundle_name = Text(
        required=True,
        validate=[validate.Length(max=MAX_NAME, error="At most {max} characters."), _check_printable],
        metadata={"description": "The bundle it was seen in.", "pattern": LINE_PATTERN, "example": "Breakfast Box"},
    )

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> ReminderRequest:
        return ReminderRequest(data["variant"], data["customer_email"], data["bundle_name"])
