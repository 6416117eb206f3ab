"""The GraphQL documents that are sent: `.graphql` files beside this module. `#import "x.graphql"` stands for that file's text."""

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
    """One operation with its fragments. `changes`: it is a mutation, which must not be sent twice without a second look."""

    name: str
    text: str
    changes: bool


@cache
def document(name: str) -> Document:
    """The document of the file `<name>.graphql`; each is read once in a process."""
    text = "".join(dict.fromkeys(_texts(f"{name}.graphql")))
    operation = _OPERATION.search(text)
    if operation is None:
        raise LookupError(name)
    return Document(operation["name"], text, changes=operation["kind"] == "mutation")


def _texts(file: str) -> Iterator[str]:
    """A file's text, then those of all that it imports."""
    text = (_FOLDER / file).read_text(encoding="utf-8")
    yield text
    for found in _IMPORT.finditer(text):
        yield from _texts(found["file"])
