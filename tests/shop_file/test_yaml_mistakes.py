"""Mistakes in YAML: each is reported in plain words, with the line to change and what to write there."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.shop_file.parsing import parse_file
from bundlesvc.shop_file.tree import Unreadable
from bundlesvc.shop_file.yaml_mistakes import explained

LOADERS = [yaml.SafeLoader, *filter(None, [getattr(yaml, "CSafeLoader", None)])]
TAB = "There is a tab"
INDENTED = "The line is indented by"
NOT_CLOSED = "is not closed. Add a"

MISTAKES = {
    "tab": ("shop:\n\thandle: demo\n", 2, TAB),
    "tab behind spaces": ("shop:\n  \thandle: demo\n", 2, TAB),
    "tab below spaces": ("shop:\n  handle: demo\n\tname: Demo\n", 3, TAB),
    "tab behind a dash": ("bundles:\n-\tid: 1\n\tname: Box\n", 2, TAB),
    "no space after a colon": ("shop:\n  handle:demo\n  name: Demo\n", 2, 'no space after "handle:"'),
    "no space after the second colon": ("shop:\n  name: Demo\n  handle:demo\n", 3, 'no space after "handle:"'),
    "no space between others": ("shop:\n  a: 1\n  handle:demo\n  b: 2\n", 3, 'no space after "handle:"'),
    "no space before a list": ("shop:\n  name: Demo\nbundles:[]\n", 3, 'no space after "bundles:"'),
    "no space in an item": ("bundles:\n  - id:3\n    name: Box\n", 2, 'no space after "id:"'),
    "double quote left open": ('shop:\n  name: "Demo\n  handle: demo\n', 2, f'begins with " {NOT_CLOSED} "'),
    "single quote left open": ("shop:\n  name: 'Demo\n  handle: demo\n", 2, f"begins with ' {NOT_CLOSED} '"),
    "quote closed by the next": ('shop:\n  name: "Demo\n  handle: "demo"\n', 2, f'begins with " {NOT_CLOSED} "'),
    "apostrophe in quotes": ("shop:\n  name: 'Demo's shop'\n", 2, "Write a ' inside of it as ''"),
    "quote in quotes": ('shop:\n  name: "The "best" shop"\n', 2, 'Write a " inside of it as \\"'),
    "backslash": ('a: "C:\\dir"\n', 1, "Write \\\\ for the character itself"),
    "too deep": ("shop:\n  a: 1\n    b: 2\n", 3, f"{INDENTED} 4 spaces, deeper than the one above it"),
    "too deep in an item": ("bundles:\n  - id: 1\n      name: x\n", 3, "Indent it by 4 spaces."),
    "not deep enough": (
        "shop:\n    a: 1\n  b: 2\n",
        3,
        f"{INDENTED} 2 spaces, which fits no line above it. Indent it by 0 or 4.",
    ),
    "one space too few": ("bundles:\n  - id: 1\n   name: x\n", 3, "Indent it by 0 or 2 or 4."),
    "dash too deep": ("bundles:\n  - id: 1\n   - id: 2\n", 3, f"{INDENTED} 3 spaces"),
    "name at the dash": ("bundles:\n  - id: 1\n  name: x\n", 3, "indent it by 4 spaces if it belongs to the item"),
    "dash among names": ("shop:\n  name: x\n  - id: 1\n", 3, 'There is a "-" among names'),
    "top level indented": ("  shop:\n    a: 1\nbundles: []\n", 3, "without spaces before them"),
    "dash without space": ("bundles:\n  -id: 1\n  - id: 2\n", 2, 'no space after the "-"'),
    "dash behind a name": ("bundles: - id: 1\n", 1, "each item of a list in a line of its own"),
    "no colon": ("shop:\n  handle demo\n  name: x\n", 2, "without a colon"),
    "no colon at the end": ("shop:\n  name: x\n  handle demo\nbundles: []\n", 3, "without a colon"),
    "colon in a text": ("shop:\n  name: Box: the best\n", 2, "contains a colon in quotation marks"),
    "at sign": ("a: @demo\n", 1, "cannot begin with @"),
    "percent sign": ("a: %10\n", 1, "cannot begin with %"),
    "star": ("a: *new* box\n", 1, "cannot begin with *"),
    "bracket left open": ("a: [1, 2\nb: 3\n", 2, 'The "[" of line 1 is not closed'),
    "no comma in braces": ("a: {x: 1 y: 2}\n", 1, "put a comma between its items"),
    "text behind a bracket": ("name: [Sale] Box\n", 1, "put it in quotation marks"),
    "bracket that nothing opens": ("a: b\n]\n", 2, 'a "]" that nothing opens'),
}


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(("text", "line", "words"), MISTAKES.values(), ids=MISTAKES)
def test_mistake_has_its_line_and_its_remedy(text: str, line: int, words: str, loader: type) -> None:
    """A mistake is reported with its line and remedy, in the same words for libyaml and for the Python parser."""
    with pytest.raises(yaml.YAMLError) as fault:
        list(yaml.parse(text, Loader=loader))
    message, found = explained(text, fault.value, loader)

    assert (found, words in message) == (line, True), message
    assert "not valid YAML" not in message


def test_explanation_is_what_a_file_is_refused_with() -> None:
    with pytest.raises(Unreadable) as refused:
        parse_file(b"shop:\n\thandle: demo\n", "shop.yaml")

    assert (refused.value.fault.line, refused.value.fault.message) == (
        2,
        "There is a tab, which YAML does not accept here. Replace it with spaces.",
    )


@given(
    st.lists(
        st.sampled_from(
            ["a", ": ", ":", "- ", "-", "\n", "  ", "\t", '"', "'", "[", "]", "{", "}", ",", "\\", "@", "\x85", "\r"]
        )
    )
)
def test_every_fault_is_explained_within_the_file(parts: list[str]) -> None:
    text = "".join(parts)
    for loader in LOADERS:
        try:
            list(yaml.parse(text, Loader=loader))
        except yaml.YAMLError as fault:
            message, line = explained(text, fault, loader)
            assert message.endswith(".")
            assert line is None or 1 <= line <= len(text.splitlines()) + 1
