"""Parses GraphQL documents, validates them against the schema, and refuses invalid ones as the platform does."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from graphql import (
    ASTValidationRule,
    DocumentNode,
    FieldNode,
    FieldsOnCorrectTypeRule,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    InlineFragmentNode,
    KnownArgumentNamesRule,
    KnownTypeNamesRule,
    Node,
    NoUndefinedVariablesRule,
    NoUnusedFragmentsRule,
    NoUnusedVariablesRule,
    OperationDefinitionNode,
    ProvidedRequiredArgumentsRule,
    ScalarLeafsRule,
    ValuesOfCorrectTypeRule,
    VariablesInAllowedPositionRule,
    parse,
    specified_rules,
    validate,
)


class Refused(Exception):
    """Raised when a request is refused as a whole: the response contains these errors and no data."""

    def __init__(self, *errors: GraphQLError) -> None:
        super().__init__(*(error.message for error in errors))
        self.errors = errors


@dataclass(frozen=True)
class Wording:
    """The platform's wording of an error. `found` is a pattern that matches graphql-core's message; its groups fill the
    placeholders in `message` and `extensions`."""

    code: str
    found: str
    message: str
    extensions: Mapping[str, str]


_WORDINGS: Mapping[type[ASTValidationRule], Wording] = {
    FieldsOnCorrectTypeRule: Wording(
        "undefinedField",
        r"field '(?P<field>\w+)' on type '(?P<type>\w+)'",
        "Field '{field}' doesn't exist on type '{type}'",
        {"typeName": "{type}", "fieldName": "{field}"},
    ),
    KnownArgumentNamesRule: Wording(
        "argumentNotAccepted",
        r"argument '(?P<argument>\w+)' on field '\w+\.(?P<field>\w+)'",
        "Field '{field}' doesn't accept argument '{argument}'",
        {"name": "{field}", "typeName": "Field", "argumentName": "{argument}"},
    ),
    ProvidedRequiredArgumentsRule: Wording(
        "missingRequiredArguments",
        r"Field '(?P<field>\w+)' argument '(?P<argument>\w+)'",
        "Field '{field}' is missing required arguments: {argument}",
        {"className": "Field", "name": "{field}", "arguments": "{argument}"},
    ),
    ScalarLeafsRule: Wording(
        "selectionMismatch",
        r"Field '(?P<field>\w+)' .*type '\[*(?P<type>\w+)",
        "Field must have selections (field '{field}' returns {type} but has no selections. "
        "Did you mean '{field} {{ ... }}'?)",
        {"nodeName": "field '{field}'", "typeName": "{type}"},
    ),
    KnownTypeNamesRule: Wording(
        "undefinedType", r"type '(?P<type>\w+)'", "No such type {type}", {"typeName": "{type}"}
    ),
    NoUnusedVariablesRule: Wording(
        "variableNotUsed",
        r"'\$(?P<variable>\w+)' is never used( in operation '(?P<operation>\w+)')?",
        "Variable ${variable} is declared by {operation} but not used",
        {"variableName": "{variable}"},
    ),
    NoUndefinedVariablesRule: Wording(
        "variableNotDefined",
        r"'\$(?P<variable>\w+)' is not defined( by operation '(?P<operation>\w+)')?",
        "Variable ${variable} is used by {operation} but not declared",
        {"variableName": "{variable}"},
    ),
    NoUnusedFragmentsRule: Wording(
        "useAndDefineFragment",
        r"'(?P<fragment>\w+)' is never used",
        "Fragment {fragment} was defined, but not used",
        {"fragmentName": "{fragment}"},
    ),
    VariablesInAllowedPositionRule: Wording(
        "variableMismatch",
        r"'\$(?P<variable>\w+)' of type '(?P<type>.+?)' used in position expecting type '(?P<argument>.+?)'",
        "Type mismatch on variable ${variable} ({type} / {argument})",
        {"variableName": "{variable}", "typeName": "{type}"},
    ),
    ValuesOfCorrectTypeRule: Wording("argumentLiteralsIncompatible", r"(?P<all>.*)", "{all}", {}),
}


def operation_name(text: str, named: str | None) -> str:
    """Return the name of a request's operation, for counting. Returns "" if the request cannot be parsed, or if no operation is
    selected and the document does not contain exactly one named operation."""
    names = _operation_names(text)
    return named or (names[0] if len(names) == 1 else "")


@lru_cache(maxsize=256)
def _operation_names(text: str) -> tuple[str, ...]:
    try:
        definitions = parse(text).definitions
    except GraphQLSyntaxError:
        return ()
    operations = (node for node in definitions if isinstance(node, OperationDefinitionNode))
    return tuple(node.name.value for node in operations if node.name)


def operation_of(document: DocumentNode, named: str | None) -> OperationDefinitionNode:
    """Find the operation to execute. Raises Refused."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    wanted = [node for node in operations if named is None or (node.name and node.name.value == named)]
    if len(wanted) != 1:
        message = "An operation name is required" if named is None else f'No operation named "{named}"'
        raise Refused(GraphQLError(message))
    return wanted[0]


