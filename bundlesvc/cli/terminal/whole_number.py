"""Click options and arguments that are whole numbers."""

from typing import Any

import click


class WholeNumber(click.ParamType[int]):
    """A click type for a whole number from `least` to `most`. `otherwise` describes what is accepted instead of a number, for
    error messages."""

    name = "number"

    def __init__(self, least: int, most: int, otherwise: str | None = None) -> None:
        self._range = range(least, most + 1)
        self._fault = f"is not a whole number from {least} to {most}{f', nor {otherwise}' if otherwise else ''}."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            number = None
        if number is None or number not in self._range:
            self.fail(f"{value!r} {self._fault}", param, ctx)
        return number
