"""Parameters of paginated lists: the size of a page, and where it begins."""

import base64
import re

from bundlesvc.services.bundles import MAX_LISTED

LIMIT_FAULT = f"Must be a whole number from 1 to {MAX_LISTED}."
CURSOR_FAULT = "Must be the cursor from the link to the next page of a list."

_LIMIT = re.compile(r"(?:[1-9][0-9]?|100)\Z", re.ASCII)


def parse_limit(text: str) -> int | None:
    """Parse the number of entries per page. Returns None when it is not from 1 to `MAX_LISTED`."""
    return int(text) if _LIMIT.match(text) else None


def cursor_of(text: str) -> str:
    """Encode a string as a cursor."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def text_of(cursor: str) -> str | None:
    """Decode the string in a cursor. Returns None when the cursor is malformed."""
    try:
        return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError:
        return None
