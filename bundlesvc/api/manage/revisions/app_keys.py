"""The application keys for the services that handle revisions."""

from aiohttp import web

from bundlesvc.services.revisions.drafts import Drafts
from bundlesvc.services.revisions.platform_bundles import BundlesToImport
from bundlesvc.services.revisions.products import ProductChoice
from bundlesvc.services.revisions.publishing import Publishing
from bundlesvc.services.revisions.reading import Revisions
from bundlesvc.services.revisions.replay import Replays
from bundlesvc.services.revisions.requests import RevisionWriter

REVISIONS = web.AppKey("revisions", Revisions)
DRAFTS = web.AppKey("drafts", Drafts)
PUBLISHING = web.AppKey("publishing", Publishing)
REPLAYS = web.AppKey("replays", Replays)
PRODUCT_CHOICE = web.AppKey("product_choice", ProductChoice)
REVISION_WRITER = web.AppKey("revision_writer", RevisionWriter)
BUNDLES_TO_IMPORT = web.AppKey("bundles_to_import", BundlesToImport)

SOURCE = web.RequestKey("revision_source", str)
"""The source of a revision, such as the studio, when it is not the API itself."""
