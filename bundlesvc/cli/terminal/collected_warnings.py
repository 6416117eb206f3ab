"""Collects the warnings that the service logs while a command runs."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import click

from bundlesvc.printable import printable


class CollectedWarnings(logging.Handler):
    """Collects logged warnings, each as a message without its full stop."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._collected: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._collected.append(record.getMessage().removesuffix("."))

    def take(self) -> list[str]:
        """Return the warnings collected since the last call."""
        taken, self._collected = self._collected, []
        return taken


@contextmanager
def collected_warnings() -> Iterator[CollectedWarnings]:
    """Collect the warnings that the service logs, because a command has no log. At the end, print to standard error the warnings
    that the command has not already taken with `take`."""
    logger, warnings = logging.getLogger("bundlesvc"), CollectedWarnings()
    propagated, logger.propagate = logger.propagate, False
    logger.addHandler(warnings)
    try:
        yield warnings
    finally:
        logger.removeHandler(warnings)
        logger.propagate = propagated
        for warning in warnings.take():
            click.echo(f"bundlesvc: {printable(warning)}.", err=True)
