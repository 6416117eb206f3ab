"""Characters that disguise the real content of text: control characters, and characters that reverse the direction of the text
after them.

The marks that right-to-left text and emoji need (U+200C to U+200F, U+061C) are allowed.
"""

import re

_DIRECTION = r"\u202a-\u202e\u2066-\u2069"
_HIDDEN = rf"\x00-\x1f\x7f-\x9f{_DIRECTION}"
_IN_A_LINE = re.compile(f"[{_HIDDEN}]")
_IN_LINES = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{_DIRECTION}]|\r(?!\n)")

LINE_PATTERN = f"^[^{_HIDDEN}]*$"
"""A regular expression for lines without hidden characters, for use in the OpenAPI document. `hidden_in_line` performs the actual
check."""


def hidden_in_line(text: str) -> str | None:
    """Return the first hidden character in a single line of text, such as a name, in the form "U+202E"; None when there is
    none."""
    return _named(_IN_A_LINE.search(text))


def hidden_in_lines(text: str) -> str | None:
    """Return the first hidden character in multi-line text, in the form "U+202E"; None when there is none. Line breaks and tabs
    are allowed."""
    return _named(_IN_LINES.search(text))


def _named(found: re.Match[str] | None) -> str | None:
    return None if found is None else f"U+{ord(found[0]):04X}"
