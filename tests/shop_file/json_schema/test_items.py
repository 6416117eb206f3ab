"""The schemas of items accept what the reader of shop files accepts, and refuse the mistakes that both can detect."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from marshmallow import ValidationError

from bundlesvc.domain.revisions.items import BUNDLES, EXPERIMENTS, MARKETS, PRODUCTS, SHOP
from bundlesvc.domain.revisions.merge_patch import patched
from bundlesvc.shop_file.json_schema import item_components
from bundlesvc.shop_file.loading import LISTS, read_shop_file
from bundlesvc.shop_file.loading import SHOP as SHOP_SCHEMA
from bundlesvc.shop_file.plain import NAMES, as_written, plain_content

ROOT = Path(__file__).parents[3]
FILES = [
    ROOT / path
    for path in (
        "config/demo-shop.yaml",
        "tests/shop_file/full.yaml",
        "tests/api/shop.yaml",
        "tests/api/other_shop.yaml",
    )
]
COMPONENTS = item_components()
TITLES = {SHOP: "Shop", MARKETS: "Market", PRODUCTS: "Product", BUNDLES: "Bundle", EXPERIMENTS: "Experiment"}
SCHEMAS = {SHOP: SHOP_SCHEMA, **LISTS}
VALUES: list[Any] = [
    None,
    True,
    "true",
    0,
    1,
    -1,
    2.5,
    "2.5",
    "0012",
    "",
    " ",
    "DE",
    "gte",
    "gid://platform/Product/12",
    [],
    {},
    "é",
]
"""Values that some fields of a shop accept and others refuse."""


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": COMPONENTS}})


VALIDATORS = {name: validator(name) for name in COMPONENTS}


def items_in(path: Path) -> Iterator[tuple[str, Any]]:
    content = plain_content(read_shop_file(path))
    yield SHOP, content[SHOP]
    for kind in NAMES:
        yield from ((kind, item) for item in content[kind])


ITEMS = [each for path in FILES for each in items_in(path)]


def reader_accepts(kind: str, item: Any) -> bool:
    try:
        SCHEMAS[kind].load(as_written(item))
    except ValidationError:
        return False
    return True


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every mapping and list inside a value, paired with each of its keys or indices."""
    steps: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield value, step
        yield from places(value[step])


@st.composite
def changed_items(draw: st.DrawFn) -> tuple[str, Any]:
    """Draw an item of a shop file in which one or two values are removed or replaced, sometimes by a value from another place."""
    kind, item = deepcopy(draw(st.sampled_from(ITEMS)))
    for _ in range(draw(st.integers(1, 2))):
        holder, step = draw(st.sampled_from([*places(item)]))
        others = [at[key] for at, key in places(item) if not isinstance(at[key], dict | list)]
        if isinstance(holder, dict) and draw(st.booleans()):
            del holder[step]
            if not item:
                break
        else:
            holder[step] = draw(st.sampled_from([*VALUES, *others]) | st.integers() | st.text(max_size=3))
    return kind, item


@given(changed=changed_items())
def test_schema_accepts_what_the_reader_accepts(changed: tuple[str, Any]) -> None:
    kind, item = changed
    if reader_accepts(kind, item):
        assert [*VALIDATORS[TITLES[kind]].iter_errors(item)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_schemas_accept_the_items_of_a_shop(path: Path) -> None:
    for kind, item in items_in(path):
        assert reader_accepts(kind, item)
        assert [*VALIDATORS[TITLES[kind]].iter_errors(item)] == []
        assert [*VALIDATORS[f"{TITLES[kind]}Patch"].iter_errors(item)] == []


@pytest.mark.parametrize("kind", NAMES)
def test_item_that_is_sent_may_leave_out_what_the_path_names(kind: str) -> None:
    item = next(item for of, item in ITEMS if of == kind)
    unnamed = {key: value for key, value in item.items() if key != NAMES[kind]}
    assert VALIDATORS[f"{TITLES[kind]}Input"].is_valid(unnamed)
    assert not VALIDATORS[TITLES[kind]].is_valid(unnamed)


REFUSED: list[tuple[str, Callable[[Any], object]]] = [
    (BUNDLES, lambda item: item.pop("name")),
    (BUNDLES, lambda item: item.update(type="boxed")),
    (BUNDLES, lambda item: item.update(discounts={})),
    (BUNDLES, lambda item: item["sections"][0]["products"][0].pop("bundleItemId")),
    (BUNDLES, lambda item: item["limitRules"].append({"type": "colour"})),
    (BUNDLES, lambda item: item["conditions"].append({"id": "a", "kind": "action", "type": "message"})),
    (PRODUCTS, lambda item: item["variants"][0].update(price="-1.00")),
    (PRODUCTS, lambda item: item.update(variants={})),
    (MARKETS, lambda item: item.update(exchangeRate=0)),
    (EXPERIMENTS, lambda item: item["arms"][0].update(weight="heavy")),
    (SHOP, lambda item: item.update(activeFeatures=["magic"])),
]


@pytest.mark.parametrize(("kind", "change"), REFUSED)
def test_both_refuse(kind: str, change: Callable[[Any], object]) -> None:
    item = deepcopy(next(item for of, item in ITEMS if of == kind))
    change(item)
    assert not reader_accepts(kind, item)
    assert not VALIDATORS[TITLES[kind]].is_valid(item)


@pytest.mark.parametrize(
    ("patch", "valid"),
    [
        ({}, True),
        ({"discount": {"value": "20.00"}}, True),
        ({"discount": None}, True),
        ({"name": None}, False),
        ({"discount": {"worth": "20.00"}}, False),
        ({"translations": {"de": {"sections": {"1": {"name": "Kaffee"}}}}}, True),
        ({"translations": {"de": None}}, True),
        ({"sections": [{"name": "A list is whole, and this has no id"}]}, False),
    ],
)
def test_patches(patch: dict[str, Any], *, valid: bool) -> None:
    """The schema of patches accepts a patch exactly when the reader accepts the patched item."""
    bundle = next(item for kind, item in ITEMS if kind == BUNDLES and "discount" in item)
    assert VALIDATORS["BundlePatch"].is_valid(patch) is valid
    assert reader_accepts(BUNDLES, patched(bundle, patch)) is valid
