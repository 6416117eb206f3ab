"""From a GraphQL request to its answer: refused as a whole, too costly, throttled, or executed and paid for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphql import DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode

from tests.standin.bucket import Bucket
from tests.standin.cost import MAX_COST, CostModel, Part
from tests.standin.documents import Refused, operation_of, read_document
from tests.standin.execution import Context, run
from tests.standin.refusals import throttled, too_costly
from tests.standin.variables import check_sizes, read_variables

Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """What a request body holds."""

    document: str
    variables: Mapping[str, Any]
    operation: str | None = None


@dataclass(frozen=True)
class Answer:
    body: Body
    throttled: bool = False


def answer(asked: Asked, schema: GraphQLSchema, context: Context, bucket: Bucket) -> Answer:
    """The answer; points are taken from the bucket, and what was not used given back."""
    try:
        document = read_document(schema, asked.document)
        operation = operation_of(document, asked.operation)
        variables = read_variables(schema, operation, asked.variables)
    except Refused as refusal:
        return Answer(_refusal(*refusal.errors))
    cost = CostModel(schema, document, variables).whole(operation)
    try:
        check_sizes(schema, operation, asked.variables)
    except Refused as refusal:
        return Answer(_refusal(*refusal.errors) | _cost(cost.requested, None, bucket))
    if cost.requested > MAX_COST:
        return Answer(_refusal(too_costly(cost.requested, MAX_COST)))
    if not bucket.take(cost.requested):
        return Answer(_refusal(throttled()) | _cost(cost.requested, None, bucket), throttled=True)
    return Answer(_executed(schema, document, operation, asked.variables, context, cost, bucket))


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
