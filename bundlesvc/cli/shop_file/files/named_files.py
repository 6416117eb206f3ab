"""The shop files named by a command's arguments."""

from collections.abc import Iterable
from pathlib import Path

_SUFFIXES = (".json", ".yaml", ".yml")
_SCHEMA_SUFFIX = ".schema.json"


def files_of(paths: Iterable[Path]) -> list[Path]:
    """List the given files and, for each folder, the shop files in it, sorted by name. A folder that contains no shop files is
    itself included in the list, so that it is reported."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(each for each in path.iterdir() if _is_shop_file(each)) if path.is_dir() else []
        found += inside or [path]
    return list(dict.fromkeys(found))


def _is_shop_file(path: Path) -> bool:
    """Whether a file in a folder is a shop file, judging by its name. JSON Schemas for editors do not count as shop files."""
    return path.suffix in _SUFFIXES and not path.name.endswith(_SCHEMA_SUFFIX)
