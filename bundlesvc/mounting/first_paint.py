"""Mounts the endpoint that serves the HTML of bundles for the first paint."""

from bundlesvc.api.first_paint.routes import add_first_paint
from bundlesvc.mounting.service import Service


def mount_first_paint(service: Service) -> None:
    add_first_paint(service.app, service.settings.base_path)
