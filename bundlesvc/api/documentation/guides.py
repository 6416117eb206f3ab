"""The guides of `docs/` as pages, read from their Markdown files at each request."""

from pathlib import Path

from aiohttp import web

from bundlesvc.api.documentation.guide_files import FOLDER, names, served
from bundlesvc.api.documentation.pages import GUIDES_PATH, file, page
from bundlesvc.domain.errors import NotFound


def add_guides(app: web.Application) -> None:
    """Serve the guides, and the pictures in them."""
    for path in sorted(path for path in served() if path.suffix != ".md"):
        app.router.add_get(f"{GUIDES_PATH}/{path.relative_to(FOLDER).as_posix()}", file(path))
    app.router.add_get(f"{GUIDES_PATH}/{{name:.+\\.md}}", guide)


async def guide(request: web.Request) -> web.Response:
    """The page of a guide. Raises NotFound."""
    name = request.match_info["name"]
    if name not in names():
        raise NotFound
    from bundlesvc.api.documentation.markdown import render  # noqa: PLC0415 - importing Markdown takes a tenth of a start

    title, body = render((FOLDER / name).read_text("utf-8"), Path(name).parent)
    return page("guide.html.j2", current=name, title=title, body=body)
