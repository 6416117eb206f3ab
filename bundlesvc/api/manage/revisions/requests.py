"""The bodies of requests about revisions, except for the items themselves."""

from marshmallow import validate

from bundlesvc.api.manage.fields import Time
from bundlesvc.api.requests.fields import RequestSchema, Text, WholeNumber
from bundlesvc.services.revisions.replay import MAX_SELECTIONS

MAX_MESSAGE = 2_000


def _message() -> Text:
    return Text(
        allow_none=True,
        validate=validate.Length(max=MAX_MESSAGE, error="Must have up to {max} characters."),
        metadata={"example": "Winter prices"},
    )


class NewRevisionSchema(RequestSchema):
    """The purpose of a new draft."""

    message = _message()


class PublicationSchema(RequestSchema):
    """A description of what the revision changes, and the time at which to publish it. Without a time, the revision is published
    immediately."""

    message = _message()
    publishAt = Time(allow_none=True, metadata={"example": "2026-11-27T00:00:00+01:00"})


class ReplayRequestSchema(RequestSchema):
    """The number of selections to replay."""

    limit = WholeNumber(
        allow_none=True,
        validate=validate.Range(1, MAX_SELECTIONS, error="Must be from {min} to {max}."),
        metadata={"example": 10_000},
    )