@lru_cache(maxsize=256)
def read_document(schema: GraphQLSchema, text: str) -> DocumentNode:
    """Parse and validate a document. Raises Refused."""
    try:
        document = parse(text)
    except GraphQLSyntaxError as error:
        raise Refused(
            GraphQLError(error.message, source=error.source, positions=error.positions, extensions=_code("PARSE_ERROR"))
        ) from error
    if validate(schema, document):
        raise Refused(*_worded(schema, document))
    return document


def _worded(schema: GraphQLSchema, document: DocumentNode) -> Iterator[GraphQLError]:
    for rule in specified_rules:
        for error in validate(schema, document, [rule]):
            yield _reworded(error, rule, document)


def _reworded(error: GraphQLError, rule: type[ASTValidationRule], document: DocumentNode) -> GraphQLError:
    path = next((_path_to(document, node) for node in error.nodes or [] if _path_to(document, node)), None)
    wording = _WORDINGS.get(rule)
    found = re.search(wording.found, error.message, re.DOTALL) if wording else None
    if wording is None or found is None:
        return GraphQLError(error.message, error.nodes, path=path, extensions=_code(rule.__name__.removesuffix("Rule")))
    named = {name: value or "anonymous query" for name, value in found.groupdict().items()}
    extensions = {key: value.format(**named) for key, value in wording.extensions.items()}
    return GraphQLError(
        wording.message.format(**named), error.nodes, path=path, extensions={**_code(wording.code), **extensions}
    )


def _code(code: str) -> dict[str, str]:
    return {"code": code}


def _path_to(node: Node, wanted: Node) -> list[str | int] | None:
    """Return the path from `node` to the node `wanted`, such as `["query Name", "product", "x"]`, or None if `node` does not
    contain `wanted`."""
    if node is wanted:
        return _steps(node)
    for child in _children(node):
        path = _path_to(child, wanted)
        if path is not None:
            return [*_steps(node), *path]
    return None


def _children(node: Node) -> Iterator[Node]:
    for key in node.keys:
        value = getattr(node, key)
        children = value if isinstance(value, tuple) else (value,)
        yield from (child for child in children if isinstance(child, Node))


def _steps(node: Node) -> list[str | int]:
    match node:
        case OperationDefinitionNode():
            return [f"{node.operation.value} {node.name.value}" if node.name else node.operation.value]
        case FragmentDefinitionNode():
            return [f"fragment {node.name.value}"]
        case FieldNode():
            return [node.alias.value if node.alias else node.name.value]
        case InlineFragmentNode():
            return [f"... on {node.type_condition.name.value}" if node.type_condition else "..."]
        case _:
            return []
