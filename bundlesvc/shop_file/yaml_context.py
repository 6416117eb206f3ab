"""The place where a YAML parser stopped, the lines around it, and the tokens read so far."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_MARKERS = re.compile(r"\s*(?:- +)*")


@dataclass(frozen=True)
class Mistake:
    """The position where a parser stopped, and the position that it reports as the start of the problem. Lines and columns are
    counted from 0."""

    text: str
    loader: type[Any]
    problem: str
    context: str
    line: int
    column: int
    start: tuple[int, int]

    @cached_property
    def lines(self) -> list[str]:
        return _BREAK.split(self.text)

    @property
    def here(self) -> str:
        return self._line(self.line)

    @property
    def rest(self) -> str:
        """The rest of the line from where the parser stopped."""
        return self.here[self.column :]

    @property
    def first(self) -> str:
        """The first character of the part that cannot be read, or "" at the end of a line."""
        line, column = self.start
        return self._line(line)[column : column + 1]

    @property
    def above(self) -> int:
        """The number of the nearest preceding line that is neither empty nor a comment; -1 if there is none."""
        lines = enumerate(self.lines[: self.line])
        return max((number for number, line in lines if line.strip() and line.lstrip()[0] != "#"), default=-1)

    @property
    def line_above(self) -> str:
        return self.lines[self.above] if self.above >= 0 else ""

    @cached_property
    def before(self) -> "ParserState":
        return _read_before(self)

    def _line(self, number: int) -> str:
        return self.lines[number] if number < len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class ParserState:
    """The state of a parser just before the mistake at which it stopped: its last token, and the lists and mappings that were
    still open."""

    last: yaml.Token | None
    levels: dict[int, bool]
    """Whether each open level is a list, by its indentation."""


def _read_before(mistake: Mistake) -> ParserState:
    last: yaml.Token | None = None
    levels: list[tuple[int, bool]] = []
    try:
        for token in yaml.scan(mistake.text, Loader=mistake.loader):
            if (token.start_mark.line, token.start_mark.column) >= (mistake.line, mistake.column):
                break
            last = token
            if isinstance(token, yaml.BlockSequenceStartToken | yaml.BlockMappingStartToken):
                levels.append((token.start_mark.column, isinstance(token, yaml.BlockSequenceStartToken)))
            elif isinstance(token, yaml.BlockEndToken):
                levels.pop()
    except yaml.YAMLError:
        pass  # the text is parsed as far as possible
    return ParserState(last, dict(levels))


def mistake_at(text: str, fault: yaml.YAMLError, loader: type[Any]) -> Mistake | None:
    """Return the mistake at the position that a parser error reports, or None if the error contains no position."""
    start = getattr(fault, "context_mark", None)
    mark = getattr(fault, "problem_mark", None) or start
    if mark is None:
        return None
    start = start or mark
    context = getattr(fault, "context", None) or ""
    return Mistake(text, loader, problem_of(fault), context, mark.line, mark.column, (start.line, start.column))


def problem_of(fault: yaml.YAMLError) -> str:
    """Describe the fault in the parser's own words."""
    return getattr(fault, "problem", None) or getattr(fault, "reason", None) or "it cannot be parsed"


def indentation(line: str) -> str:
    """Return the white space before the text of a line."""
    return line[: len(line) - len(line.lstrip())]


def content(line: str) -> int:
    """Return the column of a line's content, after the "- " of list items."""
    found = _MARKERS.match(line)
    return found.end() if found else 0
