"""The routes for completions, which the main API and the embed API share, and the metrics of completions."""

from collections.abc import AsyncIterator, Iterator

import orjson
from aiohttp import web
from prometheus_client.core import CounterMetricFamily, Metric

from bundlesvc.api.app_keys import BUNDLES, CALLER, COLLECTORS, DEADLINE
from bundlesvc.api.bodies.limits import SELECTION_BYTES
from bundlesvc.api.completion.rendering import completion
from bundlesvc.api.completion.requests import CompleteRequestSchema, complete_request
from bundlesvc.api.completion.responses import CompletionSchema
from bundlesvc.api.cors import embed_path
from bundlesvc.api.endpoint import BODY_ERRORS, EMBED, PATH_ID, PLATFORM_ERRORS, Endpoint, add_endpoints
from bundlesvc.api.posts.response import PostResponse
from bundlesvc.api.requests.parsing import path_id, read_body
from bundlesvc.services.completion.complete_selection import CompleteSelection

COMPLETE_SELECTION = web.AppKey("complete_selection", CompleteSelection)
_ERRORS = (
    "not_found",
    *BODY_ERRORS,
    "selection_invalid",
    "subscription_invalid",
    "personalisation_invalid",
    *PLATFORM_ERRORS,
)


async def complete(request: web.Request) -> web.Response:
    caller, bundle_id = request[CALLER], path_id(request)
    body = await read_body(request, SELECTION_BYTES)
    bundle = await request.app[BUNDLES].find(caller, bundle_id)
    selection, wishes = complete_request(body)
    found = await request.app[COMPLETE_SELECTION].complete(caller.tenant, bundle, selection, wishes, request[DEADLINE])
    return PostResponse(orjson.dumps(completion(found)))


COMPLETION_ENDPOINTS = (
    Endpoint(
        "POST",
        "/bundles/{id}/complete",
        complete,
        name="completeBundle",
        summary="Complete a selection",
        description="Up to three selections that `configure` accepts: the nearest to this one, or the cheapest, each with its "
        "price and its changes. If there are none, the rules and facts that make completion impossible.",
        request=CompleteRequestSchema(),
        response=CompletionSchema(),
        parameters=(PATH_ID,),
        errors=_ERRORS,
    ),
)
EMBED_COMPLETION_ENDPOINTS = (
    Endpoint(
        "POST",
        "/bundle/{id}/complete",
        complete,
        name="embedComplete",
        summary="Complete a selection from the component",
        description="Like POST /bundles/{id}/complete in the main API.",
        request=CompleteRequestSchema(),
        response=CompletionSchema(),
        parameters=(PATH_ID,),
        errors=_ERRORS,
        tag=EMBED,
    ),
)


def add_completion(app: web.Application, base_path: str, complete_selection: CompleteSelection) -> None:
    """Add the endpoints and metrics for completion to the application."""
    app[COMPLETE_SELECTION] = complete_selection
    app[COLLECTORS].append(CompletionStatistics(complete_selection))
    add_endpoints(app, base_path, COMPLETION_ENDPOINTS)
    add_endpoints(app, embed_path(base_path), EMBED_COMPLETION_ENDPOINTS)
    app.cleanup_ctx.append(_running)


async def _running(app: web.Application) -> AsyncIterator[None]:
    yield
    await app[COMPLETE_SELECTION].thread.close()


class CompletionStatistics:
    """Counts completions by outcome."""

    def __init__(self, complete_selection: CompleteSelection) -> None:
        self._complete_selection = complete_selection

    def collect(self) -> Iterator[Metric]:
        """Yield the counts as metrics (the collector interface of prometheus_client)."""
        family = CounterMetricFamily("bundlesvc_completions", "Completions, by outcome.", labels=["outcome"])
        for outcome, count in self._complete_selection.outcomes.items():
            family.add_metric([outcome], count)
        yield family
