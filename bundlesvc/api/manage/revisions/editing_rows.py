"""The endpoints that change drafts."""

from collections.abc import Iterator

from bundlesvc.api.endpoint import BODY_ERRORS, IDEMPOTENCY_KEY, Endpoint, Parameter
from bundlesvc.api.manage.revisions import editing, items
from bundlesvc.api.manage.revisions.parameters import (
    DRAFT,
    DRAFT_ERRORS,
    DRY_RUN,
    IDEMPOTENCY_ERRORS,
    IF_MATCH,
    NOUNS,
    TAG,
    WRITE_ERRORS,
    item_id,
    with_article,
)
from bundlesvc.api.manage.revisions.requests import NewRevisionSchema
from bundlesvc.api.manage.revisions.responses import RevisionSchema
from bundlesvc.domain.revisions.items import BUNDLES, SHOP
from bundlesvc.domain.revisions.refusals import IdUsed, RevisionState


def editing_rows() -> Iterator[Endpoint]:
    yield Endpoint(
        "POST",
        "/revisions",
        editing.create,
        name="createRevision",
        summary="Create a draft",
        description="Creates a draft based on the live revision.",
        request=NewRevisionSchema(),
        response=RevisionSchema(),
        parameters=(DRY_RUN, IDEMPOTENCY_KEY),
        errors=(*BODY_ERRORS, *IDEMPOTENCY_ERRORS),
        tag=TAG,
    )
    yield Endpoint(
        "POST",
        "/revisions/{number}/bundles",
        editing.add_bundle,
        name="addBundle",
        summary="Add a bundle",
        description="Adds a bundle with the given id, or with the next free id when none is given.",
        request=items.sent(BUNDLES),
        response=items.read(BUNDLES),
        parameters=(DRAFT, IF_MATCH, DRY_RUN, IDEMPOTENCY_KEY),
        errors=(*DRAFT_ERRORS, IdUsed.code, *IDEMPOTENCY_ERRORS),
        tag=TAG,
    )
    yield Endpoint(
        "POST",
        "/revisions/{number}/bundles/{id}/duplicate",
        editing.duplicate_bundle,
        name="duplicateBundle",
        summary="Duplicate a bundle",
        description="Copies a bundle. The copy gets the next free id, and is not published.",
        response=items.read(BUNDLES),
        parameters=(DRAFT, item_id(BUNDLES), IF_MATCH, DRY_RUN, IDEMPOTENCY_KEY),
        errors=(*DRAFT_ERRORS, IdUsed.code, *IDEMPOTENCY_ERRORS),
        tag=TAG,
    )
    yield Endpoint(
        "POST",
        "/revisions/{number}/discard",
        editing.discard,
        name="discardRevision",
        summary="Discard a draft",
        description="Discards a draft or a scheduled revision. It can still be read.",
        response=RevisionSchema(),
        parameters=(DRAFT, IF_MATCH, DRY_RUN, IDEMPOTENCY_KEY),
        errors=(*DRAFT_ERRORS, *IDEMPOTENCY_ERRORS),
        tag=TAG,
    )
    yield Endpoint(
        "POST",
        "/revisions/{number}/revert",
        editing.revert,
        name="revertRevision",
        summary="Restore a revision",
        description="Creates a draft that restores a past revision. Compare it with the live revision before you publish it.",
        request=NewRevisionSchema(),
        response=RevisionSchema(),
        parameters=(DRAFT, DRY_RUN, IDEMPOTENCY_KEY),
        errors=(*WRITE_ERRORS, RevisionState.code, *IDEMPOTENCY_ERRORS),
        tag=TAG,
    )
    yield from _shop_rows()
    for kind in NOUNS:
        yield from _item_rows(kind)


def _shop_rows() -> Iterator[Endpoint]:
    path = "/revisions/{number}/shop"
    parameters = (DRAFT, IF_MATCH, DRY_RUN)
    note = "The handle and the platform cannot be changed."
    yield _write("PUT", SHOP, path, "putShop", "Replace the shop's settings", note, parameters)
    yield _write("PATCH", SHOP, path, "patchShop", "Change the shop's settings", note, parameters)


def _item_rows(kind: str) -> Iterator[Endpoint]:
    noun, path = NOUNS[kind], f"/revisions/{{number}}/{kind}/{{id}}"
    the, name, parameters = f"the {noun} of a draft", noun.title(), (DRAFT, item_id(kind), IF_MATCH, DRY_RUN)
    a_noun = with_article(kind)
    put = f"Replaces {the}, or adds it. A draft may be invalid, but an invalid draft cannot be published."
    yield _write("PUT", kind, path, f"put{name}", f"Put {a_noun}", put, parameters)
    patch = f"Changes {the} with a JSON merge patch (RFC 7386): null removes a key, and lists are replaced."
    yield _write("PATCH", kind, path, f"patch{name}", f"Change {a_noun}", patch, parameters)
    yield Endpoint(
        "DELETE",
        path,
        editing.deleting(kind),
        name=f"delete{name}",
        summary=f"Remove {a_noun}",
        description=f"Removes {the}.",
        response=RevisionSchema(),
        parameters=parameters,
        errors=DRAFT_ERRORS,
        tag=TAG,
    )


_WRITING = {"PUT": (editing.putting, items.sent), "PATCH": (editing.patching, items.patch)}
"""Two functions for each method that writes, called with a kind of item: one creates the handler, the other describes the request
body."""


def _write(
    method: str, kind: str, path: str, name: str, summary: str, description: str, parameters: tuple[Parameter, ...]
) -> Endpoint:
    handler, body = _WRITING[method]
    return Endpoint(
        method,
        path,
        handler(kind),
        name=name,
        summary=summary,
        description=description,
        request=body(kind),
        response=items.read(kind),
        parameters=parameters,
        errors=DRAFT_ERRORS,
        tag=TAG,
    )
