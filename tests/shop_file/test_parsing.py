"""Parsing a file into a tree of strings: scalars, lines, and files that cannot be parsed."""

import json

import pytest

from bundlesvc.shop_file.parsing import _json_events, _regular_marks, _regular_tree, parse_file
from bundlesvc.shop_file.tree import ParsedFile, Tree, Unreadable
from bundlesvc.shop_file.tree_building import MAX_DEPTH, build_tree


def read(text: str, name: str = "shop.yaml") -> ParsedFile:
    return parse_file(text.encode(), name)


def refused(data: str | bytes, name: str = "shop.yaml") -> tuple[str, int | None]:
    with pytest.raises(Unreadable) as unreadable:
        parse_file(data.encode() if isinstance(data, str) else data, name)
    return unreadable.value.fault.message, unreadable.value.fault.line


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("NO", "NO"),
        ("yes", "yes"),
        ("true", "true"),
        ("19.90", "19.90"),
        ("0123", "0123"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("1e3", "1e3"),
        ("2026-11-21", "2026-11-21"),
        ("12:30:45", "12:30:45"),
        (".nan", ".nan"),
        ("null", None),
        ("Null", None),
        ("NULL", None),
        ("~", None),
        ("", None),
        ('"null"', "null"),
        ("'~'", "~"),
        ('""', ""),
        ("!!str null", "null"),
        ('!!null ""', None),
        ("!!int 3", "3"),
        ("! null", "null"),
        ('"\\U0001F375"', "🍵"),
        ('"a\\/b"', "a/b"),
        ("nULL", "nULL"),
        ("|\n  two\n  lines\n", "two\nlines\n"),
        ("{}", {}),
        ("[a, ~, [1]]", ["a", None, ["1"]]),
    ],
)
def test_yaml_scalars_stay_as_they_are_written(written: str, value: Tree) -> None:
    assert read(f"key: {written}").tree == {"key": value}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("19.90", "19.90"),
        ("-0.0", "-0.0"),
        ("1E400", "1E400"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("9" * 5000, "9" * 5000),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("true", "true"),
        ("false", "false"),
        ("null", None),
        ('"null"', "null"),
        ('"a\\"b\\\\"', 'a"b\\'),
        ('"\\ud83c\\udf75\\/"', "🍵/"),
        ('"{[,:]}"', "{[,:]}"),
        ("[]", []),
        ("[1, {\t}, [null]]", ["1", {}, [None]]),
    ],
)
def test_json_scalars_stay_as_they_are_written(written: str, value: Tree) -> None:
    assert read(f'{{"key": {written}}}', "shop.json").tree == {"key": value}


def test_yaml_keys_are_text() -> None:
    assert read("NO: 1\nnull: 2\n0123: 3\n? x\n: 4").tree == {"NO": "1", "null": "2", "0123": "3", "x": "4"}


