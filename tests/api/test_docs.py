"""The documentation page: it says all that the document says, asks for nothing from elsewhere, and escapes every text."""

import re
import shlex
from copy import deepcopy
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from bundlesvc.api.docs import docs_page
from bundlesvc.api.headless.routes import ENDPOINTS
from bundlesvc.api.openapi import ERRORS, openapi_document
from bundlesvc.api.webhooks import WEBHOOK

HOSTILE = '<img src=x onerror="alert(1)">'
VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"}


class Outline(HTMLParser):
    """What the tests ask of a page: that elements close, its ids, addresses, headings, and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.headings: list[int] = []
        self.elements: set[str] = set()
        self.texts: list[str] = []
        self.blocks: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        if tag == "pre":
            self.blocks.append("")
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in {"href", "src", "action", "srcset", "poster", "data"}:
                self.addresses.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)
        if "pre" in self.open:
            self.blocks[-1] += data

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi_document("/api/headless/v1", (*ENDPOINTS, WEBHOOK))


@pytest.fixture(scope="module")
def page(document: dict[str, Any]) -> str:
    return docs_page(document)


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for item in document["paths"].values() for operation in item.values()]


def small(
    schema: dict[str, Any] | None = None, components: dict[str, Any] | None = None, **operation: Any
) -> dict[str, Any]:
    """A document of one operation, which answers `schema`."""
    content = {"application/json": {"schema": schema or {}}}
    whole = {"summary": "Try", "responses": {"200": {"description": "", "content": content}}, **operation}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Small", "version": "1"},
        "security": [{"key": []}],
        "paths": {"/v1/things/{id}": {whole.pop("method", "get"): whole}},
        "components": {"schemas": components or {}},
    }


def curl(**operation: Any) -> list[str]:
    """The words of the command that is shown for an operation."""
    shown = [block for block in Outline(docs_page(small(**operation))).blocks if block.startswith("curl")]
    return shlex.split(shown[-1].replace("\\\n", ""))


def test_every_path_summary_and_description_is_there(document: dict[str, Any], page: str) -> None:
    text = Outline(page).text
    code = page.replace("<wbr>", "")

    for path in document["paths"]:
        assert f"<code>{path}</code>" in code
    for operation in operations(document):
        assert operation["summary"] in text
        assert operation["description"] in text


def test_every_error_code_has_its_status_and_sentence(page: str) -> None:
    for code, (status, sentence) in ERRORS.items():
        row = re.search(rf'<tr id="error-{code}">(.*?)</tr>', page)
        assert row is not None, code
        assert f"<td>{status}</td>" in row[1]
        assert sentence in unescape(row[1])


def test_every_field_of_every_schema_is_there(document: dict[str, Any], page: str) -> None:
    for name, schema in document["components"]["schemas"].items():
        assert f'id="schema-{name}"' in page
        for field in schema["properties"]:
            assert f'<code class="name">{field}</code>' in page


def test_nothing_comes_from_elsewhere_and_nothing_runs(page: str) -> None:
    outline = Outline(page)

    assert outline.addresses
    assert all(address.startswith("#") or address == "openapi.json" for address in outline.addresses)
    assert "<script" not in page
    assert not {"script", "iframe", "object", "embed", "link", "img"} & outline.elements
    assert not re.search(r"\son\w+=|url\(|@import|javascript:", page)


def test_it_is_well_formed_and_every_link_leads_somewhere(page: str) -> None:
    outline = Outline(page)

    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert {address[1:] for address in outline.addresses if address.startswith("#")} <= set(outline.ids)


def test_headings_skip_no_level(page: str) -> None:
    levels = Outline(page).headings

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_document_is_left_as_it_was(document: dict[str, Any]) -> None:
    before = deepcopy(document)

    assert docs_page(document) == docs_page(document)
    assert document == before


def test_hostile_text_is_escaped_wherever_it_stands() -> None:
    field = {"type": "string", "description": HOSTILE, "enum": [HOSTILE], "example": HOSTILE, "pattern": HOSTILE}
    parameter = {"name": HOSTILE, "in": "query", "description": HOSTILE, "schema": field, "example": HOSTILE}
    error = {"description": HOSTILE, "content": {"a/b": {"examples": {HOSTILE: {"value": {"error": HOSTILE}}}}}}
    body = {
        "content": {HOSTILE: {"schema": {"$ref": f"#/components/schemas/{HOSTILE}"}, "example": {HOSTILE: HOSTILE}}}
    }
    document = small(
        operationId=HOSTILE,
        summary=HOSTILE,
        description=f"`{HOSTILE}`\n\n{HOSTILE}",
        tags=[HOSTILE],
        parameters=[parameter],
        requestBody=body,
        responses={"200": {"description": HOSTILE, "headers": {HOSTILE: {}}, "content": body["content"]}, "400": error},
        components={HOSTILE: {"type": "object", "properties": {HOSTILE: field}, "description": HOSTILE}},
    )
    document["info"] |= {"title": HOSTILE, "version": HOSTILE, "description": HOSTILE, "license": {"name": HOSTILE}}
    document["tags"] = [{"name": HOSTILE, "description": HOSTILE}]
    document["paths"][f"/{HOSTILE}"] = document["paths"]["/v1/things/{id}"]

    page = docs_page(document)

    assert "<img" not in page
    assert page.count("&lt;img src=x onerror=") > 20


def test_a_description_keeps_its_code_and_paragraphs() -> None:
    page = docs_page(small(description="Reads `a < b`.\n\nA second\nparagraph, a lone ` too."))

    assert "<p>Reads <code>a &lt; b</code>.</p>\n<p>A second\nparagraph, a lone ` too.</p>" in page


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        pytest.param({"type": "string"}, "string", id="plain"),
        pytest.param({}, "any", id="no type"),
        pytest.param({"type": ["string", "integer"]}, "string or integer", id="two types"),
        pytest.param({"type": "array", "items": {"type": "integer"}}, "array of integer", id="list"),
        pytest.param(
            {"type": "array", "items": {"$ref": "#/components/schemas/Part"}}, "array of Part", id="list of schema"
        ),
        pytest.param({"type": "object", "additionalProperties": {"type": "string"}}, "map of string", id="map"),
        pytest.param({"type": "object", "additionalProperties": {}}, "object", id="object of anything"),
        pytest.param({"$ref": "#/components/schemas/Part"}, "Part", id="schema"),
        pytest.param({"$ref": "#/components/schemas/Gone"}, "Gone", id="schema that is not there"),
        pytest.param(
            {"anyOf": [{"$ref": "#/components/schemas/Part"}, {"type": "string"}]}, "Part or string", id="choice"
        ),
        pytest.param({"type": ["integer", "null"]}, "integer required nullable", id="null among the types"),
        pytest.param(
            {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer required nullable", id="null as a choice"
        ),
    ],
)
def test_types(schema: dict[str, Any], shown: str) -> None:
    whole = {"type": "object", "properties": {"it": schema}, "required": ["it"]}
    part = {"type": "object", "properties": {"inner": {"type": "boolean"}}}

    page = docs_page(small(whole, {"Part": part}))

    row = re.search(r'<tr>\s*<th scope="row"><code class="name">it</code>(.*?)</th>', page, re.DOTALL)
    assert row is not None
    assert " ".join(re.sub(r"<[^>]*>", "", row[1]).split()).removesuffix(" required") == shown


def test_a_field_says_what_it_may_be() -> None:
    amount = {"type": "string", "pattern": "^[0-9]+$", "format": "decimal", "minLength": 1, "maxLength": 9}
    kind = {"type": ["string", "null"], "enum": ["flat", "tiered", None]}
    entries = {"type": "array", "items": {"type": "integer", "minimum": 3}, "maxItems": 7}
    properties = {"amount": amount, "kind": kind, "entries": entries}

    text = Outline(docs_page(small({"type": "object", "properties": properties}))).text

    assert "decimal, 1 to 9 characters, Pattern ^[0-9]+$" in text
    assert re.search(r"One of flat tiered (?!None)", text)
    assert "at most 7 entries, at least 3" in text


def test_schemas_within_schemas_are_written_out_where_they_are_used() -> None:
    leaf = {"type": "object", "properties": {"depth": {"type": "integer", "description": "How deep."}}}
    branch = {
        "type": "object",
        "properties": {"leaves": {"type": "array", "items": {"$ref": "#/components/schemas/Leaf"}}},
    }

    page = docs_page(small({"$ref": "#/components/schemas/Branch"}, {"Branch": branch, "Leaf": leaf}))

    assert "1 field of <code>leaves[]</code>" in page
    assert '<span class="vh">leaves[].</span><code class="name">depth</code>' in page


def test_a_schema_within_itself_ends_in_a_link() -> None:
    children = {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}
    tree = {"type": "object", "properties": {"children": children, "name": {"type": "string", "example": "root"}}}

    page = docs_page(small({"$ref": "#/components/schemas/Tree"}, {"Tree": tree, "Error": tree}))

    assert 'array of <a href="#schema-Tree">Tree</a>' in page
    # Once in the answer, once each among the schemas; in `Error` within itself no more.
    assert page.count('<code class="name">children</code>') == 3


def test_curl_of_a_get() -> None:
    parameters = [
        {"name": "id", "in": "path", "required": True, "example": "a b"},
        {"name": "country", "in": "query", "example": "US&x"},
        {"name": "lang", "in": "query", "example": "de"},
        {"name": "If-None-Match", "in": "header", "example": '"abc"'},
    ]

    words = curl(parameters=parameters)

    assert words == ["curl", "-H", "Authorization: Bearer $KEY", "$BASE/v1/things/a%20b?country=US%26x"]


def test_curl_of_a_post() -> None:
    words = curl(
        method="post",
        parameters=[{"name": "Idempotency-Key", "in": "header", "example": "it's $one"}],
        requestBody={"content": {"application/json": {"example": {"name": "Mira's `box`"}}}},
    )

    assert words[:4] == ["curl", "-H", "Authorization: Bearer $KEY", "$BASE/v1/things/id"]
    assert words[4:8] == ["-H", "Content-Type: application/json", "-H", "Idempotency-Key: it's $one"]
    assert words[8:] == ["-d", '{\n  "name": "Mira\'s `box`"\n}']


def test_curl_of_another_method_without_a_key() -> None:
    assert curl(method="delete", security=[]) == ["curl", "-X", "DELETE", "$BASE/v1/things/id"]


def test_an_endpoint_without_a_key_says_so() -> None:
    assert "no key needed" in docs_page(small(security=[]))
    assert "no key needed" not in docs_page(small())


def test_tags_are_groups_in_their_order() -> None:
    document = small(tags=["embed"])
    document["paths"]["/other"] = {"get": {"summary": "Other", "tags": ["gifts"], "responses": {}}}
    document["tags"] = [{"name": "gifts", "description": "Wrapped."}]

    text = Outline(docs_page(document)).text

    assert re.search(r"#Embed API .*#gifts Wrapped\.", text)


def test_a_failure_without_codes_shows_its_description() -> None:
    page = docs_page(small(responses={"404": {"description": "No `such` thing."}, "default": {"description": "Else."}}))

    assert "<p>No <code>such</code> thing.</p>" in page
    assert "Not Found" in page
    assert "<p>Else.</p>" in page


def test_a_document_without_paths() -> None:
    page = docs_page({"openapi": "3.1.0", "info": {"title": "Bare", "version": "1"}})

    assert Outline(page).open == []
    assert "Bare" in page
