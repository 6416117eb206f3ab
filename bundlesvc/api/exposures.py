"""Whenever a visitor sees an arm of an A/B test, notifies the capabilities that count visitors."""

from collections.abc import Callable

from aiohttp import hdrs, web

from bundlesvc.api.app_keys import CALLER
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.assignment import Exposure
from bundlesvc.services.embed_bundles import ServedArm

Listener = Callable[[Caller, Exposure], None]
"""A function that receives an exposure. It must not block, because it is called on the request path."""

LISTENERS: web.AppKey[list[Listener]] = web.AppKey("exposure_listeners", list)
EXPOSURE = web.RequestKey("exposure", Exposure)


def note_exposure(request: web.Request, served_arm: ServedArm | None, visitor_id: str | None) -> None:
    """Report that a visitor is served the bundle of an A/B test arm. The fast path reports this again whenever it repeats the
    response."""
    if served_arm is None or visitor_id is None or request.method != hdrs.METH_GET:
        return
    exposure = Exposure(served_arm.experiment_id, served_arm.arm, visitor_id)
    request[EXPOSURE] = exposure
    for listener in request.app[LISTENERS]:
        listener(request[CALLER], exposure)
