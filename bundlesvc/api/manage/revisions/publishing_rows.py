"""The endpoints that publish revisions."""

from collections.abc import Iterator

from bundlesvc.api.endpoint import IDEMPOTENCY_KEY, Endpoint
from bundlesvc.api.manage.revisions import publishing
from bundlesvc.api.manage.revisions.parameters import (
    DRAFT,
    DRAFT_ERRORS,
    DRY_RUN,
    IDEMPOTENCY_ERRORS,
    IF_MATCH,
    TAG,
)
from bundlesvc.api.manage.revisions.requests import PublicationSchema
from bundlesvc.api.manage.revisions.responses import RevisionSchema
from bundlesvc.domain.revisions.refusals import RevisionConflict, RevisionInvalid, SecondPersonRequired

PUBLICATION_ERRORS = (RevisionConflict.code, RevisionInvalid.code, SecondPersonRequired.code)


def publishing_rows() -> Iterator[Endpoint]:
    yield Endpoint(
        "POST",
        "/revisions/{number}/publish",
        publishing.publish,
        name="publishRevision",
        summary="Publish a draft",
        description="Merges the draft into the live revision, and makes the result live immediately. With `publishAt`, the draft "
        "is checked now and published at that time.",
        request=PublicationSchema(),
        response=RevisionSchema(),
        parameters=(DRAFT, IF_MATCH, DRY_RUN, IDEMPOTENCY_KEY),
        errors=(*DRAFT_ERRORS, *PUBLICATION_ERRORS, *IDEMPOTENCY_ERRORS),
        tag=TAG,
    )
    yield Endpoint(
        "POST",
        "/revisions/{number}/unschedule",
        publishing.unschedule,
        name="unscheduleRevision",
        summary="Unschedule a revision",
        description="Cancels a scheduled publication. The revision becomes a draft again and can be changed.",
        response=RevisionSchema(),
        parameters=(DRAFT, IF_MATCH, DRY_RUN, IDEMPOTENCY_KEY),
        errors=(*DRAFT_ERRORS, *IDEMPOTENCY_ERRORS),
        tag=TAG,
    )
