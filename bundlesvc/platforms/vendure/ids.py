"""Ids on the platform. The rest of the service uses whole numbers as ids, so the ids of a shop must also be whole numbers."""

LARGEST = 2**31 - 1
"""The largest id that the engine's databases can store. A query for a larger id fails."""


class UnsupportedId(Exception):
    """An id is not a whole number."""


def number_of(text: str) -> int:
    """Convert an id to a number. Raises UnsupportedId."""
    if not (text.isascii() and text.isdecimal()):
        raise UnsupportedId(f"the id {text[:40]!r} is not a whole number")
    return int(text)


def is_possible(number: int) -> bool:
    """Whether an object of the platform can have this id."""
    return 0 <= number <= LARGEST
