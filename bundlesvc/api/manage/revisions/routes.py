"""The revision endpoints of the management API, and the services behind them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from aiohttp import web

from bundlesvc.api.app_keys import COLLECTORS
from bundlesvc.api.manage.api import ManagementApi
from bundlesvc.api.manage.part import Part
from bundlesvc.api.manage.revisions.app_keys import (
    BUNDLES_TO_IMPORT,
    DRAFTS,
    PRODUCT_CHOICE,
    PUBLISHING,
    REPLAYS,
    REVISION_WRITER,
    REVISIONS,
)
from bundlesvc.api.manage.revisions.editing_rows import editing_rows
from bundlesvc.api.manage.revisions.items import Components, with_own
from bundlesvc.api.manage.revisions.parameters import TAG
from bundlesvc.api.manage.revisions.publishing_rows import publishing_rows
from bundlesvc.api.manage.revisions.reading_rows import reading_rows
from bundlesvc.api.manage.revisions.statistics import ScheduleStatistics
from bundlesvc.api.responses import products
from bundlesvc.domain.access.key import MANAGE_PUBLISH, MANAGE_READ, MANAGE_WRITE
from bundlesvc.domain.revisions.refusals import (
    IdUsed,
    IfMatchRequired,
    RevisionConflict,
    RevisionInvalid,
    RevisionOutdated,
    RevisionState,
    SecondPersonRequired,
)
from bundlesvc.services.revisions.drafts import Drafts
from bundlesvc.services.revisions.platform_bundles import BundlesToImport
from bundlesvc.services.revisions.products import ProductChoice
from bundlesvc.services.revisions.publishing import Publishing, Schedule
from bundlesvc.services.revisions.reading import Revisions
from bundlesvc.services.revisions.replay import Replays
from bundlesvc.services.revisions.requests import RevisionWriter

_VALUE = {"description": "The value; null when there is none."}

PART = Part(
    TAG,
    "The shop's content as a sequence of revisions: drafts, publication, history. Every write to a draft needs `If-Match`. A key "
    "may make 60 writes a minute, of up to 5 MB each.",
    {
        MANAGE_READ: tuple(reading_rows()),
        MANAGE_WRITE: tuple(editing_rows()),
        MANAGE_PUBLISH: tuple(publishing_rows()),
    },
    (
        (
            RevisionInvalid,
            {"path": "bundles.101.type", "code": "invalid", "message": "Must be native or multiple-products."},
        ),
        (RevisionConflict, {}),
        (RevisionState, {}),
        (SecondPersonRequired, {}),
        (IdUsed, {}),
        (RevisionOutdated, {}),
        (IfMatchRequired, {}),
    ),
    {
        "authors": {
            "type": "array",
            "description": "`second_person_required` only: the people who have changed the draft.",
            "items": {"type": "string", "example": "Studio"},
        },
        "conflicts": {
            "type": "array",
            "description": "`revision_conflict` only: the parts that the draft and the live revision changed differently.",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "example": "bundles.101.discount.value"},
                    "base": _VALUE,
                    "live": _VALUE,
                    "yours": _VALUE,
                },
                "required": ["path", "base", "live", "yours"],
            },
        },
    },
    names={
        products.ProductSchema: "FoundProduct",
        products.SwatchSchema: "FoundSwatch",
        products.VariantSchema: "FoundVariant",
    },
)


@dataclass(frozen=True, slots=True)
class RevisionServices:
    """The services behind the endpoints for revisions."""

    revisions: Revisions
    drafts: Drafts
    publishing: Publishing
    replays: Replays
    products: ProductChoice
    bundles_to_import: BundlesToImport
    writer: RevisionWriter
    schedule: Schedule


def add_revisions(
    app: web.Application,
    api: ManagementApi,
    services: RevisionServices,
    item_components: Callable[[], Components],
) -> None:
    """Serve revisions in the management API. `item_components` creates the components of the OpenAPI document that describe
    items."""
    app[REVISIONS], app[DRAFTS], app[PUBLISHING] = services.revisions, services.drafts, services.publishing
    app[REPLAYS], app[PRODUCT_CHOICE], app[REVISION_WRITER] = services.replays, services.products, services.writer
    app[BUNDLES_TO_IMPORT] = services.bundles_to_import
    app[COLLECTORS].append(ScheduleStatistics(services.schedule))
    api.mount(replace(PART, components=with_own(item_components)))
