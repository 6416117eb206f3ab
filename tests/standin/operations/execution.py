"""Executes an operation on the shop's data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLAbstractType,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    execute_sync,
)

from tests.standin.data.shop import Shop
from tests.standin.graph.items import PAGE_LIMIT, Items, Node, Reference
from tests.standin.graph.lookup import look_up
from tests.standin.graph.query import query_root
from tests.standin.mutations.root import mutation_root
from tests.standin.operations.refusals import WITHOUT_DATA, access_denied
from tests.standin.operations.scopes import scope_of
from tests.standin.operations.variables import VARIANTS_LIMIT


class UnknownToStandIn(Exception):
    """Raised for a field that exists in the schema but not in the stand-in. Add it to `graph` or `mutations`."""


@dataclass(frozen=True)
class Context:
    shop: Shop
    missing_scopes: frozenset[str]


def run(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
    context: Context,
) -> ExecutionResult:
    """Execute an operation, and return the result that the platform would return. Errors in the stand-in itself are raised, not
    returned in the result."""
    root = mutation_root if operation.operation is OperationType.MUTATION else query_root
    return run_on(root(context.shop, context.missing_scopes), schema, document, operation, variables, context)


def run_on(
    root: Node,
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
    context: Context,
) -> ExecutionResult:
    """Execute an operation starting from any root node."""
    result = execute_sync(
        schema,
        document,
        root_value=root,
        context_value=context,
        variable_values=dict(variables),
        operation_name=operation.name.value if operation.name else None,
        field_resolver=_resolve,
        type_resolver=_type_of,
    )
    assert isinstance(result, ExecutionResult)
    for error in result.errors or ():
        _raise_own_fault(error)
    if any((error.extensions or {}).get("code") in WITHOUT_DATA for error in result.errors or ()):
        return ExecutionResult(None, result.errors)
    return result


def _resolve(source: Node, info: GraphQLResolveInfo, **arguments: Any) -> Any:
    context: Context = info.context
    if context.missing_scopes:
        _check_scope(context, info)
    try:
        value = source[info.field_name]
    except KeyError:
        raise UnknownToStandIn(f"{info.parent_type.name}.{info.field_name}") from None
    if callable(value):
        value = value(arguments)
    if isinstance(value, Items):
        value = value.page(arguments, _page_limit(info))
    return _found(context.shop, value)


def _found(shop: Shop, value: Any) -> Any:
    """Resolve references in a value to their targets."""
    if isinstance(value, Reference):
        return look_up(shop, value)
    if isinstance(value, list) and any(isinstance(item, Reference) for item in value):
        return [_found(shop, item) for item in value]
    return value


def _page_limit(info: GraphQLResolveInfo) -> int:
    """Return the maximum page size of a field. For a single product at the root, one page may contain all variants."""
    parent = info.path.prev
    at_root = parent is not None and parent.typename == "QueryRoot" and info.parent_type.name == "Product"
    return VARIANTS_LIMIT if at_root and info.field_name == "variants" else PAGE_LIMIT


def _check_scope(context: Context, info: GraphQLResolveInfo) -> None:
    scope = scope_of(info.parent_type.name, info.field_name)
    if scope in context.missing_scopes:
        raise access_denied(info.field_name, scope)


def _type_of(value: Node, info: GraphQLResolveInfo, kind: GraphQLAbstractType) -> str:
    return str(value["__typename"])


def _raise_own_fault(error: GraphQLError) -> None:
    cause: BaseException | None = error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    if cause is not None:
        raise cause
