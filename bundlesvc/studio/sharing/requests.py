"""The body of a request for a preview link."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, validate

from bundlesvc.api.requests.fields import RequestSchema, Text, WholeNumber
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.domain.revisions.preview_link import MOST_DAYS, NOW
from bundlesvc.shop_file.scalars import Unfit, local_time


class PreviewTime(Text):
    """The time for which a link shows a bundle: `now`, or a local time in the shop's time zone."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        time = super()._deserialize(value, attr, data, **kwargs)
        try:
            return NOW if time == NOW else local_time(time)
        except Unfit:
            raise ValidationError(f'Must be "{NOW}" or a local time such as 2026-11-27T00:00.') from None


class NewLinkSchema(RequestSchema):
    """The bundle to show, the point in time as of which it is shown, and the period for which the link is valid."""

    bundleId = WholeNumber(
        required=True,
        validate=validate.Range(1, MAX_ID, error="Must be from {min} to {max}."),
        metadata={"example": 101},
    )
    days = WholeNumber(
        allow_none=True,
        validate=validate.Range(1, MOST_DAYS, error="Must be from {min} to {max}."),
        metadata={"example": 7},
    )
    time = PreviewTime(allow_none=True, metadata={"example": NOW})
