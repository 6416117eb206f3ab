"""The cart adapter's input for the Storefront API, checked against the platform's published schemas."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from graphql import OperationDefinitionNode, parse, validate
from graphql.execution.values import get_variable_values

from tests.platform_schema import NEXT_STOREFRONT, STOREFRONT, schema

HERE = Path(__file__).parent
GUIDE = HERE.parents[1] / "docs" / "client.md"
OTHERS = """
  mutation Create($input: CartInput) { cartCreate(input: $input) { cart { id } } }
  mutation Remove($id: ID!, $lineIds: [ID!]!) { cartLinesRemove(cartId: $id, lineIds: $lineIds) { cart { id } } }"""


@pytest.fixture(scope="module")
def inputs(node: str) -> list[dict[str, Any]]:
    """The lines and attributes of a native bundle, of a subscription, and of a bundle that is a single variant."""
    command = [node, str(HERE / "configured-bundles.mjs")]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return list(json.loads(run.stdout))


@pytest.mark.parametrize("version", [STOREFRONT, NEXT_STOREFRONT])
def test_inputs_are_valid_in_both_versions(inputs: list[dict[str, Any]], version: str) -> None:
    api = schema(version)
    (recipe,) = re.findall(r"```graphql\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    document = parse(recipe + OTHERS)
    assert validate(api, document) == []
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    add, create, remove = (node.variable_definitions for node in operations)

    cart = {"cartId": "gid://shopify/Cart/1"}
    for given in inputs:
        assert isinstance(get_variable_values(api, add, {**cart, **given}), dict)
        assert isinstance(get_variable_values(api, create, {"input": given}), dict)
    assert isinstance(get_variable_values(api, remove, {"id": cart["cartId"], "lineIds": ["a"]}), dict)
    assert isinstance(get_variable_values(api, add, {**cart, **inputs[0], "lines": [{"quantity": 1}]}), list)
