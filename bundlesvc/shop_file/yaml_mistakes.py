"""Explains mistakes in YAML in plain words: which line to change, and what to write there."""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

import yaml

from bundlesvc.shop_file.yaml_context import Mistake, content, indentation, mistake_at, problem_of

Explanation: TypeAlias = tuple[str, int]
"""An explanation of one or two sentences, and the line to change."""

_WORDS_WITHOUT_SPACE = re.compile(r"\s*(?:- +)*[\w-]+:(?=[^\s/])")
_KEY = re.compile(r"\s*(?:- +)*[^\s#-][^#]*?:(?:\s|$)")
_DASH_WITHOUT_SPACE = re.compile(r"\s*-[^\s-]")
_ITEM = re.compile(r"\s*-(?:\s|$)")
_CLOSING = {"[": "]", "{": "}"}
_NEVER_FIRST = "@`%"
_SPECIAL_FIRST = "*&!|>"


def explained(text: str, fault: yaml.YAMLError, loader: type[Any]) -> tuple[str, int | None]:
    """Explain which change makes the text valid, and on which line. The line is None if the parser reports none."""
    mistake = mistake_at(text, fault, loader)
    unexplained = f"This is not valid YAML: {problem_of(fault)}."
    if mistake is None:
        return unexplained, None
    found = next(filter(None, (explain(mistake) for explain in _EXPLANATIONS)), None)
    return found or (unexplained, mistake.line + 1)


def _tab(mistake: Mistake) -> Explanation | None:
    if mistake.rest.startswith("\t") or "\t" in indentation(mistake.here):
        return "There is a tab, which YAML does not accept here. Replace it with spaces.", mistake.line + 1
    return None


def _open_quote(mistake: Mistake) -> Explanation | None:
    if "end of stream" in mistake.problem and "quoted" in mistake.context:
        return _not_closed(mistake.first, mistake.start[0])
    last = mistake.before.last
    if not isinstance(last, yaml.ScalarToken) or last.style not in ('"', "'"):
        return None
    if last.start_mark.line < last.end_mark.line == mistake.line:
        return _not_closed(last.style, last.start_mark.line)
    if last.end_mark.line == mistake.line and _follows(last, mistake):
        inside = '\\"' if last.style == '"' else "''"
        message = f"The text in quotation marks ends before the end of the line. Write a {last.style} inside of it as {inside}."
        return message, mistake.line + 1
    return None


def _not_closed(quote: str, line: int) -> Explanation:
    return f"The text that begins with {quote} is not closed. Add a {quote} at its end.", line + 1


def _escape(mistake: Mistake) -> Explanation | None:
    if "escape" not in mistake.problem:
        return None
    return (
        "A \\ in double quotation marks begins an escape sequence. Write \\\\ for the character itself.",
        mistake.line + 1,
    )


def _brackets(mistake: Mistake) -> Explanation | None:
    """Explain a list or mapping in brackets that is not closed, lacks a comma, or was meant as a string."""
    last = mistake.before.last
    if "flow" in mistake.context and mistake.first in _CLOSING:
        message = (
            f'The "{mistake.first}" of line {mistake.start[0] + 1} is not closed: put a comma between its items and a '
            f'"{_CLOSING[mistake.first]}" at its end. A text that contains brackets needs quotation marks.'
        )
        return message, mistake.line + 1
    if isinstance(last, yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken) and _follows(last, mistake):
        return (
            "There is text behind a closing bracket. If all of it is text, put it in quotation marks.",
            mistake.line + 1,
        )
    if mistake.rest[:1] in _CLOSING.values():
        return f'There is a "{mistake.rest[0]}" that nothing opens. Remove it, or put the text in quotation marks.', (
            mistake.line + 1
        )
    return None


def _first_character(mistake: Mistake) -> Explanation | None:
    character, line = mistake.rest[:1], mistake.line
    if "cannot start" not in mistake.problem or character not in _NEVER_FIRST:
        character, line = mistake.first, mistake.start[0]
        if not character or character not in _SPECIAL_FIRST or "scanning" not in mistake.context:
            return None
    return f"A text cannot begin with {character} in YAML. Put the text in quotation marks.", line + 1


