"""The shop files that arguments of a command stand for."""

from collections.abc import Iterable
from pathlib import Path

_SUFFIXES = (".json", ".yaml", ".yml")


def files_of(paths: Iterable[Path]) -> list[Path]:
    """The files, and those in the folders by name. A folder without any stays, so that it is reported."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(each for each in path.iterdir() if each.suffix in _SUFFIXES) if path.is_dir() else []
        found += inside or [path]
    return list(dict.fromkeys(found))
