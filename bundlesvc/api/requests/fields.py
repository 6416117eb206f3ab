"""Fields and the base class of request schemas: strict about types, with a message for every fault (docs/contract.md#errors)."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import EXCLUDE, Schema, ValidationError, fields

from bundlesvc.api.requests.parsing import NO_COUNTRY, REQUIRED
from bundlesvc.domain.identifiers import (
    MAX_ID,
    country_pattern,
    id_pattern,
    parse_country,
    parse_platform_id,
    parse_uuid,
)
from bundlesvc.domain.subscription import EMAIL, MAX_EMAIL_LENGTH, is_email

NOT_TEXT = "Must be a string."
NOT_AN_OBJECT = "Must be an object."
NOT_A_LIST = "Must be a list."

WITHOUT_NUL = "^[^\\u0000]*$"
"""The pattern of a text that can be stored: PostgreSQL does not accept NUL."""
COUNTRY_SCHEMA = {"minLength": 2, "maxLength": 2, "pattern": country_pattern()}
EMAIL_SCHEMA = {"format": "email", "maxLength": MAX_EMAIL_LENGTH, "pattern": EMAIL.pattern.replace(r"\Z", "$")}


class RequestSchema(Schema):
    """A JSON object whose unknown fields are ignored. `openapi` is merged into its schema in the OpenAPI document."""

    openapi: ClassVar[Mapping[str, Any]] = {}
    error_messages = {"type": NOT_AN_OBJECT, "invalid": NOT_AN_OBJECT}

    class Meta:
        unknown = EXCLUDE


class Text(fields.String):
    """A JSON string without NUL, which PostgreSQL cannot store. Other types are refused, not converted."""

    default_error_messages = {"required": REQUIRED, "null": REQUIRED, "invalid": NOT_TEXT}

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if not isinstance(value, str) or "\0" in value:
            raise self.make_error("invalid")
        return value


PRICE_PATTERN = r"[0-9]{1,15}(\.[0-9]{1,3})?"
_PRICE = re.compile(PRICE_PATTERN + r"\Z")


def is_price(value: object) -> bool:
    """Whether `value` is a well-formed amount: a decimal string such as "40.50"."""
    return isinstance(value, str) and _PRICE.match(value) is not None


class Price(Text):
    """An amount as a decimal string. It stays a string, so that errors can quote it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        price = super()._deserialize(value, attr, data, **kwargs)
        if not is_price(price):
            raise ValidationError('Must be an amount such as "40.50", with up to three decimal places.')
        return price


class WholeNumber(fields.Integer):
    """A JSON integer, which may be written as 7.0 (JSON Schema, 6.1.1). Strings, fractions and booleans are refused."""

    default_error_messages = {
        "required": REQUIRED,
        "null": REQUIRED,
        "invalid": "Must be a whole number.",
        "out_of_range": f"Must be from 1 to {MAX_ID}.",
    }

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        number = whole_number(value)
        if number is None:
            raise self.make_error("invalid")
        if abs(number) > MAX_ID:
            raise self.make_error("out_of_range")
        return number


class Country(Text):
    """A country code, which is converted to upper case when it is loaded."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        country = parse_country(super()._deserialize(value, attr, data, **kwargs))
        if country is None:
            raise ValidationError(NO_COUNTRY)
        return country


def id_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a platform id, which is either numeric or a global id with this `kind`."""
    return {"type": "string", "pattern": f"^(gid://platform/{kind}/)?{id_pattern()}$"}


class PlatformId(fields.Field[int]):
    """A numeric or global id of the given kind ("Product", "ProductVariant"), loaded as a number."""

    default_error_messages = {"required": REQUIRED, "null": REQUIRED}

    def __init__(self, kind: str, **options: Any) -> None:
        metadata = {**id_schema(kind), **options.pop("metadata", {})}
        super().__init__(metadata=metadata, **options)
        self._kind = kind

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        return number_of_id(value, self._kind)


class Uuid(Text):
    """A UUID in its canonical form, loaded in lower case."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        uuid = parse_uuid(super()._deserialize(value, attr, data, **kwargs))
        if uuid is None:
            raise ValidationError("Must be a UUID.")
        return uuid


class Email(Text):
    """An e-mail address."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        address = super()._deserialize(value, attr, data, **kwargs)
        if not is_email(address):
            raise ValidationError("This is not an e-mail address.")
        return address


class ShortList(fields.List[Any]):
    """A list of up to `limit` entries. The entries of a longer list are not validated, because reporting hundreds of thousands of
    faults would block the process for seconds."""

    default_error_messages = {"required": REQUIRED, "null": REQUIRED, "invalid": NOT_A_LIST}

    def __init__(self, entry: fields.Field[Any], limit: int, things: str, **options: Any) -> None:
        metadata = {"maxItems": limit, **options.pop("metadata", {})}
        super().__init__(entry, metadata=metadata, **options)
        self._limit = limit
        self._things = things

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> list[Any]:
        if isinstance(value, list) and len(value) > self._limit:
            raise ValidationError(f"At most {self._limit} {self._things}.")
        return super()._deserialize(value, attr, data, **kwargs)


def whole_number(value: object) -> int | None:
    """Return the value of a JSON integer, even if it is written with a zero fraction, such as 7.0. Returns None for anything
    else."""
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def number_of_id(text: object, kind: str) -> int:
    """Return the number in an id of this kind. Raises ValidationError."""
    if not isinstance(text, str):
        raise ValidationError(NOT_TEXT)
    number = parse_platform_id(text, kind)
    if number is None:
        raise ValidationError(f"Must be a numeric id or gid://platform/{kind}/<id>.")
    return number
