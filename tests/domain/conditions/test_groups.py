"""Groups of conditions, and which conditions decided a result (docs/contract.md#conditions)."""

import pytest

from tests.domain.builders import line
from tests.domain.conditions.nodes import discount, group, items, message, run


@pytest.mark.parametrize(
    ("mode", "children", "held"),
    [
        pytest.param("all", ["yes", "yes2"], True, id="all, both"),
        pytest.param("all", ["yes", "no"], False, id="all, one"),
        pytest.param("all", ["no", "no2"], False, id="all, none"),
        pytest.param("any", ["yes", "yes2"], True, id="any, both"),
        pytest.param("any", ["no", "yes"], True, id="any, one"),
        pytest.param("any", ["no", "no2"], False, id="any, none"),
        pytest.param("none", ["yes", "yes2"], False, id="none, both"),
        pytest.param("none", ["no", "yes"], False, id="none, one"),
        pytest.param("none", ["no", "no2"], True, id="none, none"),
        pytest.param("none", ["yes"], False, id="none of one: not"),
        pytest.param("all", ["no-group", "yes"], False, id="all, over a group"),
        pytest.param("none", ["no-group", "no"], True, id="none, over a group"),
        pytest.param("any", ["no", "not-no"], True, id="any, over a group"),
    ],
)
def test_group_modes(mode: str, children: list[str], held: bool) -> None:
    nodes = [
        group("top", mode, *children),
        group("no-group", "any", "no", "no2"),
        group("not-no", "none", "no"),
        items("yes", 1),
        items("yes2", 2),
        items("no", 3),
        items("no2", 4),
        discount("a1", "top"),
    ]
    assert bool(run(nodes, [line(2)]).discount) is held


def test_groups_can_be_nested_to_any_depth() -> None:
    """Groups can be nested to any depth: `none` of `none` of … over a true condition is true at an even depth."""
    depth = 600
    nodes = [group(f"g{level}", "none", f"g{level - 1}" if level else "c1") for level in reversed(range(depth))]

    assert run([*nodes, items("c1", 1), discount("a1", f"g{depth - 1}")], [line()]).discount is not None


@pytest.mark.parametrize(
    ("mode", "children", "fired", "deciders"),
    [
        pytest.param("all", ["yes", "yes2"], True, {"yes", "yes2"}, id="all hold: every one"),
        pytest.param("all", ["yes", "no"], False, {"no"}, id="all, one does not: that one"),
        pytest.param("any", ["yes", "no"], True, {"yes"}, id="any, one holds: that one"),
        pytest.param("any", ["no", "no2"], False, {"no", "no2"}, id="any, none holds: every one"),
        pytest.param("none", ["yes", "no"], False, {"yes"}, id="none, one holds: that one"),
        pytest.param("none", ["no", "no2"], True, {"no", "no2"}, id="none holds: every one"),
        pytest.param("all", ["inner", "yes"], False, {"no", "no2"}, id="through a group"),
        pytest.param("any", ["yes", "yes"], True, {"yes"}, id="each once"),
    ],
)
def test_the_result_names_the_conditions_that_decided(
    mode: str, children: list[str], fired: bool, deciders: set[str]
) -> None:
    nodes = [
        items("yes", 1),
        items("yes2", 2),
        items("no", 3),
        items("no2", 4),
        group("inner", "any", "no", "no2"),
        group("top", mode, *children),
        message("a1", "top"),
        message("a2"),
    ]
    verdicts = run(nodes, [line(2)]).verdicts

    assert verdicts is not None
    assert verdicts.keys() == {"a1", "a2"}
    assert (verdicts["a1"].holds, set(verdicts["a1"].decided_by)) == (fired, deciders)
    assert len(verdicts["a1"].decided_by) == len(deciders)
    assert (verdicts["a2"].holds, verdicts["a2"].decided_by) == (True, ())
