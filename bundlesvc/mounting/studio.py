"""Mounts the studio if a setting turns it on. Most processes do not import the studio's modules."""

from bundlesvc.api import app_keys
from bundlesvc.mounting.service import Service
from bundlesvc.storage.open_pages import SqlOpenPages
from bundlesvc.system import RandomIds
from bundlesvc.token_cipher import session_cipher


def mount_studio(service: Service) -> None:
    app, settings, adapters = service.app, service.settings, service.adapters
    if not (settings.studio or settings.demo):
        return
    from bundlesvc.studio.drafts.draft_previews import DraftPreviews  # noqa: PLC0415
    from bundlesvc.studio.handlers import StudioServices  # noqa: PLC0415
    from bundlesvc.studio.routes import add_studio  # noqa: PLC0415
    from bundlesvc.studio.sessions import Sessions  # noqa: PLC0415

    sessions = Sessions(session_cipher(settings.secret_keys), app[app_keys.AUTHENTICATION], adapters.clock)
    previews = DraftPreviews(adapters.platform, adapters.clock, RandomIds())
    pages = SqlOpenPages(adapters.database)
    services = StudioServices(sessions, previews, pages, adapters.buckets, adapters.clock, settings.platform_timeout)
    add_studio(app, services)
