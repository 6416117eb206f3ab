"""The endpoints for preview links in the management API, and the page for people who were sent a link."""

from aiohttp import web

from bundlesvc.api.endpoint import IDEMPOTENCY_KEY, PATH_ID, Endpoint
from bundlesvc.api.manage.api import ManagementApi
from bundlesvc.api.manage.part import Part
from bundlesvc.api.manage.revisions.parameters import DRAFT, DRY_RUN, IDEMPOTENCY_ERRORS, WRITE_ERRORS
from bundlesvc.domain.access.key import MANAGE_READ, MANAGE_WRITE
from bundlesvc.domain.revisions.refusals import RevisionState, TooManyLinks
from bundlesvc.studio.page_files import PAGE, page_file
from bundlesvc.studio.sharing import guest_handlers, link_handlers
from bundlesvc.studio.sharing.guest_handlers import GUESTS, UNSEEN, Guests
from bundlesvc.studio.sharing.link_handlers import PREVIEW_LINKS, SHARED_PATH
from bundlesvc.studio.sharing.preview_links import PreviewLinks
from bundlesvc.studio.sharing.requests import NewLinkSchema
from bundlesvc.studio.sharing.responses import NewPreviewLinkSchema, PreviewLinkSchema

TAG = "preview links"

READING = (
    Endpoint(
        "GET",
        "/preview-links",
        link_handlers.list_links,
        name="listPreviewLinks",
        summary="List the valid preview links",
        description="The newest first, without their addresses.",
        response=PreviewLinkSchema(many=True),
        tag=TAG,
        stored_by_caches=False,
    ),
)
WRITING = (
    Endpoint(
        "POST",
        "/revisions/{number}/preview-links",
        link_handlers.make_link,
        name="makePreviewLink",
        summary="Make a preview link",
        description="Whoever has its address sees the bundle as the draft has it at that moment, without a key, and can change "
        "and buy nothing. It ends after 7 days, or `days` (1 to 30), with the key that made it, and with its draft.",
        request=NewLinkSchema(),
        response=NewPreviewLinkSchema(),
        parameters=(DRAFT, DRY_RUN, IDEMPOTENCY_KEY),
        errors=(*WRITE_ERRORS, RevisionState.code, TooManyLinks.code, *IDEMPOTENCY_ERRORS),
        tag=TAG,
    ),
    Endpoint(
        "DELETE",
        "/preview-links/{id}",
        link_handlers.end_link,
        name="endPreviewLink",
        summary="End a preview link",
        description="At once, in every process. The response has the link that was.",
        response=PreviewLinkSchema(),
        parameters=(PATH_ID, DRY_RUN),
        errors=WRITE_ERRORS,
        tag=TAG,
    ),
)

PART = Part(
    TAG,
    "Links with which people without a key see a bundle in a draft, where the [studio](/docs/guides/studio.md) is on.",
    {MANAGE_READ: READING, MANAGE_WRITE: WRITING},
    ((TooManyLinks, {}),),
)


def add_sharing(app: web.Application, api: ManagementApi, links: PreviewLinks, guests: Guests) -> None:
    """Add preview links to an application that serves the studio."""
    app[PREVIEW_LINKS], app[GUESTS] = links, guests
    api.mount(PART)
    app.router.add_get(
        SHARED_PATH, page_file(PAGE / "shared" / "index.html", {**UNSEEN, "Referrer-Policy": "no-referrer"})
    )
    app.router.add_get(f"{SHARED_PATH}/link", guest_handlers.read_link)
    app.router.add_route("*", f"{SHARED_PATH}/preview/{{rest:.+}}", guest_handlers.preview)
