"""Checks the variables of a GraphQL operation: their types, the global ids in them, and the lengths of lists."""

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from graphql import (
    FieldNode,
    GraphQLError,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    OperationDefinitionNode,
    VariableDefinitionNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    type_from_ast,
)
from graphql.execution.values import get_variable_values
from graphql.utilities import coerce_input_value

from tests.standin.data.gids import parse_gid
from tests.standin.operations.documents import Refused
from tests.standin.operations.refusals import too_many

Values = Mapping[str, Any]

LIST_LIMIT, VARIANTS_LIMIT = 250, 2048
NULL = "Expected value to not be null"
_NUMBERS = ("Money", "Decimal")


def read_variables(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Values) -> dict[str, Any]:
    """Coerce the variables. Raises Refused when a value is malformed."""
    errors = [error for node in operation.variable_definitions or () for error in _errors(schema, node, given)]
    if errors:
        raise Refused(*errors)
    coerced = get_variable_values(schema, operation.variable_definitions or (), dict(given))
    assert isinstance(coerced, dict), "each variable was coerced once before"
    return coerced


def check_sizes(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Values) -> None:
    """Check that no list in the variables is longer than the platform accepts. Raises Refused."""
    for node in operation.variable_definitions or ():
        value, variants = given.get(node.variable.name.value), "ProductVariantsBulkInput"
        named = get_named_type(_type(schema, node))
        limit = VARIANTS_LIMIT if named and named.name == variants else LIST_LIMIT
        if isinstance(value, list) and len(value) > limit:
            refusal = too_many(len(value), limit)
            path = _path_of(operation, node.variable.name.value)
            raise Refused(GraphQLError(refusal.message, [node], path=path, extensions=refusal.extensions))


def _errors(schema: GraphQLSchema, node: VariableDefinitionNode, given: Values) -> Iterator[GraphQLError]:
    name, kind = node.variable.name.value, _type(schema, node)
    if name not in given:
        missing = isinstance(kind, GraphQLNonNull) and node.default_value is None
        problems = [_problem([], NULL)] if missing else []
    else:
        problems = list(_problems(given[name], kind))
    if problems:
        yield _invalid(node, name, str(kind), given.get(name), problems)


def _type(schema: GraphQLSchema, node: VariableDefinitionNode) -> GraphQLInputType:
    kind = type_from_ast(schema, node.type)
    assert kind is not None, "the document was validated"
    return kind  # type: ignore[return-value]  # variables have input types


def _problems(value: Any, kind: GraphQLInputType) -> Iterator[dict[str, Any]]:
    found: list[dict[str, Any]] = []

    def refuse(path: list[str | int], part: Any, error: GraphQLError) -> None:
        found.append(_problem(list(path), NULL if part is None else error.message))

    coerce_input_value(value, kind, refuse)
    yield from found
    if not found:
        yield from _scalar_problems(value, kind, [])


def _scalar_problems(value: Any, kind: Any, path: list[str | int]) -> Iterator[dict[str, Any]]:
    """Yield the problems that the schema does not detect: ids must be global ids, and amounts must be numbers."""
    kind = get_nullable_type(kind)
    if value is None:
        return
    if isinstance(kind, GraphQLList):
        for index, item in enumerate(value if isinstance(value, list) else [value]):
            yield from _scalar_problems(item, kind.of_type, [*path, index])
    elif isinstance(kind, GraphQLInputObjectType):
        for key, item in value.items():
            yield from _scalar_problems(item, kind.fields[key].type, [*path, key])
    else:
        explanation = _scalar_problem(value, str(kind))
        if explanation:
            yield _problem(path, explanation)


def _scalar_problem(value: Any, kind: str) -> str:
    if kind == "ID" and parse_gid(str(value)) is None:
        return f"Invalid global id '{value}'"
    return f"invalid decimal '{value}'" if kind in _NUMBERS and not _is_number(value) else ""


def _is_number(value: Any) -> bool:
    try:
        return Decimal(str(value)).is_finite()
    except InvalidOperation:
        return False


def _problem(path: list[str | int], explanation: str) -> dict[str, Any]:
    return {"path": path, "explanation": explanation}


def _invalid(
    node: VariableDefinitionNode, name: str, kind: str, value: Any, problems: list[dict[str, Any]]
) -> GraphQLError:
    paths = [
        f"{'.'.join(map(str, problem['path']))} ({problem['explanation']})" for problem in problems if problem["path"]
    ]
    where = f" for {', '.join(paths)}" if paths else ""
    message = f"Variable ${name} of type {kind} was provided invalid value{where}"
    return GraphQLError(message, [node], extensions={"code": "INVALID_VARIABLE", "value": value, "problems": problems})


def _path_of(operation: OperationDefinitionNode, variable: str) -> list[str | int]:
    """Return the names of the root field and the argument that use a variable."""
    for field in operation.selection_set.selections:
        for argument in field.arguments if isinstance(field, FieldNode) else ():
            if isinstance(argument.value, VariableNode) and argument.value.name.value == variable:
                return [field.name.value, argument.name.value]  # type: ignore[attr-defined]
    return [variable]
