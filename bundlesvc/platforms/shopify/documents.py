"""The GraphQL documents: the `.graphql` files in `documents/`. The line `#import "x.graphql"` includes that file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FOLDER = files(__package__) / "documents"
_IMPORT = re.compile(r'^#import "(?P<file>[a-z_]+\.graphql)"$', re.MULTILINE)
_OPERATION = re.compile(r"^(?P<kind>query|mutation) (?P<name>\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """One operation with its fragments. `changes`: it is a mutation, and must not be retried without checking its outcome."""

    name: str
    text: str
    changes: bool


@cache
def document(name: str) -> Document:
    """The document in the file `<name>.graphql`; a process reads each file once."""
    text = "".join(dict.fromkeys(_texts(f"{name}.graphql")))
    operation = _OPERATION.search(text)
    if operation is None:
        raise LookupError(name)
    return Document(operation["name"], text, changes=operation["kind"] == "mutation")


def _texts(file: str) -> Iterator[str]:
    """The text of a file, then of every file that it imports."""
    text = (_FOLDER / file).read_text(encoding="utf-8")
    yield text
    for found in _IMPORT.finditer(text):
        yield from _texts(found["file"])
