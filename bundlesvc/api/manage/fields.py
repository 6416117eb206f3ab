"""Fields of requests to the management API: strings that match a pattern, and times."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from marshmallow import ValidationError

from bundlesvc.api.requests.fields import Text

TIME_FAULT = 'Must be a time with its offset, such as "2026-11-23T10:00:00Z".'


def parse_time(text: str) -> int | None:
    """Parse an ISO 8601 time with an offset, and return it as a Unix timestamp in seconds. Returns None when it is malformed."""
    try:
        time = datetime.fromisoformat(text)
        return None if time.tzinfo is None else int(time.astimezone(UTC).timestamp())
    except (ValueError, OverflowError):
        return None


class Pattern(Text):
    """A string field that must match a regular expression."""

    def __init__(self, pattern: re.Pattern[str], sentence: str, **options: Any) -> None:
        metadata = {"pattern": f"^{pattern.pattern.removesuffix(chr(92) + 'Z')}$", **options.pop("metadata", {})}
        super().__init__(metadata=metadata, **options)
        self._pattern = pattern
        self._sentence = sentence

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if not self._pattern.match(text):
            raise ValidationError(self._sentence)
        return text


class Time(Text):
    """A field for an ISO 8601 time with an offset, loaded as a Unix timestamp in seconds."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        time = parse_time(super()._deserialize(value, attr, data, **kwargs))
        if time is None:
            raise ValidationError(TIME_FAULT)
        return max(time, 0)
