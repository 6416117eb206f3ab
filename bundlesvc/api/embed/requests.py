"""Parses requests to the embed API: query parameters, `Accept-Language`, and the schemas of bodies."""

from collections.abc import Sequence
from typing import Any

from aiohttp import hdrs, web
from marshmallow import ValidationError, fields, post_load, validate, validates_schema

from bundlesvc.api.negotiation.accept_language import AVAILABLE_LANGUAGES, accepted_languages
from bundlesvc.api.requests.fields import (
    EMAIL_SCHEMA,
    NOT_AN_OBJECT,
    Email,
    PlatformId,
    RequestSchema,
    ShortList,
    Text,
    WholeNumber,
)
from bundlesvc.api.requests.parsing import NO_COUNTRY, NO_ID, QueryReader
from bundlesvc.domain.configured import BundleRef
from bundlesvc.domain.errors import Fault, InvalidRequest
from bundlesvc.domain.identifiers import MAX_ID, parse_country, parse_id, parse_uuid
from bundlesvc.domain.texts.characters import LINE_PATTERN, hidden_in_line
from bundlesvc.services.embed_bundles import BundleRequest
from bundlesvc.services.shoppers.stock_reminders import ReminderRequest

MAX_REFS = 100
MAX_NAME = 255

FRESH = "fresh"
"""The query parameter that bypasses all caches. Its value is ignored, and serves only to make the URL unique."""

_ID = validate.Range(1, MAX_ID, error="Must be from {min} to {max}.")
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


def bundle_request(request: web.Request, templates: Sequence[str]) -> tuple[BundleRequest, str | None]:
    """Determine which bundle the component requests, and for which country. `templates` are the shop's own templates. Raises
    InvalidRequest with every fault."""
    query = QueryReader(request)
    bundle_id = query.take("id", parse_id, NO_ID)
    handle = query.text("productHandle")
    if "id" not in request.query and not handle:
        query.faults.append(Fault("id", "required", "Name a bundle by id, or by productHandle."))
    visitor_id = query.take("visitor_id", parse_uuid, "Must be a UUID.")
    ab_bypass = query.take("ab_bypass", lambda text: _FLAGS.get(text.lower()), "Must be true or false.")
    template = query.text("forceTemplate")
    if template is not None and template not in templates:
        message = f"The shop's templates are: {', '.join(templates) or 'none'}."
        query.faults.append(Fault("forceTemplate", "unknown_template", message))
    country = query.take("countryCode", parse_country, NO_COUNTRY)
    if query.faults:
        raise InvalidRequest(query.faults)
    return BundleRequest(bundle_id, handle, languages(request), template, visitor_id, bool(ab_bypass)), country


def languages(request: web.Request) -> tuple[str, ...]:
    """Return the languages that the visitor prefers, best first: `lang` if given, otherwise those of Accept-Language."""
    lang = request.query.get("lang")
    if lang:
        return (lang,)
    return accepted_languages(request.headers.get(hdrs.ACCEPT_LANGUAGE, ""))


def note_available_languages(request: web.Request, *available: Sequence[str]) -> None:
    """Record the lists from which the languages of the response were chosen, for use by the fast path (`AVAILABLE_LANGUAGES`)."""
    request[AVAILABLE_LANGUAGES] = () if request.query.get("lang") else tuple(map(tuple, available))


class BundleRefSchema(RequestSchema):
    """A reference to a configured bundle: its id, or the id of a ghost variant, which refers to the newest configured bundle sold
    as this variant. `configuredBundleId` takes precedence when both are given."""

    openapi = {
        "anyOf": [
            {"required": [name], "properties": {name: {"type": "integer"}}}
            for name in ("configuredBundleId", "variantId")
        ]
    }

    configuredBundleId = WholeNumber(
        allow_none=True,
        validate=_ID,
        metadata={"description": "The `configured_bundle_id` of a configure response.", "example": 4503599627370496},
    )
    variantId = WholeNumber(
        allow_none=True, validate=_ID, metadata={"description": "The id of a ghost variant.", "example": None}
    )

    @validates_schema
    def names_one(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("configuredBundleId") is None and data.get("variantId") is None:
            raise ValidationError("Name a configuredBundleId or a variantId.")

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> BundleRef:
        return BundleRef(data.get("configuredBundleId"), data.get("variantId"))


class ContentRequestSchema(RequestSchema):
    """The configured bundles to describe in plain text."""

    bundles = ShortList(
        fields.Nested(BundleRefSchema, error_messages={"null": NOT_AN_OBJECT}),
        MAX_REFS,
        "entries",
        required=True,
        metadata={"description": f"The configured bundles, at most {MAX_REFS}.", "maxItems": MAX_REFS},
    )


def _check_printable(text: str) -> None:
    if hidden := hidden_in_line(text):
        raise ValidationError(f"Cannot contain the control character {hidden}.")


class NotifyRequestSchema(RequestSchema):
    """A shopper's request to get an e-mail when a variant is back in stock."""

    variant = PlatformId(
        "ProductVariant",
        required=True,
        metadata={"description": "Platform variant ID, numeric or global.", "example": "10191"},
    )
    customer_email = Email(
        required=True,
        metadata={"description": "The shopper's e-mail address.", **EMAIL_SCHEMA, "example": "mira@mail.example"},
    )
    bundle_name = Text(
        required=True,
        validate=[validate.Length(max=MAX_NAME, error="At most {max} characters."), _check_printable],
        metadata={
            "description": "The bundle that the shopper was viewing.",
            "pattern": LINE_PATTERN,
            "example": "Breakfast Box",
        },
    )

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> ReminderRequest:
        return ReminderRequest(data["variant"], data["customer_email"], data["bundle_name"])
