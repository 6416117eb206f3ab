"""Loading any file returns a shop or raises ShopFileInvalid."""

import json
from pathlib import Path
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.difference import difference
from bundlesvc.shop_file.loading import ShopFileInvalid, parse_shop_file
from tests.running.properties import examples
from tests.shop_file.shop_files import FULL, SHOP_JSON, SHOP_YAML

FULL_TREE = yaml.load(FULL, Loader=yaml.BaseLoader)

ODD_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(
        (
            "0 -1 1 42 111 1001 9007199254740991 9007199254740992 1e9 NaN null percentage native shopify condition "
            "group action free-item c1 g1 a1 x1 de"
        ).split()
    ),
)
ODD_TREES = st.recursive(
    ODD_SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.sampled_from(["id", "type"]), inner)
    ),
    max_leaves=6,
)


def spots(tree: Any) -> list[tuple[Any, Any]]:
    """List every place in a tree whose value can be replaced, as its container and key."""
    found: list[tuple[Any, Any]] = []
    pending = [tree]
    while pending:
        holder = pending.pop()
        steps = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else []
        for step in steps:
            found.append((holder, step))
            pending.append(holder[step])
    return found


def loaded(data: bytes, path: Path) -> ShopFile | None:
    """Return the shop, or None if the data is refused. Checks that a refusal lists at least one fault and can be printed."""
    try:
        return parse_shop_file(data, path)
    except ShopFileInvalid as fault:
        refused = fault
    assert refused.faults
    str(refused).encode()
    assert len(str(refused).splitlines()) == len(refused.faults)
    return None


@examples(200)
@given(st.data())
def test_a_file_with_anything_anywhere(data: st.DataObject) -> None:
    tree = json.loads(json.dumps(FULL_TREE))
    for _ in range(data.draw(st.integers(1, 4))):
        holder, step = data.draw(st.sampled_from(spots(tree)))
        change = data.draw(st.sampled_from(["replace", "rename", "remove", "move"]))
        if step not in range(len(holder)) and step not in holder:
            continue
        if change == "replace":
            holder[step] = data.draw(ODD_TREES)
        elif change == "remove":
            del holder[step]
        elif change == "rename" and isinstance(holder, dict):
            holder[data.draw(st.text(max_size=6))] = holder.pop(step)
        else:
            other, place = data.draw(st.sampled_from(spots(tree)))
            holder[step] = json.loads(json.dumps(other[place]))
    shop_file = loaded(json.dumps(tree).encode(), SHOP_JSON)
    if shop_file is not None:
        assert difference(shop_file, shop_file) == []
        assert difference(None, shop_file)
        assert all(bundle.graph is not None for bundle in shop_file.bundles)


@examples(200)
@given(st.text())
@example("a: &a [*a]")
@example("? ? x")
@example("- - -\n-")
def test_any_text(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    loaded(data, SHOP_YAML)
    loaded(data, SHOP_JSON)


@examples(200)
@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    loaded(data, SHOP_YAML)
    loaded(data, SHOP_JSON)


@examples(200)
@given(
    st.integers(0, len(FULL) - 1), st.integers(0, 30), st.text(alphabet="{}[]:,-?&*!|>'\"%@` \n\ta1~#<\\", max_size=6)
)
def test_a_file_with_its_text_broken(place: int, length: int, instead: str) -> None:
    loaded((FULL[:place] + instead + FULL[place + length :]).encode(), SHOP_YAML)


@examples(100)
@given(ODD_TREES)
def test_any_tree(tree: Any) -> None:
    loaded(json.dumps(tree).encode(), SHOP_JSON)
    loaded(json.dumps({"shop": tree, "bundles": [tree], "products": tree, "markets": [tree, tree]}).encode(), SHOP_JSON)
