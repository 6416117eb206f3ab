"""Mounts the fast path, which, where possible, answers requests before they reach the usual middleware."""

from bundlesvc.api.bodies.reading import MEBIBYTE
from bundlesvc.api.exposures import LISTENERS
from bundlesvc.api.fast_path.get_responder import GetResponder
from bundlesvc.api.fast_path.pipeline import FastPath, add_fast_path
from bundlesvc.api.fast_path.post_responder import PostResponder
from bundlesvc.api.middleware.observation import RECORD
from bundlesvc.mounting.service import Service


def mount_fast_path(service: Service) -> None:
    app, settings, gate = service.app, service.settings, service.gate
    if not settings.edge:
        return
    record, listeners = app[RECORD], app[LISTENERS]
    ready_bytes = settings.cache_memory * MEBIBYTE // 3
    gets = GetResponder(service.core.rendered, record.statistics, settings.base_path, ready_bytes, listeners)
    add_fast_path(app, FastPath(gate, record, gets, PostResponder(record, gate.deadline)))
