"""Makes completion available in the studio's previews. This requires both the completion capability and the studio."""

from bundlesvc.api.completion.routes import COMPLETE_SELECTION, EMBED_COMPLETION_ENDPOINTS
from bundlesvc.api.cors import embed_path
from bundlesvc.api.endpoint import add_endpoints
from bundlesvc.mounting.service import Service
from bundlesvc.services.completion.complete_selection import CompleteSelection


def mount_studio_completion(service: Service) -> None:
    app, settings = service.app, service.settings
    if not (settings.studio or settings.demo):
        return
    from bundlesvc.studio.drafts.draft_api import BASE_PATH, PRICE_MAX_AGE, DraftApi  # noqa: PLC0415
    from bundlesvc.studio.handlers import SERVICES  # noqa: PLC0415

    thread = app[COMPLETE_SELECTION].thread

    def complete(draft: DraftApi) -> None:
        prices, work = draft.price_selection, settings.completion_work
        draft.app[COMPLETE_SELECTION] = CompleteSelection(draft.catalogue, prices, PRICE_MAX_AGE, work, thread)
        add_endpoints(draft.app, embed_path(BASE_PATH), EMBED_COMPLETION_ENDPOINTS)

    app[SERVICES].previews.add_part(complete)