BLOCKS = """# a comment
shop:
  handle: demo

bundles:
- id: 1
  discount: {type: percentage,
             value: 3}
- id: 2
  description: >
    folded
    text
  name: last
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ((), 2),
        (("shop",), 2),
        (("shop", "handle"), 3),
        (("shop", "name"), 2),
        (("bundles",), 5),
        (("bundles", 0), 6),
        (("bundles", 0, "discount", "value"), 8),
        (("bundles", 0, "discount", "value", "deeper"), 8),
        (("bundles", 1), 9),
        (("bundles", 1, "name"), 13),
        (("bundles", 7), 5),
        (("nothing",), 2),
    ],
)
def test_every_part_has_its_line(path: tuple[str | int, ...], line: int) -> None:
    assert read(BLOCKS).line_of(path) == line


def test_every_part_of_json_has_its_line() -> None:
    text = json.dumps({"shop": {"handle": "demo"}, "bundles": [{"id": 1}, {"id": 2, "name": "x"}]}, indent="\t")
    parsed = read(text, "shop.json")
    lines = text.splitlines()
    assert lines[parsed.line_of(("shop", "handle")) - 1].strip() == '"handle": "demo"'
    assert lines[parsed.line_of(("bundles", 1, "name")) - 1].strip() == '"name": "x"'


@pytest.mark.parametrize("spoiler", ["", '"twice": 1, "twice": 2, ', '"nul": "\\u0000", '])
def test_regular_and_faulty_json_have_the_same_tree_and_lines(spoiler: str) -> None:
    """Faulty JSON yields the same tree and lines as valid JSON, although only valid JSON is parsed by the standard library."""
    text = '{\n%s"a": [true, null, -1.50, [false]],\n"b": {\n"c": "\\u00fc", "d": {}, "e": []\n}}'
    parsed = read(text % spoiler, "shop.json")
    assert bool(parsed.faults) is bool(spoiler)
    assert parsed.tree["a"] == ["true", None, "-1.50", ["false"]]
    assert parsed.tree["b"] == {"c": "ü", "d": {}, "e": []}
    paths: list[tuple[str | int, ...]] = [
        ("a",),
        ("a", 3, 0),
        ("b",),
        ("b", "e"),
        ("b", "none"),
        ("a", 9),
        ("b", "c", "d"),
    ]
    assert [parsed.line_of(path) for path in paths] == [2, 2, 3, 4, 3, 2, 4]


@pytest.mark.parametrize(
    "text",
    [
        '{"a"\n:\n1,\n"b"\n:\n{\n"c":[\n1,\n{"d":\n2},[]\n,{}]}}',
        '{"a\\"": "b:\\\\",\n"c:": [":", "\\\\\\"", "x" ,\n"y"]\n, "d": {"e": "f:"}}',
        '{"a": [true\n, null, -1.5e3\n]}',
    ],
)
def test_the_short_way_to_lines_finds_the_same_ones(text: str) -> None:
    assert _regular_tree(text) is not None
    assert _regular_marks(text) == build_tree(_json_events(text), []).read_marks()


@pytest.mark.parametrize("name", ["shop.json", "SHOP.JSON", "shop", "shop.txt"])
def test_json_is_recognised_by_its_name_or_its_first_character(name: str) -> None:
    assert read('{\t"a": 1}', name).tree == {"a": "1"}


@pytest.mark.parametrize("name", ["shop.yaml", "shop.yml", "shop", "shop.txt"])
def test_everything_else_is_yaml(name: str) -> None:
    assert read("a: 1", name).tree == {"a": "1"}


def test_json_in_a_yaml_file_is_parsed() -> None:
    assert read('{"a": [1, "x"]}').tree == {"a": ["1", "x"]}


@pytest.mark.parametrize("name", ["shop.yaml", "shop.json"])
def test_a_byte_order_mark_is_ignored(name: str) -> None:
    assert parse_file(b'\xef\xbb\xbf{"a": 1}', name).tree == {"a": "1"}


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "empty", 1),
        ("# only a comment\n", "empty", 1),
        ("- a\n- b\n", "must be a mapping", 1),
        ("\n\njust text", "must be a mapping", 3),
        ("~", "must be a mapping", 1),
        ("a: 1\n---\nb: 2\n", "second YAML document", 2),
        ("a: [1, 2\nb: 3\n", "not closed", 2),
        ("a: 1\n b: 2\n", "indented by 1 space", 2),
        ("a: b: c", "second colon", 1),
        ("a: @b", "cannot begin with @", 1),
        ('a: "\\ud83d"', "escape sequence", 1),
        ("a: 1\nb: \x07\n", "U+0007", 2),
        ("a: 1\n? [b]\n: 2\n", "key must be plain text", 2),
        ("? {b: 1}\n: 2\n", "key must be plain text", 1),
        ("a: &x 1\n? *x\n: 2\n", "key must be plain text", 2),
        ("a: &x\n  b: *x\n", "inside its own anchor", 2),
        ("a: 1\nb: *x\n", "has no anchor before it", 2),
        ("%YAML 3.0\n---\na: 1", "not valid YAML", 1),
    ],
)
def test_yaml_that_cannot_be_parsed(text: str, message: str, line: int) -> None:
    found = refused(text)
    assert message in found[0]
    assert found[1] == line


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "empty", 1),
        ("[1]", "must be a mapping", 1),
        ('"x"', "must be a mapping", 1),
        ('{"a": 1,\n}', "not valid JSON", 2),
        ('{"a": 1}\n{"b": 2}', "not valid JSON", 2),
        ("{'a': 1}", "not valid JSON", 1),
        ('{"a": 01}', "not valid JSON", 1),
        ('{"a": "x\ny"}', "not valid JSON", 1),
    ],
)
def test_json_that_cannot_be_parsed(text: str, message: str, line: int) -> None:
    found = refused(text, "shop.json")
    assert message in found[0]
    assert found[1] == line


@pytest.mark.parametrize("name", ["shop.yaml", "shop.json"])
def test_only_utf_8_is_accepted(name: str) -> None:
    assert refused(b'{"a": 1,\n "b": "\xff"}', name) == ("The file is not in UTF-8.", 2)
    assert "UTF-8" in refused('{"a": 1}'.encode("utf-16"), name)[0]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("name", ["shop.yaml", "shop.json"])
@pytest.mark.parametrize("depth", [MAX_DEPTH, 900, 200_000])
def test_deep_nesting_is_a_fault(opening: str, closing: str, name: str, depth: int) -> None:
    message, _ = refused(f'{{"a": {opening * depth}1{closing * depth}}}', name)
    assert "nested" in message


def test_nesting_within_the_limit_is_accepted() -> None:
    depth = MAX_DEPTH - 1
    assert "a" in read(f"a: {'[' * depth}{']' * depth}").tree


def test_deep_block_nesting_is_a_fault() -> None:
    assert "nested" in refused("\n".join(f"{' ' * depth}a:" for depth in range(1000)))[0]


def test_an_alias_repeats_its_anchor() -> None:
    parsed = read("a: &x {k: [1]}\nb:\n  - *x\n  - &x other\n  - *x\n")
    assert parsed.tree == {"a": {"k": ["1"]}, "b": [{"k": ["1"]}, "other", "other"]}
    assert parsed.line_of(("b", 0)) == 3
    assert parsed.line_of(("b", 0, "k", 0)) == 1


def test_aliases_cannot_repeat_billions_of_parts() -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 12))
    assert "repeat more than" in refused(f"l0: &l0 [x]\n{levels}")[0]


def test_aliases_cannot_nest_deeper_than_the_limit() -> None:
    levels = "".join(f"l{n}: &l{n} [[[[*l{n - 1}]]]]\n" for n in range(1, 200))
    assert "nested" in refused(f"l0: &l0 [x]\n{levels}")[0]


@pytest.mark.parametrize(
    ("text", "name"),
    [("a: 1\nb: {c: 2,\n    c: 3}\na: 4\n", "shop.yaml"), ('{"a": 1,\n"b": {"c": 2,\n"c": 3},\n"a": 4}', "shop.json")],
)
def test_a_repeated_key_is_a_fault_and_the_first_one_counts(text: str, name: str) -> None:
    parsed = read(text, name)
    assert parsed.tree == {"a": "1", "b": {"c": "2"}}
    found = [(fault.path, fault.line, fault.message) for fault in parsed.faults]
    first = parsed.line_of(("b", "c"))
    last = text.count("\n", 0, text.rindex("a")) + 1
    assert found == [
        (("b", "c"), first + 1, f"The key 'c' is already in line {first}; remove one of the two."),
        (("a",), last, "The key 'a' is already in line 1; remove one of the two."),
    ]


@pytest.mark.parametrize("tag", ["!!binary", "!!python/object:os.system", "!mine", "!!set", "!!timestamp"])
def test_unknown_tags_are_faults(tag: str) -> None:
    (fault,) = read(f"a: 1\nb: {tag} {{x: y}}").faults
    assert fault.line == 2
    assert "tag" in fault.message


@pytest.mark.parametrize("escape", ["\\u0000", "\\ud800", "\\udc00x"])
def test_text_that_cannot_be_stored_is_a_fault_and_is_replaced(escape: str) -> None:
    parsed = read(f'{{"a": 1,\n"b{escape}": ["{escape}"]}}', "shop.json")
    assert [fault.line for fault in parsed.faults] == [2, 2]
    assert "\x00" not in str(parsed.tree)
    str(parsed.tree).encode()


def test_nul_in_yaml_is_a_fault() -> None:
    assert len(read('a: "\\0"').faults) == 1
