"""The route for the Model Context Protocol. The route is below the base path, so keys, rate limits and origins are checked as for
any other route of the API."""

from aiohttp import web

from bundlesvc.api.agents.hand_over import HAND_OVER, HandOver
from bundlesvc.api.agents.messages import ProtocolError, error_body, id_in, read_message, result_body
from bundlesvc.api.agents.methods import Request, serve
from bundlesvc.api.agents.revisions import check_notification, revision_of
from bundlesvc.api.agents.statistics import CALLS, ToolStatistics
from bundlesvc.api.agents.toolbox import TOOLBOX, Toolbox
from bundlesvc.api.agents.tools import TOOLS
from bundlesvc.api.app_keys import CALLER, COLLECTORS, DEADLINE
from bundlesvc.api.bodies.limits import SELECTION_BYTES
from bundlesvc.api.errors import NO_STORE
from bundlesvc.api.middleware.gate import Gate
from bundlesvc.api.posts.response import PostResponse
from bundlesvc.api.requests.parsing import read_body

MCP_PATH = "/mcp"


def add_agents(app: web.Application, base_path: str, gate: Gate, hand_over: str | None) -> None:
    """Serve the Model Context Protocol. `hand_over` is the template for the storefront URLs at which shoppers continue, or
    None."""
    path = f"{base_path}{MCP_PATH}"
    app[TOOLBOX] = Toolbox(TOOLS)
    statistics = app[CALLS] = ToolStatistics()
    app[COLLECTORS].append(statistics)
    if hand_over is not None:
        app[HAND_OVER] = HandOver(hand_over)
    gate.open_to_both(path)
    app.router.add_post(path, respond)


async def respond(request: web.Request) -> web.Response:
    """Reply to one message: JSON for a request, 202 for a notification. An error gets the HTTP status that the protocol defines
    for it."""
    body = await read_body(request, SELECTION_BYTES)
    if not isinstance(body, bytes):
        raise body
    try:
        message = read_message(body)
        if message.id is None:
            check_notification(request.headers)
            return web.Response(status=202, headers={"Cache-Control": NO_STORE})
        revision = revision_of(message, request.headers)
        result = await serve(Request(message, request.app, request[CALLER], request[DEADLINE]), revision)
    except ProtocolError as error:
        return web.Response(
            status=error.status,
            body=error_body(id_in(body), error),
            content_type="application/json",
            headers={"Cache-Control": NO_STORE},
        )
    return PostResponse(result_body(message, result))
