"""Estimates the cost of operations before they run."""

from graphql import parse

from tests.platform_schema import admin_schema
from tests.standin.operations.cost import CostModel
from tests.standin.operations.documents import operation_of
from tests.standin.operations.variables import read_variables


def requested(document: str, **variables: object) -> int:
    """Return the cost, in points, of a document's only operation with these variables."""
    schema, parsed = admin_schema(), parse(document)
    operation = operation_of(parsed, None)
    return CostModel(schema, parsed, read_variables(schema, operation, variables)).whole(operation).requested
