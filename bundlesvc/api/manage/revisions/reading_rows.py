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
        description=f"The newest first. States are {', '.join(STATES)}.",
        response=RevisionSchema(many=True),
        parameters=(STATE, LIMIT, CURSOR),
        errors=("invalid_request",),
        tag=TAG,
        stored_by_caches=False,
    )
    for path, handler, name, summary, description, response, parameters in (
        ("", reading.read_revision, "readRevision", "Read a revision", "Without its content.", RevisionSchema(), ()),
        (
            "/content",
            reading.read_content,
            "readContent",
            "Read the content of a revision",
            "A draft has the content of its base, with what it changes. Stock is that of now. `at` adds what is due by then.",
            items.CONTENT,
            (AT,),
        ),
        (
            "/diff",
            reading.read_difference,
            "readDifference",
            "Compare revisions",
            "The differences from another revision; of an open draft and the live one, what publishing would change.",
            DifferenceSchema(),
            (AGAINST,),
        ),
        (
            "/lint",
            reading.read_findings,
            "lintRevision",
            "Check a revision",
            "What the linter finds, and what makes the content invalid; of an open draft, in what publishing would make.",
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
            summary=f"Read a {NOUNS[kind]}" if kind != EXPERIMENTS else "Read an experiment",
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
        description="Prices what shoppers have configured of the bundles that the draft changes, as publishing it would make it: "
        "the newest selections, up to 10,000 in all. Nothing is stored.",
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
        description="Products of the shop's platform with these words: of the embedded one in title, handle, id or SKU, in the "
        "order of their ids; of a live one as its own search finds them. Drafts of products are among them.",
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
        description="The bundles that the shop's platform has itself, to become bundles of a draft, by title: 20 products at a "
        "time, of which each may be a bundle for every variant. Archived ones are left out. `faults` has why one cannot be "
        "made as it is there. Empty where a platform has no bundles of its own.",
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
        description="Who changed what, when and from where, the newest first. With `Accept: application/x-ndjson` the entries "
        "are JSON lines.",
        response=AuditEntrySchema(many=True),
        parameters=(SINCE, LIMIT, CURSOR),
        errors=("invalid_request",),
        tag=TAG,
        stored_by_caches=False,
    )
