"""The files of the guides that the service publishes."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from bundlesvc.domain.errors import NotFound

FOLDER = Path(str(files("bundlesvc") / "guides"))
"""The folder of the guides: in a checkout, a symbolic link to `docs/`; in an installed package, a folder with copies of the files
in `docs/`."""

_SERVED = ("*.md", "*.json", "decisions/*.md", "images/*.png")


@cache
def served() -> frozenset[Path]:
    """Return the paths of the published files. The folder is read once per process."""
    return frozenset(path for pattern in _SERVED for path in FOLDER.glob(pattern))


@cache
def names() -> frozenset[str]:
    """Return the names of the guides, as they appear in URLs."""
    return frozenset(path.relative_to(FOLDER).as_posix() for path in served() if path.suffix == ".md")


def pictures() -> list[str]:
    """Return the paths, relative to the folder of the guides, of the published files that are not guides, such as pictures."""
    return sorted(path.relative_to(FOLDER).as_posix() for path in served() if path.suffix != ".md")


def text_of(name: str) -> str:
    """Return the Markdown source of a guide. Raises NotFound."""
    if name not in names():
        raise NotFound
    return (FOLDER / name).read_text("utf-8")


def is_served(path: Path) -> bool:
    """Whether this file in the folder of the guides is published."""
    return path.resolve() in _resolved()


@cache
def _resolved() -> frozenset[Path]:
    return frozenset(path.resolve() for path in served())
