"""The response schemas of the endpoints for operators."""

from marshmallow import INCLUDE, Schema

from bundlesvc.api.responses.fields import ResponseSchema, text


class HealthSchema(ResponseSchema):
    """The state of the process."""

    status = text("`ok` or `ready`.", "ok")


class OpenApiSchema(Schema):
    """An OpenAPI document."""

    class Meta:
        unknown = INCLUDE

    openapi = text("The version of OpenAPI.", "3.1.0")
