"""The GraphQL documents of an adapter: the `.graphql` files in its `documents/` folder. The line `#import "x.graphql"` includes
the file `x.graphql`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

_IMPORT = re.compile(r'^#import "(?P<file>[a-z_]+\.graphql)"$', re.MULTILINE)
_OPERATION = re.compile(r"^(?P<kind>query|mutation) (?P<name>\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """One GraphQL operation with its fragments. `changes` means that the operation is a mutation, which must not be retried
    without checking its outcome."""

    name: str
    text: str
    changes: bool


def documents_of(package: str) -> Mapping[str, Document]:
    """Read the GraphQL documents in an adapter's package, by file name without extension."""
    folder = files(package) / "documents"
    texts = {file.name: file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".graphql")}
    return dict(_documents(texts))


def _documents(texts: Mapping[str, str]) -> Iterator[tuple[str, Document]]:
    """Yield each document with its file name, without the extension. Files without an operation are skipped, because they exist
    only to be imported."""
    for file in texts:
        text = "".join(dict.fromkeys(_with_imports(file, texts)))
        operation = _OPERATION.search(text)
        if operation is not None:
            changes = operation["kind"] == "mutation"
            yield file.removesuffix(".graphql"), Document(operation["name"], text, changes)


def _with_imports(file: str, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the text of a file, then of every file that it imports."""
    yield texts[file]
    for found in _IMPORT.finditer(texts[file]):
        yield from _with_imports(found["file"], texts)
