"""Ids of the platform. Everywhere else in the service ids are whole numbers, so those of a shop must be whole numbers too."""


class UnsupportedId(Exception):
    """An id is not a whole number."""


def number_of(text: str) -> int:
    """An id as a number. Raises UnsupportedId."""
    if not (text.isascii() and text.isdecimal()):
        raise UnsupportedId(f"the id {text[:40]!r} is not a whole number")
    return int(text)
