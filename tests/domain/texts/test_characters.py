"""Characters that hide what a string says, and similar characters that are allowed."""

import pytest

from bundlesvc.domain.texts.characters import hidden_in_line, hidden_in_lines

DIRECTION = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
CONTROL = [*range(0x20), *range(0x7F, 0xA0)]
USEFUL = {
    "accents": "Café crème",
    "an emoji family": "\U0001f469\u200d\U0001f467",
    "a flag of tags": "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    "Hebrew with marks": "\u200f\u05e7\u05e4\u05d4\u200e",
    "Persian with a non-joiner": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "an Arabic letter mark": "\u061c\u0661",
    "a no-break space": "10\u00a0g",
    "a soft hyphen": "Donau\u00addampf",
}


@pytest.mark.parametrize("number", [*DIRECTION, *CONTROL])
def test_hidden_character_is_found_in_a_line(number: int) -> None:
    assert hidden_in_line(f"Box{chr(number)}M") == f"U+{number:04X}"


@pytest.mark.parametrize("number", [*DIRECTION, *CONTROL])
def test_lines_allow_tabs_and_line_breaks(number: int) -> None:
    expected = None if chr(number) in "\t\n" else f"U+{number:04X}"
    assert hidden_in_lines(f"Box{chr(number)}M") == expected


def test_carriage_return_is_allowed_only_before_a_line_feed() -> None:
    assert hidden_in_lines("one\r\ntwo") is None
    assert hidden_in_lines("one\r\r\ntwo") == "U+000D"
    assert hidden_in_lines("one\r") == "U+000D"


@pytest.mark.parametrize("text", USEFUL.values(), ids=USEFUL.keys())
def test_characters_of_languages_and_emoji_are_allowed(text: str) -> None:
    assert hidden_in_line(text) is None
    assert hidden_in_lines(text) is None
