"""The endpoints that read revisions."""

from collections.abc import Iterator

from bundlesvc.api.endpoint import BODY_ERRORS, PLATFORM_ERRORS, Endpoint
from bundlesvc.api.manage.revisions import items, reading
from bundlesvc.api.manage.revisions.parameters import (
    AGAINST,
    AT,
    CURSOR,
    DRAFT,
    LIMIT,
    NOUNS,
    NUMBER,
    OF_FILE,
    READ_ERRORS,
    SEARCH,
    SINCE,
    STATE,
    TAG,
    item_id,
    with_article,
)
from bundlesvc.api.manage.revisions.platform_bundles import PlatformBundleSchema, list_platform_bundles
from bundlesvc.api.manage.revisions.requests import ReplayRequestSchema
from bundlesvc.api.manage.revisions.responses import (
    AuditEntrySchema,
    DifferenceSchema,
    FindingsSchema,
    ReplaySchema,
    RevisionSchema,
)
from bundlesvc.api.responses.products import ProductsSchema
from bundlesvc.domain.revisions.items import BUNDLES, EXPERIMENTS, MARKETS, PRODUCTS, SHOP
from bundlesvc.domain.revisions.refusals import RevisionInvalid
from bundlesvc.domain.revisions.revision import STATES

_READERS = {
    BUNDLES: reading.read_bundle,
    PRODUCTS: reading.read_product,
    MARKETS: reading.read_market,
    EXPERIMENTS: reading.read_experiment,
}


def reading_rows() -> Iterator[Endpoint]:
    yield Endpoint(
        "GET",
        "/shop",
        reading.read_shop,
        name="readShop",
        summary="Read the shop",
        description="The shop's settings in the live revision, and the number of that revision.",
        response=items.LIVE_SHOP,
        tag=TAG,
        stored_by_caches=False,
    )
    yield Endpoint(
        "GET",
        "/revisions",
        reading.list_revisions,
        name="listRevisions",
        summary="List revisions",
        description=f"The revisions of the shop, newest first. Their states are {', '.join(STATES)}.",
        response=RevisionSchema(many=True),
        parameters=(STATE, LIMIT, CURSOR),
        errors=("invalid_request",),
        tag=TAG,
        stored_by_caches=False,
    )
    for path, handler, name, summary, description, response, parameters in (
        (
            "",
            reading.read_revision,
            "readRevision",
            "Read a revision",
            "The revision without its content.",
            RevisionSchema(),
            (),
        ),
        (
            "/content",
            reading.read_content,
            "readContent",
            "Read the content of a revision",
            (
                "The content of a draft is its base plus its changes. Stock is current. For the live revision, `at` adds the "
                "changes that are scheduled to be published by then."
            ),
            items.CONTENT,
            (AT,),
        ),
        (
            "/diff",
            reading.read_difference,
            "readDifference",
            "Compare revisions",
            (
                "The differences from another revision. When an open draft is compared with the live revision, they are what "
                "publishing the draft would change."
            ),
            DifferenceSchema(),
            (AGAINST,),
        ),
        (
            "/lint",
            reading.read_findings,
            "lintRevision",
            "Check a revision",
            (
                "The linter's findings and all errors in the content. For an open draft, the result of publishing the draft "
                "is checked."
            ),
            FindingsSchema(),
            (),
        ),
        (
            "/shop",
            reading.read_shop_item,
            "readRevisionShop",
            "Read the shop of a revision",
            OF_FILE,
            items.read(SHOP),
            (),
        ),
    ):
        yield Endpoint(
            "GET",
            f"/revisions/{{number}}{path}",
            handler,
            name=name,
            summary=summary,
            description=description,
            response=response,
            parameters=(NUMBER, *parameters),
            errors=READ_ERRORS,
            tag=TAG,
            stored_by_caches=False,
        )
    for kind, handler in _READERS.items():
        yield Endpoint(
            "GET",
            f"/revisions/{{number}}/{kind}/{{id}}",
            handler,
            name=f"read{NOUNS[kind].title()}",
            summary=f"Read {with_article(kind)}",
            description=OF_FILE,
            response=items.read(kind),
            parameters=(NUMBER, item_id(kind)),
            errors=READ_ERRORS,
            tag=TAG,
            stored_by_caches=False,
        )
    yield Endpoint(
        "POST",
        "/revisions/{number}/replay",
        reading.replay,
        name="replayRevision",
        summary="Replay a draft",
        description="Prices existing selections of the bundles that the draft changes, as if the draft were published: the "
        "newest selections, up to 10,000 in all. Nothing is stored.",
        request=ReplayRequestSchema(),
        response=ReplaySchema(),
        parameters=(DRAFT,),
        errors=("not_found", *BODY_ERRORS, RevisionInvalid.code, *PLATFORM_ERRORS),
        tag=TAG,
    )
    yield Endpoint(
        "GET",
        "/products",
        reading.find_products,
        name="findProducts",
        summary="Find products",
        description="The products of the shop's platform that match the words in `search`. The embedded platform searches the "
        "title, handle, id and SKU, and lists products by id; a live platform uses its own search. Draft products are included.",
        response=ProductsSchema(),
        parameters=(SEARCH, LIMIT, CURSOR),
        errors=("invalid_request", *PLATFORM_ERRORS),
        tag=TAG,
        stored_by_caches=False,
    )
    yield Endpoint(
        "GET",
        "/platform-bundles",
        list_platform_bundles,
        name="listPlatformBundles",
        summary="List bundles of the platform",
        description="The platform's own bundles, which can be imported into a draft, by title. A page covers 20 products, and "
        "each variant of a product may be a bundle. Archived products are left out. `faults` contains the reasons why a bundle "
        "cannot be imported as it is. The list is empty when the platform has no bundles of its own.",
        response=PlatformBundleSchema(many=True),
        parameters=(CURSOR,),
        errors=("invalid_request", *PLATFORM_ERRORS),
        tag=TAG,
        stored_by_caches=False,
    )
    yield Endpoint(
        "GET",
        "/audit",
        reading.list_entries,
        name="listAuditEntries",
        summary="Read the audit log",
        description="Who changed what, when and from where, newest first. With `Accept: application/x-ndjson`, the entries are "
        "JSON lines.",
        response=AuditEntrySchema(many=True),
        parameters=(SINCE, LIMIT, CURSOR),
        errors=("invalid_request",),
        tag=TAG,
        stored_by_caches=False,
    )
