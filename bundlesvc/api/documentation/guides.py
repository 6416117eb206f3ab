"""The guides of `docs/` as web pages, rendered from their Markdown files on each request."""

from pathlib import Path

from aiohttp import web

from bundlesvc.api.documentation.guide_files import FOLDER, pictures, text_of
from bundlesvc.api.documentation.pages import GUIDES_PATH, file, page


def add_guides(app: web.Application) -> None:
    """Add the routes for the guides and for the pictures in them."""
    for path in pictures():
        app.router.add_get(f"{GUIDES_PATH}/{path}", file(FOLDER / path))
    app.router.add_get(f"{GUIDES_PATH}/{{name:.+\\.md}}", guide)


async def guide(request: web.Request) -> web.Response:
    """Respond with a guide as an HTML page. Raises NotFound for an unknown guide."""
    name = request.match_info["name"]
    text = text_of(name)
    from bundlesvc.api.documentation.markdown import render  # noqa: PLC0415 - Markdown takes a tenth of the start-up time

    title, body = render(text, Path(name).parent)
    return page("guide.html.j2", current=name, title=title, body=body)
