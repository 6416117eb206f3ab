"""What docs/cart-transform/README.md tells is so."""

import json
import re
import tomllib
from functools import cache

from graphql import parse, validate

from bundlesvc.domain.no_discount import REASONS
from tests.cart_transform.sandbox import STEP
from tests.platform_schema import admin_schema

OF_THE_PLATFORM = {"parent_unknown", "not_for_sale"}
"""Reasons of the checkout simulator, which plays the platform's part too."""
OF_THE_STEP = {"selling_plan"}
"""Reasons that the simulator has no need of."""


@cache
def guide() -> str:
    return (STEP / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", guide(), re.DOTALL)


def source(name: str) -> str:
    return (STEP / "src" / name).read_text("utf-8")


def test_its_mutations_are_the_platforms() -> None:
    assert len(blocks("graphql")) == 2
    for block in blocks("graphql"):
        assert validate(admin_schema(), parse(block)) == []


def test_they_write_the_metafield_that_the_step_reads() -> None:
    place = 'namespace: "$app:bundles", key: "config"'
    assert place in source("input.graphql")
    assert all(place in block for block in blocks("graphql"))
    assert set(json.loads(blocks("json")[0])) == {"shop", "keys"}


def test_its_extension_names_what_is_there() -> None:
    [extension] = tomllib.loads(blocks("toml")[0])["extensions"]
    [target] = extension["targeting"]

    assert (STEP / target["input_query"]).exists()
    first, *rest = target["export"].split("-")
    assert f"export function {first}{''.join(word.title() for word in rest)}(" in source("run.js")


def test_it_lists_every_reason() -> None:
    rows = re.findall(r"^\| (`[a-z_`, ]+) \|", guide().partition("| reason |")[2].partition("## ")[0], re.MULTILINE)
    listed = {reason for row in rows for reason in re.findall(r"`(\w+)`", row)}

    given = {
        reason for path in (STEP / "src").glob("*.js") for reason in re.findall(r'"([a-z]+_[a-z_]+)"', path.read_text())
    }
    assert listed == given - {"_bundle_data"}
    assert listed == set(REASONS) - OF_THE_PLATFORM | OF_THE_STEP


def test_it_names_every_file_of_the_step() -> None:
    files = {path.name for path in (STEP / "src").iterdir()}
    assert files == set(re.findall(r"`src/([\w.]+)`", guide().partition("## ")[0]))
