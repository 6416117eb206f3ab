"""Mounts the routes for preview links to drafts, if the service has both the studio and revisions."""

from bundlesvc.api.manage.revisions.app_keys import REVISIONS
from bundlesvc.mounting.service import Service
from bundlesvc.storage.revisions.preview_links import SqlPreviewLinks
from bundlesvc.token_cipher import preview_link_cipher


def mount_preview_links(service: Service) -> None:
    app, settings, adapters = service.app, service.settings, service.adapters
    if not (settings.studio or settings.demo):
        return
    from bundlesvc.studio.handlers import SERVICES  # noqa: PLC0415
    from bundlesvc.studio.sharing.guest_handlers import Guests  # noqa: PLC0415
    from bundlesvc.studio.sharing.preview_links import PreviewLinks  # noqa: PLC0415
    from bundlesvc.studio.sharing.routes import add_sharing  # noqa: PLC0415

    cipher, store = preview_link_cipher(settings.secret_keys), SqlPreviewLinks(adapters.database, demo=settings.demo)
    links = PreviewLinks(store, adapters.shops, app[REVISIONS], cipher, adapters.clock)
    guests = Guests(app[SERVICES].previews, adapters.buckets, settings.platform_timeout)
    add_sharing(app, service.manage, links, guests)
