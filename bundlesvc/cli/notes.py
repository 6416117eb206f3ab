"""What is logged while a command works: a command has no log, and says to its operator what matters of it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import click

from bundlesvc.printable import printable


class Notes(logging.Handler):
    """Keeps the warnings, each as one sentence without its full stop."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._kept: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._kept.append(record.getMessage().removesuffix("."))

    def take(self) -> list[str]:
        """Those since the last time."""
        kept, self._kept = self._kept, []
        return kept


@contextmanager
def noting() -> Iterator[Notes]:
    """While this lasts, warnings of ours are kept; those that nobody took by its end go to standard error."""
    logger, notes = logging.getLogger("bundlesvc"), Notes()
    propagated, logger.propagate = logger.propagate, False
    logger.addHandler(notes)
    try:
        yield notes
    finally:
        logger.removeHandler(notes)
        logger.propagate = propagated
        for note in notes.take():
            click.echo(f"bundlesvc: {printable(note)}.", err=True)
