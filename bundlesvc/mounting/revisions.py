"""Mounts the revisions of a shop."""

import socket

from bundlesvc.api import app_keys
from bundlesvc.api.manage.revisions.routes import RevisionServices, add_revisions
from bundlesvc.domain.shop import EMBEDDED
from bundlesvc.lifecycle import repeating
from bundlesvc.mounting.service import Service
from bundlesvc.platforms.embedded.product_search import EmbeddedProductSearch
from bundlesvc.services.revisions.drafts import Drafts
from bundlesvc.services.revisions.platform_bundles import BundlesToImport
from bundlesvc.services.revisions.products import ProductChoice
from bundlesvc.services.revisions.publishing import Publishing, Schedule
from bundlesvc.services.revisions.reading import Revisions
from bundlesvc.services.revisions.replay import Replays
from bundlesvc.services.revisions.requests import RevisionWriter
from bundlesvc.serving.background import REFRESH_SECONDS
from bundlesvc.shop_file.contents import ShopFileContents, describe
from bundlesvc.shop_file.json_schema import item_components
from bundlesvc.storage.configured.selections import SqlSelections
from bundlesvc.storage.revisions.store import SqlRevisionStore


def mount_revisions(service: Service) -> None:
    app, settings, adapters = service.app, service.settings, service.adapters
    store, contents = SqlRevisionStore(adapters.database, describe), ShopFileContents()
    publishing = Publishing(store, contents)
    schedule = Schedule(store, publishing, adapters.clock, socket.gethostname())
    searches = {EMBEDDED: EmbeddedProductSearch(adapters.database), **adapters.live.product_searches}
    services = RevisionServices(
        Revisions(store, contents),
        Drafts(store, contents),
        publishing,
        Replays(store, contents, SqlSelections(adapters.database), adapters.platform, settings.price_max_age),
        ProductChoice(searches, adapters.platform),
        BundlesToImport(adapters.live.bundle_readers),
        RevisionWriter(store, adapters.buckets, adapters.clock),
        schedule,
    )
    add_revisions(app, service.manage, services, item_components)
    app[app_keys.BACKGROUND].append(repeating("the publication of scheduled revisions", REFRESH_SECONDS, schedule.run))
