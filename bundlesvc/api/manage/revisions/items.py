"""Describes the bodies that contain an item of a shop's content, for the OpenAPI document. The descriptions refer to the schema
components of the shop file format.

A draft may be invalid, so an item read from a draft either matches one of these components or is returned as it was sent.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bundlesvc.api.endpoint import DocumentedBody
from bundlesvc.api.manage.revisions.item_examples import EXAMPLES, PATCHES
from bundlesvc.api.manage.revisions.parameters import NOUNS
from bundlesvc.domain.revisions.items import NAMES, SHOP

Components = Mapping[str, dict[str, Any]]

INVALID_ITEM = "InvalidItem"


def sent(kind: str) -> DocumentedBody:
    """Describe an item of the given kind as a client sends it. The field that identifies it may be left out, because the path
    contains it."""
    return DocumentedBody(_reference(_name(kind) if kind == SHOP else f"{_name(kind)}Input"), EXAMPLES[kind])


def patch(kind: str) -> DocumentedBody:
    """Describe a merge patch for an item of the given kind."""
    return DocumentedBody(_reference(f"{_name(kind)}Patch"), PATCHES[kind])


def read(kind: str) -> DocumentedBody:
    """Describe an item of the given kind as the API returns it from any revision."""
    return DocumentedBody(_of_any_revision(kind), EXAMPLES[kind])


LIVE_SHOP = DocumentedBody({"$ref": "#/components/schemas/LiveShop"}, {**EXAMPLES[SHOP], "live": 7})
CONTENT = DocumentedBody(
    {"$ref": "#/components/schemas/Content"},
    {SHOP: EXAMPLES[SHOP], **{kind: [EXAMPLES[kind]] for kind in NAMES}},
)


def with_own(of_items: Callable[[], Components]) -> Callable[[], Components]:
    """Return a function that creates the OpenAPI components for items: those that `of_items` creates, and those that only the API
    needs, such as `LiveShop`."""

    def components() -> Components:
        items = of_items()
        return {**items, INVALID_ITEM: _INVALID_ITEM, "LiveShop": _live(items["Shop"]), "Content": _content()}

    return components


_INVALID_ITEM = {
    "type": "object",
    "description": "An invalid item of a draft, as it was sent. `GET /revisions/{number}/lint` says what is wrong.",
}


def _live(shop: Mapping[str, Any]) -> dict[str, Any]:
    live = {"type": "integer", "description": "The number of the live revision."}
    return {
        **shop,
        "description": "The shop's settings in the live revision, and the number of that revision.",
        "properties": {**shop["properties"], "live": live},
        "required": [*shop["required"], "live"],
    }


def _content() -> dict[str, Any]:
    lists = {
        kind: {"type": "array", "items": _of_any_revision(kind), "description": f"The {kind}, in order of `{name}`."}
        for kind, name in NAMES.items()
    }
    return {
        "type": "object",
        "description": "The whole content of a revision, in the form of a shop file.",
        "properties": {SHOP: _of_any_revision(SHOP), **lists},
        "required": [SHOP, *lists],
        "additionalProperties": False,
    }


def _of_any_revision(kind: str) -> dict[str, Any]:
    return {"anyOf": [_reference(_name(kind)), _reference(INVALID_ITEM)]}


def _name(kind: str) -> str:
    return NOUNS.get(kind, kind).title()


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}
