"""The fields of response schemas. All are required, and each has a description and an example."""

from marshmallow import RAISE, Schema, fields
from marshmallow.validate import Regexp

AMOUNT = Regexp(r"^[0-9]+\.[0-9]{2}$")
PRESENTMENT_PRICE = Regexp(r"^[0-9]+\.[0-9]{2,3}$")
DECIMAL = Regexp(r"^[0-9]+(\.[0-9]+)?$")
_NUMERIC = Regexp(r"^[1-9][0-9]{0,15}$")


class ResponseSchema(Schema):
    """Base class for response schemas. A response contains exactly the fields of its schema."""

    class Meta:
        unknown = RAISE


def text(description: str, example: str = "", **options: object) -> fields.String:
    return fields.String(required=True, metadata=described(description, example), **options)  # type: ignore[arg-type]


def number(description: str, example: int = 1, **options: object) -> fields.Integer:
    return fields.Integer(required=True, metadata=described(description, example), **options)  # type: ignore[arg-type]


def flag(description: str, *, example: bool = True, **options: object) -> fields.Boolean:
    return fields.Boolean(required=True, metadata=described(description, example), **options)  # type: ignore[arg-type]


def texts(description: str, example: str | None = None) -> fields.List[str]:
    examples = [] if example is None else [example]
    return fields.List(fields.String(), required=True, metadata=described(description, examples))


def amount(description: str, example: str = "19.90", **options: object) -> fields.String:
    """Define a field for an amount of money or a percentage, always with two decimal places."""
    return text(description, example, validate=AMOUNT, **options)


def presentment_amount(description: str, example: str) -> fields.String:
    """Define a field for an amount of money with all decimal places of its currency."""
    return text(description, example, validate=DECIMAL)


def platform_id(description: str, example: str = "1001") -> fields.String:
    return text(description, example, validate=_NUMERIC)


def many(schema: type[Schema], description: str) -> fields.List[dict[str, object]]:
    return fields.List(fields.Nested(schema), required=True, metadata={"description": description})


def described(description: str, example: object) -> dict[str, object]:
    return {"description": description, "example": example}