def _missing_space(mistake: Mistake) -> Explanation | None:
    """Explain a missing space, as in `handle:demo`. YAML reads this as a single string, which makes this line or a nearby one
    invalid."""
    named = (mistake.start[0], mistake.above, mistake.line)
    above = (mistake.above,) if _is_level(mistake) else ()
    candidates: tuple[int, ...] = named if "':'" in mistake.problem else above
    for line in candidates:
        found = _WORDS_WITHOUT_SPACE.match(mistake.lines[line]) if 0 <= line < len(mistake.lines) else None
        if found:
            key = found.group().strip().lstrip("- ")
            return f'There is no space after "{key}". Write a space between the colon and the value.', line + 1
    return None


def _missing_dash_space(mistake: Mistake) -> Explanation | None:
    if not _DASH_WITHOUT_SPACE.match(mistake.line_above) or not _ITEM.match(mistake.here):
        return None
    return 'There is no space after the "-" that begins an item of a list. Add one.', mistake.above + 1


def _missing_colon(mistake: Mistake) -> Explanation | None:
    if "':'" in mistake.problem:
        line = mistake.start[0]
    elif _is_colon(mistake) and _is_level(mistake):
        line = mistake.above
    else:
        return None
    if line >= len(mistake.lines) or _KEY.match(mistake.lines[line]):
        return None
    return "There is a name or a text without a colon. Write a name, a colon, a space and a value.", line + 1


def _colon_in_text(mistake: Mistake) -> Explanation | None:
    if not _is_colon(mistake) or not _KEY.match(mistake.here[: mistake.column]):
        return None
    return "There is a second colon in the line. Put a text that contains a colon in quotation marks.", mistake.line + 1


def _deeper(mistake: Mistake) -> Explanation | None:
    """Explain a line that is indented deeper than the one above, which already has a value."""
    above = mistake.line_above
    if not _is_colon(mistake) or _width(mistake.here) <= content(above):
        return None
    return (
        f"The line is indented by {_spaces(_width(mistake.here))}, deeper than the one above it, which has a value already. "
        f"Indent it by {_spaces(content(above))}."
    ), mistake.line + 1


def _levels(mistake: Mistake) -> Explanation | None:
    """Explain a line that belongs to none of the parts above it, either because its indentation matches none of them, or because
    it is an item outside any list."""
    width = _width(mistake.here)
    if mistake.column != width or "block" not in mistake.context:
        return None
    levels = mistake.before.levels
    if width not in levels:
        fitting = " or ".join(map(str, sorted(levels)))
        return (
            f"The line is indented by {_spaces(width)}, which fits no line above it. Indent it by {fitting}.",
            mistake.line + 1,
        )
    if levels[width]:
        deeper = _spaces(content(mistake.line_above))
        return (
            f'The lines above it are items of a list. Begin the line with "- " for a new item, or indent it by {deeper} if it '
            "belongs to the item above."
        ), mistake.line + 1
    if _ITEM.match(mistake.here):
        return (
            'There is a "-" among names with values. Indent it deeper than the name whose list it is in.',
            mistake.line + 1,
        )
    return None


def _outside(mistake: Mistake) -> Explanation | None:
    if "document start" not in mistake.problem:
        return None
    message = (
        "The line does not belong to what is above it. Write all names of the top level without spaces before them."
    )
    return message, mistake.line + 1


def _item_behind_name(mistake: Mistake) -> Explanation | None:
    if "sequence entries" not in mistake.problem:
        return None
    return 'There is a "-" behind other text. Begin each item of a list in a line of its own.', mistake.line + 1


_EXPLANATIONS: tuple[Callable[[Mistake], Explanation | None], ...] = (
    _tab,
    _open_quote,
    _escape,
    _brackets,
    _first_character,
    _missing_space,
    _missing_colon,
    _colon_in_text,
    _deeper,
    _missing_dash_space,
    _levels,
    _outside,
    _item_behind_name,
)
"""Functions that return an explanation of a mistake, or None. The first explanation is shown."""


def _follows(last: yaml.Token, mistake: Mistake) -> bool:
    """Whether the mistake is on the same line as the token before it, with at most whitespace between them."""
    return last.end_mark.line == mistake.line and not mistake.here[last.end_mark.column : mistake.column].strip()


def _is_colon(mistake: Mistake) -> bool:
    return mistake.rest.startswith(":")


def _is_level(mistake: Mistake) -> bool:
    """Whether the line of the mistake begins in the same column as the content of the line above."""
    return mistake.above >= 0 and _width(mistake.here) == content(mistake.line_above)


def _width(line: str) -> int:
    return len(indentation(line))


def _spaces(number: int) -> str:
    return "1 space" if number == 1 else f"{number} spaces"
