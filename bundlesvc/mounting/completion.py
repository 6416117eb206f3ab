"""Mounts the endpoints that complete selections."""

from bundlesvc.api.completion.routes import add_completion
from bundlesvc.mounting.service import Service
from bundlesvc.services.completion.complete_selection import CompleteSelection
from bundlesvc.services.completion.search_thread import SearchThread


def mount_completion(service: Service) -> None:
    settings, platform = service.settings, service.adapters.platform
    complete = CompleteSelection(
        platform, service.core.price_selection, settings.price_max_age, settings.completion_work, SearchThread()
    )
    add_completion(service.app, settings.base_path, complete)
