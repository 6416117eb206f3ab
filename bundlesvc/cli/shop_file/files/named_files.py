"""The shop files that the arguments of a command name."""

from collections.abc import Iterable
from pathlib import Path

_SUFFIXES = (".json", ".yaml", ".yml")
_SCHEMA_SUFFIX = ".schema.json"


def files_of(paths: Iterable[Path]) -> list[Path]:
    """The files, and those in the folders by name. A folder without any stays, so that it is reported."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(each for each in path.iterdir() if _is_shop_file(each)) if path.is_dir() else []
        found += inside or [path]
    return list(dict.fromkeys(found))


def _is_shop_file(path: Path) -> bool:
    """Whether a file of a folder is one by its name; a JSON Schema for editors is not."""
    return path.suffix in _SUFFIXES and not path.name.endswith(_SCHEMA_SUFFIX)
