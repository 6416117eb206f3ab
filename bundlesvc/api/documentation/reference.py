"""The API reference: Swagger UI over this service's own OpenAPI document."""

from http import HTTPStatus

from aiohttp import web
from aiohttp.typedefs import Handler

from bundlesvc.api.documentation.pages import DOCS_PATH, page
from bundlesvc.domain.errors import NotFound


def reference(demo_key: str | None) -> Handler:
    """The handler of the page. In demo mode "Try it out" is authorised with the demo's key, which is no secret there."""

    async def serve(request: web.Request) -> web.Response:
        return page("reference.html.j2", current=None, demo_key=demo_key)

    return serve


async def front_door(request: web.Request) -> web.Response:
    """Lead a browser from `/` to the documentation. Anything else gets the usual 404."""
    if "text/html" not in request.headers.get("Accept", ""):
        raise NotFound
    return web.Response(status=HTTPStatus.FOUND, headers={"Location": DOCS_PATH})
