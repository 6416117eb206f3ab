"""The documentation page: the OpenAPI document as one HTML page that needs no script and no outside address."""

import json
import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from http.client import responses as phrases
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

Node = Mapping[str, Any]
"""A part of the document."""

BASE = "http://localhost:8080"
"""Where the examples find the service."""

MAX_DEPTH = 12
"""So many schemas within one another are written out; deeper ones, and those within themselves, are links."""

TITLES = {"headless": "Headless API", "embed": "Embed API", "operations": "Operations"}
"""Headings of the tags; any other tag is its own heading."""

_METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
_CHOICES = {"anyOf": " or ", "oneOf": " or ", "allOf": " and "}
_CONDITIONAL = "If-None-Match"
_CODE = re.compile(r"`([^`]+)`")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_NO_ANCHOR = re.compile(r"[^A-Za-z0-9_.-]+")
_PLACEHOLDER = re.compile(r"\{([^}]*)\}")
_JSON_TOKEN = re.compile(
    r'(?P<key>"(?:\\.|[^"\\])*"(?=:))|(?P<text>"(?:\\.|[^"\\])*")|(?P<word>-?\d[\d.eE+-]*|true|false|null)'
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a value may be. `words` stand before the name of its type or schema ("array of "); `place` is where its `fields`
    are found ("sections[]")."""

    name: str
    words: str = ""
    schema: str = ""
    nullable: bool = False
    values: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    pattern: str = ""
    place: str = ""
    fields: tuple["Field", ...] = ()

    @property
    def size(self) -> int:
        """How many fields there are, those within fields too."""
        return sum(1 + field.shape.size for field in self.fields)


@dataclass(frozen=True, slots=True)
class Field:
    """A named value: of an object, or a parameter (then with its place and an example)."""

    name: str
    shape: Shape
    required: bool
    description: str
    parent: str = ""
    where: str = ""
    example: object = None


@dataclass(frozen=True, slots=True)
class Content:
    """A body: of a request or an answer."""

    type: str
    shape: Shape
    example: object


@dataclass(frozen=True, slots=True)
class Response:
    """An answer; `codes` are the error codes that come with this status, each with its sentence."""

    status: str
    phrase: str
    description: str
    headers: tuple[str, ...]
    content: Content | None
    codes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An operation of the document."""

    anchor: str
    method: str
    path: str
    tag: str
    summary: str
    description: str
    keyless: bool
    parameters: tuple[Field, ...]
    body: Content | None
    responses: tuple[Response, ...]

    @property
    def answers(self) -> list[Response]:
        return [response for response in self.responses if response.status < "4"]

    @property
    def failures(self) -> list[Response]:
        return [response for response in self.responses if response.status >= "4"]

    @property
    def curl(self) -> str:
        """A command for a shell that has `BASE` and `KEY`: the key, the address, the headers, the body."""
        parts = [] if self.keyless else ['-H "Authorization: Bearer $KEY"']
        if self.method not in {"GET", "POST"}:
            parts.append(f"-X {self.method}")
        parts.append(f'"$BASE{self._address()}"')
        if self.body is not None:
            parts += [f'-H "Content-Type: {self.body.type}"', *self._headers(), f"-d {_in_quotes(self.body.example)}"]
        else:
            parts += self._headers()
        return "curl " + " \\\n  ".join(parts)

    def _address(self) -> str:
        """The path and query of the examples: what is required, and the first of what may be asked for."""
        examples = {field.name: str(field.example) for field in self.parameters if field.example is not None}
        path = _PLACEHOLDER.sub(
            lambda name: quote(examples.get(name[1], name[1]), safe=""), quote(self.path, safe="/{}")
        )
        queries = [field for field in self.parameters if field.where == "query" and field.name in examples]
        query = {field.name: examples[field.name] for field in queries if field.required or field is queries[0]}
        return f"{path}?{urlencode(query)}" if query else path

    def _headers(self) -> list[str]:
        """Those that a first request has: not the one that asks whether anything changed."""
        headers = [field for field in self.parameters if field.where == "header" and field.name != _CONDITIONAL]
        return [f"-H {shlex.quote(f'{field.name}: {field.example}')}" for field in headers if field.example is not None]


@dataclass(frozen=True, slots=True)
class Group:
    """The endpoints of one tag."""

    anchor: str
    title: str
    description: str
    endpoints: list[Endpoint]


def docs_page(document: Mapping[str, Any]) -> str:
    """The page of an OpenAPI 3.1 document, as HTML. Texts of the document are escaped; `code` and paragraphs are kept."""
    schemas = _Schemas(document.get("components", {}).get("schemas", {}))
    endpoints = list(_endpoints(document, schemas))
    return (
        _environment()
        .get_template("docs.html.j2")
        .render(
            info=document["info"],
            base=BASE,
            base_path=_base_path(endpoint.path for endpoint in endpoints if not endpoint.keyless),
            groups=_groups(document, endpoints),
            codes=_codes(endpoints),
            schemas=schemas.components,
            error_example=schemas.example({"$ref": "#/components/schemas/Error"}),
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bundlesvc.api"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"inline": _inline, "prose": _prose, "pretty": _pretty, "anchor": _anchor}
    return environment


def _inline(text: str) -> Markup:
    """Escaped text in which what stands in backticks is code."""
    parts = enumerate(_CODE.split(text))
    return Markup().join(Markup("<code>{}</code>").format(part) if odd % 2 else escape(part) for odd, part in parts)


def _prose(text: str) -> Markup:
    """Escaped text as paragraphs: blank lines part them."""
    paragraphs = [paragraph for paragraph in _PARAGRAPHS.split(text.strip()) if paragraph]
    return Markup("\n").join(Markup("<p>{}</p>").format(_inline(paragraph)) for paragraph in paragraphs)


def _pretty(value: object) -> Markup:
    """A value as indented JSON; keys, texts and other values are told apart."""
    text, end, parts = _json(value), 0, []
    for token in _JSON_TOKEN.finditer(text):
        parts.append(escape(text[end : token.start()]))
        parts.append(Markup('<span class="{}">{}</span>').format(token.lastgroup, token[0]))
        end = token.end()
    return Markup().join([*parts, escape(text[end:])])


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _in_quotes(value: object) -> str:
    """JSON as one argument of a shell, in single quotes even where none are needed."""
    return "'" + _json(value).replace("'", "'\\''") + "'"


def _anchor(text: str) -> str:
    return _NO_ANCHOR.sub("-", text).strip("-")


def _base_path(paths: Iterable[str]) -> str:
    """What all these paths begin with, and none of them is."""
    known = set(paths)
    common = posixpath.commonpath(known) if known else ""
    while common in known and common != "/":
        common = posixpath.dirname(common)
    return common.rstrip("/")


def _groups(document: Node, endpoints: Iterable[Endpoint]) -> list[Group]:
    """The tags in the order in which they first come."""
    descriptions = {tag["name"]: tag.get("description", "") for tag in document.get("tags", ())}
    groups: dict[str, Group] = {}
    for endpoint in endpoints:
        tag = endpoint.tag
        title = TITLES.get(tag, tag)
        group = groups.setdefault(tag, Group(f"tag-{_anchor(tag)}", title, descriptions.get(tag, ""), []))
        group.endpoints.append(endpoint)
    return list(groups.values())


def _codes(endpoints: Iterable[Endpoint]) -> list[tuple[str, str, str]]:
    """Every error code once: status, code, sentence; by status."""
    failures = [failure for endpoint in endpoints for failure in endpoint.failures]
    known = {code: (failure.status, sentence) for failure in failures for code, sentence in failure.codes.items()}
    return sorted(((status, code, sentence) for code, (status, sentence) in known.items()), key=lambda row: row[0])


def _endpoints(document: Node, schemas: "_Schemas") -> Iterator[Endpoint]:
    for path, item in document.get("paths", {}).items():
        for method in _METHODS:
            if method in item:
                yield _endpoint(path, method.upper(), item[method], schemas, document.get("security", []))


def _endpoint(path: str, method: str, operation: Node, schemas: "_Schemas", security: object) -> Endpoint:
    responses = sorted(operation.get("responses", {}).items())
    return Endpoint(
        anchor=_anchor(operation.get("operationId") or f"{method}{path}"),
        method=method,
        path=path,
        tag=next(iter(operation.get("tags", ())), "endpoints"),
        summary=operation.get("summary", ""),
        description=operation.get("description", ""),
        keyless=not operation.get("security", security),
        parameters=tuple(_parameter(parameter, schemas) for parameter in operation.get("parameters", ())),
        body=_content(operation.get("requestBody", {}), schemas),
        responses=tuple(_response(status, response, schemas) for status, response in responses),
    )


def _parameter(parameter: Node, schemas: "_Schemas") -> Field:
    return Field(
        parameter["name"],
        schemas.shape(parameter.get("schema", {})),
        required=parameter.get("required", False),
        description=parameter.get("description", ""),
        where=parameter["in"],
        example=parameter.get("example"),
    )


def _content(body: Node, schemas: "_Schemas") -> Content | None:
    """The first kind of content that a body may have."""
    for kind, content in body.get("content", {}).items():
        return Content(kind, schemas.shape(content.get("schema", {})), content.get("example"))
    return None


def _response(status: str, response: Node, schemas: "_Schemas") -> Response:
    return Response(
        status,
        phrases.get(int(status), "") if status.isdecimal() else "",
        response.get("description", ""),
        tuple(response.get("headers", {})),
        _content(response, schemas),
        dict(_error_sentences(response)),
    )


def _error_sentences(response: Node) -> Iterator[tuple[str, str]]:
    """The error codes of an answer, which name its examples, and their sentences."""
    for content in response.get("content", {}).values():
        for code, example in content.get("examples", {}).items():
            if "error" in example["value"]:
                yield code, example["value"]["error"]


class _Schemas:
    """Reads schemas as shapes, components written out."""

    def __init__(self, components: Node) -> None:
        self._components = components

    @property
    def components(self) -> dict[str, tuple[Shape, str]]:
        """Shape and description of every component, by name."""
        return {
            name: (self.shape(schema, "", (name,)), schema.get("description", ""))
            for name, schema in sorted(self._components.items())
        }

    def shape(self, schema: Node, place: str = "", within: tuple[str, ...] = ()) -> Shape:
        """The shape of a value at `place`; `within` names the components that it is a part of."""
        schema, nullable = _without_null(schema)
        shape = self._shape(schema, place, within)
        return replace(shape, nullable=nullable or shape.nullable)

    def example(self, schema: Node, within: tuple[str, ...] = ()) -> Any:
        """An example put together from those of the fields; None when they have none."""
        schema, _ = _without_null(schema)
        name = _component_name(schema)
        if name in within:
            return None
        if name:
            return self.example(self._components.get(name, {}), (*within, name))
        if "example" in schema or "properties" not in schema:
            entry = self.example(schema["items"], within) if "items" in schema else None
            return schema.get("example", None if entry is None else [entry])
        examples = {name: self.example(inner, within) for name, inner in schema["properties"].items()}
        return {name: example for name, example in examples.items() if example is not None} or None

    def _shape(self, schema: Node, place: str, within: tuple[str, ...]) -> Shape:
        if "$ref" in schema:
            return self._component(_component_name(schema), place, within)
        for choice, word in _CHOICES.items():
            if choice in schema:
                return _joined([self.shape(inner, place, within) for inner in schema[choice]], word)
        kind = schema.get("type", "object" if "properties" in schema else "any")
        if kind == "array":
            return _wrapped("array of ", self.shape(schema.get("items", {}), f"{place}[]", within), schema)
        values = schema.get("additionalProperties")
        if values and isinstance(values, Mapping):
            return _wrapped("map of ", self.shape(values, f"{place}.<key>".lstrip("."), within), schema)
        return Shape(
            kind if isinstance(kind, str) else " or ".join(kind),
            values=tuple(str(value) for value in schema.get("enum", ()) if value is not None),
            limits=tuple(_limits(schema)),
            pattern=schema.get("pattern", ""),
            place=place,
            fields=tuple(self._fields(schema, place, within)),
        )

    def _component(self, name: str, place: str, within: tuple[str, ...]) -> Shape:
        if name not in self._components:
            return Shape(name)
        if name in within or len(within) >= MAX_DEPTH:
            return Shape(name, schema=name)
        shape = self.shape(self._components[name], place, (*within, name))
        return replace(shape, name=name, words="", schema=name)

    def _fields(self, schema: Node, place: str, within: tuple[str, ...]) -> Iterator[Field]:
        parent = f"{place}." if place else ""
        required = schema.get("required", ())
        for name, inner in schema.get("properties", {}).items():
            shape = self.shape(inner, f"{parent}{name}", within)
            yield Field(name, shape, name in required, inner.get("description", ""), parent)


def _component_name(schema: Node) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _without_null(schema: Node) -> tuple[Node, bool]:
    """The schema of what is not null, and whether null is allowed."""
    kinds = schema.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        rest = [kind for kind in kinds if kind != "null"]
        return {**schema, "type": rest[0] if len(rest) == 1 else rest}, True
    for choice in _CHOICES:
        rest = [inner for inner in schema.get(choice, ()) if inner.get("type") != "null"]
        if len(rest) == 1:
            return rest[0], len(schema[choice]) > 1
    return schema, False


def _wrapped(words: str, inner: Shape, schema: Node) -> Shape:
    """The shape of a list or map of `inner`."""
    return replace(inner, words=words + inner.words, nullable=False, limits=(*_limits(schema), *inner.limits))


def _joined(shapes: list[Shape], word: str) -> Shape:
    """The shape of a value that is one of several, or all of them."""
    names = word.join(shape.words + shape.name for shape in shapes)
    return Shape(names, place=shapes[0].place, fields=tuple(field for shape in shapes for field in shape.fields))


def _limits(schema: Node) -> Iterator[str]:
    """What else a value must be, in words."""
    if "format" in schema:
        yield schema["format"]
    for least, most, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " entries"),
    ):
        if least in schema and most in schema:
            yield f"{schema[least]} to {schema[most]}{unit}"
        elif least in schema:
            yield f"at least {schema[least]}{unit}"
        elif most in schema:
            yield f"at most {schema[most]}{unit}"
