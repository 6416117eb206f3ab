"""Turns a GraphQL request into a response. A request is refused as a whole, refused as too costly, throttled, or executed and
charged in points."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphql import DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode

from tests.standin.operations.bucket import Bucket
from tests.standin.operations.cost import MAX_COST, CostModel, Part
from tests.standin.operations.documents import Refused, operation_of, read_document
from tests.standin.operations.execution import Context, run
from tests.standin.operations.refusals import throttled, too_costly
from tests.standin.operations.variables import check_sizes, read_variables

Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class GraphQLRequest:
    """The content of a request body."""

    document: str
    variables: Mapping[str, Any]
    operation: str | None = None


@dataclass(frozen=True)
class GraphQLResponse:
    body: Body
    throttled: bool = False


def respond(request: GraphQLRequest, schema: GraphQLSchema, context: Context, bucket: Bucket) -> GraphQLResponse:
    """Respond to a request. Takes points from the bucket, and returns the unused ones to it."""
    try:
        document = read_document(schema, request.document)
        operation = operation_of(document, request.operation)
        variables = read_variables(schema, operation, request.variables)
    except Refused as refusal:
        return GraphQLResponse(_refusal(*refusal.errors))
    cost = CostModel(schema, document, variables).whole(operation)
    try:
        check_sizes(schema, operation, request.variables)
    except Refused as refusal:
        return GraphQLResponse(_refusal(*refusal.errors) | _cost(cost.requested, None, bucket))
    if cost.requested > MAX_COST:
        return GraphQLResponse(_refusal(too_costly(cost.requested, MAX_COST)))
    if not bucket.take(cost.requested):
        return GraphQLResponse(_refusal(throttled()) | _cost(cost.requested, None, bucket), throttled=True)
    return GraphQLResponse(_executed(schema, document, operation, request.variables, context, cost, bucket))


def _executed(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
    context: Context,
    cost: Part,
    bucket: Bucket,
) -> Body:
    result = run(schema, document, operation, variables, context)
    requested = cost.requested
    actual = min(requested, cost.actual(result.data))
    bucket.give_back(requested - actual)
    errors = {"errors": [error.formatted for error in result.errors]} if result.errors else {}
    return {"data": result.data, **errors, **_cost(requested, actual, bucket)}


def _refusal(*errors: GraphQLError) -> Body:
    return {"errors": [error.formatted for error in errors]}


def _cost(requested: int, actual: int | None, bucket: Bucket) -> Body:
    cost = {"requestedQueryCost": requested, "actualQueryCost": actual, "throttleStatus": bucket.status()}
    return {"extensions": {"cost": cost}}
